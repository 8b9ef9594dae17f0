/** Data-set repositories made for a test, in a folder that goes away with it. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { RepoFiles } from '#core'
import { openRepo } from '#files/hub'

export type Row = Readonly<Record<string, unknown>>

/** Writes files – rows as JSON lines, packed when the name ends in .gz – and opens them as a repository. */
export async function makeRepo(
  files: Record<string, string | readonly Row[]>,
): Promise<{ files: RepoFiles; remove: () => Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'strata-tasks-'))
  for (const [path, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : content.map((row) => `${JSON.stringify(row)}\n`).join('')
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), path.endsWith('.gz') ? gzipSync(text) : text)
  }
  return { files: await openRepo(root), remove: () => rm(root, { recursive: true, force: true }) }
}

/** The head of a README: config → split → path or paths. */
export function readme(configs: Record<string, Record<string, string | readonly string[]>>): string {
  return `---\n${JSON.stringify({
    configs: Object.entries(configs).map(([name, splits]) => ({
      config_name: name,
      data_files: Object.entries(splits).map(([split, path]) => ({ split, path })),
    })),
  })}\n---\n# A data set\n`
}
