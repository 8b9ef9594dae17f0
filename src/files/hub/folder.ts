/** A repository that is a folder on this machine. Links are followed; names may not leave it. */
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { asFault, fault, type RepoFiles } from '#core'
import { isFile, isFolder } from './layout.ts'
import { checkPath } from './names.ts'
import type { OpenedRepo } from './opened-repo.ts'
import { readBytes, readText } from './read.ts'

/** Guards against folders that link into themselves or into a whole disk. */
const deepest = 40
const mostEntries = 1_000_000
/** Version control and download records are not part of a model. */
const skipped = new Set(['.git', '.cache'])

/** Files of a folder; `name` is the folder as given. Throws `file.missing` when there is no such folder. */
export async function openFolder(name: string): Promise<OpenedRepo> {
  if (!(await isFolder(name))) {
    throw fault('file.missing', {
      place: name,
      what: 'no such folder',
      hint: 'a model of the hub is written org/name, without a leading ./',
    })
  }
  let listing: Promise<readonly string[]> | undefined
  const files: OpenedRepo = {
    name,
    get revision() {
      return revisions.get(files)
    },
    notice: undefined,
    list: () => (listing ??= listFolder(name)),
    has: async (path) => isFile(join(name, checkPath(path, name))),
    async local(path) {
      const full = join(name, checkPath(path, name))
      if (await isFile(full)) return realpath(full)
      const found: string[] = await readdir(name).catch(() => [])
      throw fault('file.missing', {
        place: `${name} › ${path}`,
        what: 'no such file',
        hint: `the folder holds: ${found.sort().slice(0, 20).join(', ') || 'nothing'}`,
      })
    },
    bytes: (path, limit) => readBytes(files, path, limit),
    text: (path, limit) => readText(files, path, limit),
  }
  return files
}

const revisions = new WeakMap<RepoFiles, string>()

/** Lets a folder show the revision that was derived from its contents. */
export function rememberRevision(files: RepoFiles, revision: string): void {
  revisions.set(files, revision)
}

/**
 * Relative paths of all files below a folder, sorted; links are followed, loops ended. Throws `format.limit` and
 * `file.unreadable`.
 */
export async function listFolder(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  let seen = 0
  const visit = async (prefix: string, above: readonly string[]): Promise<void> => {
    const real = await realpath(join(folder, prefix))
    if (above.includes(real) || above.length > deepest) return
    for (const entry of await readdir(real, { withFileTypes: true })) {
      if (++seen > mostEntries)
        throw fault('format.limit', {
          place: folder,
          what: 'too many files for a repository',
          wanted: `at most ${mostEntries}`,
        })
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
      const kind = entry.isSymbolicLink() ? await stat(join(real, entry.name)).catch(() => undefined) : entry
      if (kind?.isDirectory() && !skipped.has(entry.name)) await visit(path, [...above, real])
      else if (kind?.isFile()) found.push(path)
    }
  }
  try {
    await visit('', [])
  } catch (error) {
    throw asFault(error, 'file.unreadable', folder)
  }
  return found.sort()
}
