/** `strata layers`: every hidden state and the model's own default, on tasks, from one encoding. */
import { fault } from '#core'
import { openModel } from '#experiment/open'
import { planSweep } from '#experiment/sweep'
import { type Model, statesOf } from '#model/checkpoint'
import { representationsNamed, statesNamed, type Representation } from '#representation/layers'
import { pictureFormat } from '#result/pictures'
import { taskOptions, selectTasks } from '../../options/choose-tasks.ts'
import type { CommandRun } from '../../spec/command.ts'
import { background, plot } from '../../flags/pictures.ts'
import { refuseWithout } from '../../options/acting-flags.ts'
import type { Flags } from './flags.ts'
import { planLines } from '../../sweep/plan-lines.ts'
import { modelOptions, modelReferences, sweepOptions } from '../../options/model-options.ts'
import { printSweep } from '../../sweep/print-sweep.ts'

export const run: CommandRun<Flags> = async (args, flags, terminal) => {
  const references = modelReferences(args, flags)
  refuseWithout(flags, plot, [background])
  if (references.length === 0)
    throw fault('usage.value', {
      place: 'models',
      what: 'no model is given',
      hint: 'give org/name, a folder, or --merge RECIPE',
    })
  if (flags.plot !== undefined) pictureFormat(flags.plot, '--plot') // refused before the work
  const found = await selectTasks(flags, terminal)
  const { layers: list = 'all', representation: beside = [] } = flags
  // MaxSim is no way to read a text as one vector, and so none to open a model by
  const isMaxSim = flags.pooling === 'maxsim'
  const opening = modelOptions(isMaxSim ? { ...flags, pooling: undefined } : flags, terminal)
  const kind = isMaxSim ? 'tokens' : 'state'
  const representationsOf = async (model: Model): Promise<Representation[]> => [
    ...statesNamed(list, statesOf(model).count).map((h) => ({ kind, h }) as const),
    ...(list === 'all' && hasDefault(model, isMaxSim) ? [{ kind: 'default' as const }] : []),
    ...(await representationsNamed(beside, model)),
  ]
  const options = { ...sweepOptions(flags, terminal), ...taskOptions(found) }
  const models: Model[] = []
  try {
    for (const reference of references) {
      const model = await openModel(reference, opening)
      models.push(model)
      if (model.states === undefined) {
        throw fault('usage.conflict', {
          place: reference,
          what: 'a static model has no layers',
          hint: `strata evaluate ${reference} --tasks …`,
        })
      }
      // A layer that a model lacks is detected before any work.
      await representationsOf(model)
    }
    if (flags.dryRun === true) {
      for (const model of models) {
        const plan = await planSweep(model, { ...options, representations: await representationsOf(model) })
        if (flags.json === true) terminal.print(JSON.stringify(plan))
        else for (const line of planLines(plan)) terminal.print(line)
      }
      return 0
    }
    return await printSweep(models, found, { ...options, representationsOf }, flags, terminal)
  } finally {
    await Promise.all(models.map((model) => model.close()))
  }
}

/** Whether the folder's own way compares as the layers do. */
function hasDefault({ defaultLacks, searcher }: Model, isMaxSim: boolean): boolean {
  return isMaxSim ? searcher !== undefined : defaultLacks === undefined
}
