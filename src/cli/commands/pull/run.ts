/**
 * `strata pull`: downloads a repository of the hub, or files of it, into the cache or a folder. Prints the folder, or
 * the path of a single file.
 */
import { byteText } from '#core'
import { join } from 'node:path'
import { openPull } from '#files/hub'
import type { CommandRun } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { hubOptions, parseRepo } from '../../options/hub-options.ts'
import { row } from '../../lines/rows.ts'

export const run: CommandRun<Flags> = async ([given = '', ...files], flags, terminal) => {
  const { name, revision } = parseRepo(given, flags)
  const pull = await openPull(name, {
    ...hubOptions(flags, terminal),
    revision,
    files,
    localDir: flags.localDir,
    force: flags.forceDownload === true,
    concurrency: flags.maxWorkers,
  })
  const { plan } = pull
  if (pull.notice !== undefined) terminal.note(pull.notice)
  const missing = plan.files.filter(({ here }) => !here)
  const unknown = missing.some(({ size }) => size === undefined)
  const bytes = missing.reduce((sum, { size }) => sum + (size ?? 0), 0)
  const single = files.length === 1 && !files[0]?.endsWith('/') ? plan.files[0] : undefined
  const path = single ? join(plan.folder, single.path) : plan.folder
  if (flags.dryRun === true) {
    if (flags.json === true) {
      terminal.print(JSON.stringify({ ...plan, path, downloadBytes: unknown ? null : bytes }))
      return 0
    }
    terminal.print(
      row(
        'download',
        `${missing.length} of ${plan.files.length} files, ${unknown ? 'of unknown size' : byteText(bytes)} → ${path}`,
      ),
    )
    for (const { path: file, size, here } of plan.files) {
      const bytesSaid = size === undefined ? '?' : byteText(size)
      terminal.print(row('', `${file}  ${here ? 'is here' : bytesSaid}`))
    }
    return 0
  }
  await pull.run()
  terminal.print(
    flags.json === true
      ? JSON.stringify({
          ...plan,
          path,
          files: plan.files.map(({ here, ...file }) => ({ ...file, downloaded: !here })),
        })
      : path,
  )
  return 0
}
