/** What the checkers ask of Python's `str` and `re`, where JavaScript's own would answer differently. */
import { fault } from '#core'
import { makeTimer } from '#platform/python'

/** `\s` of `re`, as a class's inside. */
export const space = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`

const blank = new RegExp(`[${space}]+`, 'u')
const notBlank = new RegExp(`[^${space}]`, 'u')

/** A character of `\w` of `re`. */
export const wordOfRe = String.raw`[\p{L}\p{N}_]`

/** `str.strip()`. */
export function strip(text: string): string {
  const start = text.search(notBlank)
  if (start < 0) return ''
  let end = text.length
  while (!notBlank.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** `str.split()`. */
export function splitWords(text: string): string[] {
  const inner = strip(text)
  return inner === '' ? [] : inner.split(blank)
}

/** `str.strip(character)` of one character. */
export function stripOf(text: string, character: string): string {
  let [start, end] = [0, text.length]
  while (start < end && text[start] === character) start++
  while (end > start && text[end - 1] === character) end--
  return text.slice(start, end)
}

const cased = { upper: /\p{Uppercase}/u, lower: /\p{Lowercase}/u, title: /\p{Lt}/u }

/** `str.isupper()`: something is upper case and nothing is lower or title case. */
export function isUpper(text: string): boolean {
  return cased.upper.test(text) && !cased.lower.test(text) && !cased.title.test(text)
}

/** `str.islower()`. */
export function isLower(text: string): boolean {
  return cased.lower.test(text) && !cased.upper.test(text) && !cased.title.test(text)
}

/**
 * How often a pattern of `re` that a data set brings is in a text, within a budget of time. For words and phrases:
 * everything but letters means the same in JavaScript, except possessive signs.
 */
export function matchCounter(source: string, flags: '' | 'i', place: string): (text: string) => number {
  const known = source.replaceAll(/([^\\][+*?])\+/g, '$1')
  for (const mode of ['u', ''])
    try {
      const pattern = new RegExp(known, `g${flags}${mode}`)
      const within = makeTimer(source)
      return (text) => within(text, () => Array.from(text.matchAll(pattern)).length)
    } catch {
      // a text such as `a{` is a pattern only without `u`
    }
  throw fault('task.value', { place, what: 'is not a regular expression', seen: source })
}
