/** `strata truncate`: the fewest layers within a given loss of validation score, and the model truncated to them. */
import { join } from 'node:path'
import { Fault, fault } from '#core'
import { truncate, type Truncation } from '#experiment/aggregate'
import { exportModel } from '#experiment/write'
import type { Exported } from '#representation/export'
import { openModel } from '#experiment/open'
import { taskOptions, selectTasks } from '../../options/choose-tasks.ts'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import { form, normalize, storedType } from '../../flags/export.ts'
import { overwrite } from '../../flags/writing.ts'
import { refuseWithout } from '../../options/acting-flags.ts'
import { out as outFlag, type Flags } from './flags.ts'
import { truncationLines } from './truncation-lines.ts'
import { exportOptions } from '../../options/export-options.ts'
import { cacheFolder, modelOptions, sweepOptions } from '../../options/model-options.ts'

export const run: CommandRun<Flags> = async ([reference = ''], flags, terminal) => {
  refuseWithout(flags, outFlag, [form, storedType, normalize, overwrite])
  const found = await selectTasks(flags, terminal)
  const { maxLoss, out } = flags
  let failed = 0
  const choose = async (least: number): Promise<{ truncation: Truncation; parameters: number }> => {
    const model = await openModel(reference, modelOptions({ ...flags, dtype: 'float32' }, terminal))
    try {
      if (model.states === undefined)
        throw fault('usage.conflict', { place: reference, what: 'a static model has no layers' })
      const truncation = await truncate(model, {
        ...sweepOptions(flags, terminal),
        ...taskOptions(found),
        maxLoss,
        least,
        validationFolder: join(cacheFolder(flags), 'validation'),
        onResult({ result }) {
          if (result.strata.status === 'failed') {
            failed++
            terminal.note(`failed  ${result.task_name} ${result.strata.representation}: ${result.strata.reason ?? ''}`)
          }
        },
      })
      return { truncation, parameters: (await model.facts()).parameters }
    } finally {
      await model.close()
    }
  }
  const write = ({ h }: Truncation): Promise<Exported | undefined> =>
    out === undefined
      ? Promise.resolve(undefined)
      : exportModel(reference, {
          ...exportOptions(flags, terminal),
          representation: `h${h}`,
          out,
          command: `strata truncate ${reference} --tasks ${found.tasks.map(({ name }) => name).join(',')} --max-loss ${maxLoss}`,
        })
  const { truncation, parameters, exported } = await chosenAndWritten({ choose, write, terminal })
  if (flags.json === true) terminal.print(JSON.stringify({ ...truncation, parameters, exported: exported ?? null }))
  else for (const line of truncationLines(truncation, { parameters, exported, maxLoss })) terminal.print(line)
  return failed > 0 ? 1 : 0
}

interface Steps {
  readonly choose: (least: number) => Promise<{ truncation: Truncation; parameters: number }>
  readonly write: (truncation: Truncation) => Promise<Exported | undefined>
  readonly terminal: Terminal
}

/** A form that has no model without blocks gets one with at least one block. */
async function chosenAndWritten({
  choose,
  write,
  terminal,
}: Steps): Promise<Awaited<ReturnType<Steps['choose']>> & { exported: Exported | undefined }> {
  const found = await choose(0)
  try {
    return { ...found, exported: await write(found.truncation) }
  } catch (error) {
    if (found.truncation.h > 0 || !(error instanceof Fault) || error.code !== 'usage.conflict') throw error
    terminal.note(`notice  ${error.message}; h1 and above are considered instead (--as onnx can write h0)`)
    const next = await choose(1)
    return { ...next, exported: await write(next.truncation) }
  }
}
