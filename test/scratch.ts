/** A folder for one test file's own files, removed at its end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export function scratchFolder(): {
  path: (name: string) => string
  file: (name: string, content: string | Uint8Array) => string
} {
  const folder = mkdtempSync(join(tmpdir(), 'strata-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const path = (name: string) => join(folder, name)
  return {
    path,
    file(name, content) {
      writeFileSync(path(name), content)
      return path(name)
    },
  }
}
