/** `strata tasks NAME --texts`: what to embed elsewhere, for `strata evaluate --vectors`. 1 when a part of a task cannot be read. */
import { taskTexts } from '#experiment/sweep'
import { selectTasks } from './choose-tasks.ts'
import type { FlagValues, Terminal } from './command.ts'
import { sweepOptions } from './options.ts'
import { askedFor } from './sweep.ts'

export async function printTaskTexts(names: readonly string[], flags: FlagValues, terminal: Terminal): Promise<number> {
  const found = await selectTasks({ ...flags, ...(names.length === 0 ? {} : { tasks: names }) }, terminal)
  let [id, lost] = [0, 0]
  const asked = taskTexts({ ...sweepOptions(flags, terminal), ...askedFor(found) }, (task, missing) => {
    lost += missing.length
    for (const { split, subset, reason } of missing) terminal.note(`missing  ${task} › ${subset} › ${split}: ${reason}`)
  })
  for await (const texts of asked) {
    for (const text of texts) terminal.print(JSON.stringify({ id: id++, ...text }))
  }
  return lost > 0 ? 1 : 0
}
