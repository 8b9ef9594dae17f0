/** A folder inside a repository, as a repository of its own. */
import { checkPath } from './names.ts'
import type { OpenedRepo } from './opened-repo.ts'

/** Paths are those below `folder`; the revision is the repository's. */
export function subfolder(files: OpenedRepo, folder: string): OpenedRepo {
  const name = `${files.name}/${folder}`
  const inside = (path: string): string => `${folder}/${checkPath(path, name)}`
  return {
    name,
    get revision() {
      return files.revision
    },
    get notice() {
      return files.notice
    },
    async list() {
      const paths = await files.list()
      return paths.flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []))
    },
    has: async (path) => files.has(inside(path)),
    local: async (path) => files.local(inside(path)),
    bytes: async (path, limit) => files.bytes(inside(path), limit),
    text: async (path, limit) => files.text(inside(path), limit),
  }
}
