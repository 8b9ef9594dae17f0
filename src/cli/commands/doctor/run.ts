/** `strata doctor`: checks the installation, and downloads missing libraries on request. */
import { installOpenVino } from '#files/packages'
import { openVinoHome } from '#platform/runtime'
import { checks } from './checks.ts'
import type { CommandRun } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { cacheFolder } from '../../options/model-options.ts'
import { row } from '../../lines/rows.ts'

const marks = { ok: 'ok  ', note: 'note', failed: 'FAIL' } as const

export const run: CommandRun<Flags> = async (_args, flags, terminal) => {
  if (flags.install !== undefined) {
    const { folder, version, fetched } = await installOpenVino(openVinoHome(), { signal: terminal.signal })
    terminal.note(`OpenVINO ${version} ${fetched ? 'installed in' : 'is already in'} ${folder}`)
  }
  const found = await checks(cacheFolder(flags))
  for (const { name, status, text } of found)
    terminal.print(
      flags.json === true
        ? JSON.stringify({ name, status, text })
        : `${marks[status]}  ${row(name, text, { width: 13 })}`,
    )
  return found.some(({ status }) => status === 'failed') ? 1 : 0
}
