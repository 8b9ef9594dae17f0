/** The files of a folder as a repository, without the hub room. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { RepoFiles } from '#core'

export function folderFiles(folder: string): RepoFiles {
  return {
    name: basename(folder),
    revision: undefined,
    list: async () => readdirSync(folder, { recursive: true }).map(String),
    has: async (path) => existsSync(join(folder, path)),
    local: (path) => realpath(join(folder, path)),
    bytes: async (path) => new Uint8Array(await readFile(join(folder, path))),
    text: (path) => readFile(join(folder, path), 'utf8'),
  }
}
