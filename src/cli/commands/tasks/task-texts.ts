/**
 * `strata tasks NAME --texts`: the texts to embed elsewhere, for `strata evaluate --vectors`. Returns 1 when a part of
 * a task cannot be read.
 */
import { taskTexts } from '#experiment/sweep'
import { taskOptions, selectTasks } from '../../options/choose-tasks.ts'
import type { Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { sweepOptions } from '../../options/model-options.ts'

export async function printTaskTexts(names: readonly string[], flags: Flags, terminal: Terminal): Promise<number> {
  const found = await selectTasks({ ...flags, tasks: names.length === 0 ? undefined : names }, terminal)
  let [id, lost] = [0, 0]
  const asked = taskTexts({ ...sweepOptions(flags, terminal), ...taskOptions(found) }, (task, missing) => {
    lost += missing.length
    for (const { split, subset, reason } of missing) terminal.note(`missing  ${task} › ${subset} › ${split}: ${reason}`)
  })
  for await (const texts of asked) {
    for (const text of texts) terminal.print(JSON.stringify({ id: id++, ...text }))
  }
  return lost > 0 ? 1 : 0
}
