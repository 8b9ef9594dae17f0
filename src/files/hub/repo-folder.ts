/** A folder of a repository as a repository. */
import { posix } from 'node:path'
import { fault, type RepoFiles } from '#core'

/** A folder of the repository as its files name it: relative, `''` for the repository itself. Throws `file.outside`. */
export function folderNamed(path: string, place: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  const inside = !/[\\:\0]/.test(path) && !path.startsWith('/') && !parts.includes('..')
  if (!inside) throw fault('file.outside', { place, what: 'not a folder inside the repository', seen: path })
  return parts.join('/')
}

/** The files of one folder of a repository, as if it were a repository; with `only`, no others are to be seen. */
export function folderFiles(files: RepoFiles, folder: string, { only }: { only?: readonly string[] } = {}): RepoFiles {
  const seen = (path: string): boolean => only === undefined || only.includes(path)
  const full = (path: string): string => posix.join(folder, path)
  const visible = (path: string): string => {
    if (!seen(path))
      throw fault('file.missing', { place: `${files.name}/${folder}`, what: 'not a file of this folder', seen: path })
    return full(path)
  }
  return {
    name: folder === '' ? files.name : `${files.name}/${folder}`,
    revision: files.revision,
    async list() {
      const prefix = folder === '' ? '' : `${folder}/`
      const below = (await files.list())
        .filter((path) => path.startsWith(prefix))
        .map((path) => path.slice(prefix.length))
      return below.filter(seen)
    },
    has: async (path) => seen(path) && files.has(full(path)),
    local: async (path) => files.local(visible(path)),
    bytes: async (path, limit) => files.bytes(visible(path), limit),
    text: async (path, limit) => files.text(visible(path), limit),
  }
}
