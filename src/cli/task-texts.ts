/** `strata tasks NAME --texts`: what to embed elsewhere, for `strata evaluate --vectors`. */
import { taskTexts } from '../experiment/index.ts'
import { selectTasks } from './choose-tasks.ts'
import type { FlagValues, Terminal } from './command.ts'
import { sweepOptions } from './options.ts'
import { askedFor } from './sweep.ts'

export async function printTaskTexts(names: readonly string[], flags: FlagValues, terminal: Terminal): Promise<number> {
  const found = await selectTasks({ ...flags, ...(names.length === 0 ? {} : { tasks: names }) }, terminal)
  let id = 0
  for await (const texts of taskTexts({ ...sweepOptions(flags, terminal), ...askedFor(found) })) {
    if (texts.length > 0) terminal.print(texts.map((text) => JSON.stringify({ id: id++, ...text })).join('\n'))
  }
  return 0
}
