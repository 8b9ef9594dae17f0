/** A folder's files without some, and some with another text. */
import { fault, type RepoFiles } from '#core'

export interface Replaced {
  /** Files that are no longer there. */
  readonly gone?: (path: string) => boolean
  /** Said of them. */
  readonly lacking?: string
}

export function withTexts(
  files: RepoFiles,
  texts: ReadonlyMap<string, string>,
  { gone = () => false, lacking = 'there is no such file' }: Replaced = {},
): RepoFiles {
  const isGone = (path: string): boolean => gone(path) && !texts.has(path)
  const orMissing = <T>(path: string, found: () => Promise<T>): Promise<T> =>
    isGone(path) ? Promise.reject(fault('file.missing', { place: `${files.name}/${path}`, what: lacking })) : found()
  return {
    name: files.name,
    revision: undefined,
    list: async () => [...new Set([...(await files.list()).filter((path) => !isGone(path)), ...texts.keys()])],
    has: (path) => (texts.has(path) || isGone(path) ? Promise.resolve(texts.has(path)) : files.has(path)),
    local: (path) => orMissing(path, () => files.local(path)),
    bytes: (path, limit) => {
      const text = texts.get(path)
      return text === undefined
        ? orMissing(path, () => files.bytes(path, limit))
        : Promise.resolve(new TextEncoder().encode(text))
    },
    text: (path, limit) => {
      const text = texts.get(path)
      return text === undefined ? orMissing(path, () => files.text(path, limit)) : Promise.resolve(text)
    },
  }
}
