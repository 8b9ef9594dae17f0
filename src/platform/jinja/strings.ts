/** Python's string methods where JavaScript's differ. */
import { capitalize } from '#platform/python'
import { pointCount, points } from './values.ts'

/** Whitespace of str.strip(): Unicode's White_Space and the four separators of ASCII, not the byte order mark. */
export const spaceClass = '\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const isSpace = new RegExp(`^[${spaceClass}]$`)
const runs = new RegExp(`[${spaceClass}]+`)
// oxlint-disable-next-line no-control-regex -- Python ends lines at the separators of ASCII too
const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g

export type Ends = 'both' | 'left' | 'right'

/** Strips any of `characters` (whitespace by default) from the ends. */
export function strip(text: string, characters: string | undefined, ends: Ends): string {
  const set = characters === undefined ? undefined : new Set(characters)
  const drop = (point: string): boolean => (set === undefined ? isSpace.test(point) : set.has(point))
  const all = points(text)
  const begin = ends === 'right' ? 0 : firstKept(all, drop)
  return slicePoints(all, begin, ends === 'left' ? all.length : lastKept(all, drop, begin))
}

function firstKept(all: readonly string[] | string, drop: (point: string) => boolean): number {
  let begin = 0
  while (begin < all.length && drop(all[begin] ?? '')) begin++
  return begin
}

function lastKept(all: readonly string[] | string, drop: (point: string) => boolean, begin: number): number {
  let end = all.length
  while (end > begin && drop(all[end - 1] ?? '')) end--
  return end
}

/**
 * `separator` undefined: runs of whitespace, none at the ends. `limit` splits at most, from the right with `fromRight`.
 */
export function split(
  text: string,
  separator: string | undefined,
  limit: number,
  fromRight: boolean,
): readonly string[] {
  if (separator === undefined) return splitWhitespace(text, limit, fromRight)
  const parts = text.split(separator)
  if (limit < 0 || parts.length <= limit + 1) return parts
  return fromRight
    ? [parts.slice(0, parts.length - limit).join(separator), ...parts.slice(parts.length - limit)]
    : [...parts.slice(0, limit), parts.slice(limit).join(separator)]
}

/** The rest after `limit` words keeps the whitespace at its far end. */
function splitWhitespace(text: string, limit: number, fromRight: boolean): readonly string[] {
  const [near, far]: readonly [Ends, Ends] = fromRight ? ['right', 'left'] : ['left', 'right']
  const bare = strip(text, undefined, 'both')
  const words = bare === '' ? [] : bare.split(runs)
  if (limit < 0 || words.length <= limit) return words
  const taken = fromRight ? words.slice(words.length - limit) : words.slice(0, limit)
  let rest = strip(text, undefined, near)
  for (const word of fromRight ? [...taken].reverse() : taken) {
    rest = strip(fromRight ? rest.slice(0, rest.length - word.length) : rest.slice(word.length), undefined, near)
  }
  if (strip(rest, undefined, far) === '') return taken
  return fromRight ? [rest, ...taken] : [...taken, rest]
}

export function splitLines(text: string, keepEnds: boolean): readonly string[] {
  const lines: string[] = []
  let begin = 0
  for (const match of text.matchAll(lineEnd)) {
    const end = match.index + match[0].length
    lines.push(text.slice(begin, keepEnds ? end : match.index))
    begin = end
  }
  if (begin < text.length) lines.push(text.slice(begin))
  return lines
}

/** At most `limit` replacements when it is not negative; an empty `old` stands between all characters. */
export function replace(text: string, old: string, by: string, limit: number): string {
  const parts = old === '' ? ['', ...Array.from(text), ''] : text.split(old)
  if (limit < 0 || parts.length <= limit + 1) return parts.join(by)
  return [parts.slice(0, limit + 1).join(by), ...parts.slice(limit + 1)].join(old)
}

/** str.title(): a letter after anything that is no letter begins a word. */
export function titleWords(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => capitalize(word))
}

/** Jinja's `title` filter: words begin after spaces, hyphens and opening brackets, and nowhere else. */
export function titleFilter(text: string): string {
  return text
    .split(/([-\s({[<]+)/)
    .map((word) => {
      const [first = ''] = word
      return first.toUpperCase() + word.slice(first.length).toLowerCase()
    })
    .join('')
}

/** str.casefold(), letter by letter. */
export function casefold(text: string): string {
  return Array.from(text, (point) => (point === 'ı' ? point : point.toUpperCase().toLowerCase())).join('')
}

/** Tabs up to the next column that `size` divides; columns begin anew after a line's end. */
export function expandTabs(text: string, size: number): string {
  let column = 0
  return Array.from(text, (point) => {
    if (point !== '\t') {
      column = point === '\n' || point === '\r' ? 0 : column + 1
      return point
    }
    const width = size > 0 ? size - (column % size) : 0
    column += width
    return ' '.repeat(width)
  }).join('')
}

export function slicePoints(all: readonly string[] | string, begin: number, end: number): string {
  const part = all.slice(begin, end)
  return typeof part === 'string' ? part : part.join('')
}

/** Index in code points, -1 when absent. */
export function findPoint(text: string, part: string, last: boolean): number {
  const at = last ? text.lastIndexOf(part) : text.indexOf(part)
  return at === -1 ? -1 : pointCount(text.slice(0, at))
}

/** `value[start:stop:step]` as indexes. */
export function sliceIndexes(
  length: number,
  start: number | undefined,
  stop: number | undefined,
  step: number,
): readonly number[] {
  const clampTo = (index: number, low: number, high: number): number =>
    Math.min(Math.max(index < 0 ? index + length : index, low), high)
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1]
  const [first, last] = step > 0 ? [low, high] : [high, low]
  const begin = start === undefined ? first : clampTo(start, low, high)
  const end = stop === undefined ? last : clampTo(stop, low, high)
  const indexes: number[] = []
  for (let index = begin; step > 0 ? index < end : index > end; index += step) indexes.push(index)
  return indexes
}
