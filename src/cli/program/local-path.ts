/** Paths are those of this machine: an address would become a folder of its name. */
import { fault, readScheme } from '#core'

/** Names that the help gives to paths, of flags and arguments: `<folder>`, `[files...]`. */
const pathWords: ReadonlySet<string> = new Set([
  'folder',
  'file',
  'files',
  'path',
  'recipe',
  'more-and-out',
  'out',
  'sources',
])

/** Whether a notation, such as `--out <file>`, takes a path. */
export function takesPath(notation: string): boolean {
  const [, word = ''] = /[<[]([\w-]+)(?:\.\.\.)?[>\]]/.exec(notation) ?? []
  return pathWords.has(word)
}

/** The path itself. Throws `usage.value` for `s3://…` and its like. */
export function localPath(text: string, place: string): string {
  if (readScheme(text) === undefined) return text
  throw fault('usage.value', {
    place,
    what: 'is an address, and a path of this machine is wanted',
    seen: text,
    hint: 'name a folder or file, and copy it with the tools of that address',
  })
}
