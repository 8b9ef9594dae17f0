/** Which values of a command line are paths: those that its help calls so. */

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
