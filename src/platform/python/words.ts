/** Methods of Python's `str` that JavaScript has otherwise. */

/** Letters whose title case is not their upper case. */
const titles: Readonly<Record<string, string>> = Object.fromEntries(
  ['Ǆǅǆ', 'Ǉǈǉ', 'Ǌǋǌ', 'Ǳǲǳ'].flatMap((letters) => Array.from(letters, (letter) => [letter, letters[1] ?? letter])),
)

/** First letter upper case, all others lower (`str.capitalize`). */
export function capitalize(text: string): string {
  const [first = ''] = text
  const upper = titles[first] ?? first.toUpperCase()
  // the first letter is in title case: of ligatures only their own first part
  const title = Array.from(upper).length > 1 ? (upper[0] ?? '') + upper.slice(1).toLowerCase() : upper
  return title + text.slice(first.length).toLowerCase()
}

/** ASCII punctuation (`string.punctuation`). */
export const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

/** Code points, as `len` counts them. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** What Python takes for white space: other control characters than JavaScript's, and no byte order mark. */
// oxlint-disable-next-line no-control-regex -- U+001C … U+001F are white space in Python
const space = /[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u
const spaces = new RegExp(`${space.source}+`, 'u')

/** Pieces between runs of white space, empty ones at the ends too (`re.split(r"\\s+", text)`). */
export function splitSpaces(text: string): string[] {
  return text.split(spaces)
}

/** Whether a text is white space and nothing else (`str.isspace`). */
export function isSpace(text: string): boolean {
  return text !== '' && Array.from(text).every((letter) => space.test(letter))
}

/** The words of a text: pieces between runs of white space, none of them empty (`str.split()`). */
export function splitWords(text: string): string[] {
  return text.split(spaces).filter((piece) => piece !== '')
}
