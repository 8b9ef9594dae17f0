/** `strata layers`: every hidden state and the model's own default, on tasks, from one encoding. */
import { openModel, planLines, planSweep } from '../../experiment/index.ts'
import { statesNamed, type Representation } from '../../model/index.ts'
import { selectTasks } from '../choose-tasks.ts'
import type { CommandRun } from '../command.ts'
import { modelOptions, sweepOptions } from '../options.ts'
import { askedFor, printSweep } from '../sweep.ts'
import { fault } from '../../core/index.ts'

export const run: CommandRun = async ([reference = ''], flags, terminal) => {
  const found = await selectTasks(flags, terminal)
  const model = await openModel(reference, modelOptions(flags, terminal))
  try {
    if (model.states === 0) {
      throw fault('usage.conflict', { place: reference, what: 'a static table has no layers', hint: `strata evaluate ${reference} --tasks …` })
    }
    const list = (flags.layers as string | undefined) ?? 'all'
    const representations: Representation[] = [
      ...statesNamed(list, model.states).map((h) => ({ kind: 'state' as const, h })),
      ...(list === 'all' ? [{ kind: 'default' as const }] : []),
    ]
    const options = { ...sweepOptions(flags, terminal), ...askedFor(found), representations, keep: 'all' as const }
    if (flags.dryRun === true) {
      const plan = await planSweep(model, options)
      if (flags.json === true) terminal.print(JSON.stringify(plan))
      else for (const line of planLines(plan)) terminal.print(line)
      return 0
    }
    return await printSweep([model], found, options, flags, terminal)
  } finally {
    await model.close()
  }
}
