/** A repository that says which of its files are read. */
import type { RepoFiles } from '#core'

/** `onFile` gets the local path of each file before it is read, once per reading. */
export function reportedFiles(files: RepoFiles, onFile: (path: string) => void): RepoFiles {
  const reported = async (path: string): Promise<void> => onFile(await files.local(path))
  return {
    name: files.name,
    get revision() {
      return files.revision
    },
    list: () => files.list(),
    has: (path) => files.has(path),
    async local(path) {
      const local = await files.local(path)
      onFile(local)
      return local
    },
    async bytes(path, limit) {
      const bytes = await files.bytes(path, limit)
      await reported(path)
      return bytes
    },
    async text(path, limit) {
      const text = await files.text(path, limit)
      await reported(path)
      return text
    },
  }
}
