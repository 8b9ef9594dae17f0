/**
 * Which paths of a repository are meant: the patterns of `hf upload` and `hf download`, which are those of Python's
 * fnmatch – `*` and `?` match `/` too, case counts.
 */

export interface Choice {
  /** Empty: everything. */
  include?: readonly string[]
  exclude?: readonly string[]
}

/** Paths that match one of `include` and none of `exclude`. */
export function chosen(paths: readonly string[], { include = [], exclude = [] }: Choice): string[] {
  const [wanted, unwanted] = [include.map(compile), exclude.map(compile)]
  return paths.filter((path) => {
    const characters = Array.from(path)
    return (
      (wanted.length === 0 || wanted.some((pattern) => matches(pattern, characters))) &&
      !unwanted.some((pattern) => matches(pattern, characters))
    )
  })
}

/** Paths that match one of the patterns; none of no patterns. */
export function matching(paths: readonly string[], patterns: readonly string[]): string[] {
  return patterns.length === 0 ? [] : chosen(paths, { include: patterns })
}

/** What one character of a path has to be, or any number of any. */
type Piece = '*' | ((character: string) => boolean)

/** A pattern that ends in `/` means everything below. */
function compile(pattern: string): Piece[] {
  const text = Array.from(pattern.endsWith('/') ? `${pattern}*` : pattern)
  const pieces: Piece[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    const set = character === '[' ? characterSet(text, at) : undefined
    if (set) {
      pieces.push(set.piece)
      at = set.end
    } else if (character === '*') pieces.push('*')
    else pieces.push((seen) => character === '?' || seen === character)
  }
  return pieces
}

/**
 * `[abc]`, `[a-z]`, `[!abc]`; a `]` in the first place is one of the characters, a range that runs backwards holds
 * none, and without an end `[` is itself.
 */
function characterSet(text: readonly string[], start: number): { piece: Piece; end: number } | undefined {
  const negated = text[start + 1] === '!'
  const from = start + (negated ? 2 : 1)
  const end = text.indexOf(']', from + 1)
  if (end < 0) return undefined
  const ranges: [first: string, last: string][] = []
  for (let at = from; at < end; at++) {
    const first = text[at] ?? ''
    const isRange = text[at + 1] === '-' && at + 2 < end
    ranges.push([first, isRange ? (text[at + 2] ?? '') : first])
    if (isRange) at += 2
  }
  const point = (character: string): number => character.codePointAt(0) ?? 0
  const piece = (seen: string): boolean =>
    ranges.some(([first, last]) => point(first) <= point(seen) && point(seen) <= point(last)) !== negated
  return { piece, end }
}

/** Steps at most pattern × path: only the last star is ever tried again. */
function matches(pattern: readonly Piece[], path: readonly string[]): boolean {
  let [at, star, retry] = [0, -1, 0]
  for (let i = 0; i < path.length;) {
    const piece = pattern[at]
    if (piece === '*') [star, retry, at] = [at, i, at + 1]
    else if (piece?.(path[i] ?? '')) [at, i] = [at + 1, i + 1]
    else if (star >= 0) [at, retry, i] = [star + 1, retry + 1, retry + 1]
    else return false
  }
  return pattern.slice(at).every((piece) => piece === '*')
}
