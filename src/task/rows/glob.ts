/**
 * File-name patterns as the hub's data sets use them: `*` and `?` within a folder, `**` across folders, `[abc]`,
 * `[0-9]`, `[!a]`, `{train,test}`.
 */

/**
 * What a pattern consists of. `folders` is `**` with its slash: entered, it either ends at once or continues through
 * `folder` to some slash.
 */
type Token =
  | { readonly kind: 'one'; readonly fits: (letter: string) => boolean }
  | { readonly kind: 'star' | 'stars' | 'folders' | 'folder' }

/**
 * A test for whole paths, in time proportional to both lengths. Braces stand for at most 100 patterns; longer patterns
 * than 1,000 characters match nothing.
 */
export function globMatcher(
  pattern: string,
  { ignoreCase = false }: { ignoreCase?: boolean } = {},
): (path: string) => boolean {
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text)
  const patterns =
    pattern.length > 1000
      ? []
      : expand(fold(pattern)).map((one) => Array.from(one.matchAll(part), ([text]) => tokens(text)).flat())
  return (path) => patterns.some((parts) => matches(parts, fold(path)))
}

export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path)
}

const part = /\*\*+\/|\*\*+|\*|\?|\[!?[^\][/]+\]|[^]/gu

function tokens(text: string): Token[] {
  if (/^\*\*+\/$/.test(text)) return [{ kind: 'folders' }, { kind: 'folder' }]
  if (/^\*\*+$/.test(text)) return [{ kind: 'stars' }]
  if (text === '*') return [{ kind: 'star' }]
  if (text === '?') return [{ kind: 'one', fits: (letter) => letter !== '/' }]
  if (text.length > 2 && text.startsWith('[')) return [{ kind: 'one', fits: letterClass(text) }]
  return [{ kind: 'one', fits: (letter) => letter === text }]
}

/** `[a-z_]` or `[!a-z]`, never a slash. */
function letterClass(text: string): (letter: string) => boolean {
  const negated = text.startsWith('[!')
  const ranges = Array.from(
    text.slice(negated ? 2 : 1, -1).matchAll(/(.)-(.)|(.)/gu),
    ([, from, to, single]) => [single ?? from ?? '', single ?? to ?? ''] as const,
  )
  return (letter) => letter !== '/' && ranges.some(([from, to]) => letter >= from && letter <= to) !== negated
}

/**
 * Walks all ways through the tokens at once: `open[i]` says that tokens before i can have consumed the text read so
 * far.
 */
function matches(parts: readonly Token[], path: string): boolean {
  let open = closure(parts, [0])
  for (const letter of path) {
    const next: number[] = []
    for (const at of open) {
      const token = parts[at]
      if (token === undefined) continue
      if (token.kind === 'one' && token.fits(letter)) next.push(at + 1)
      if (token.kind === 'stars' || token.kind === 'folder' || (token.kind === 'star' && letter !== '/')) next.push(at)
      if (token.kind === 'folder' && letter === '/') next.push(at + 1)
    }
    open = closure(parts, next)
  }
  return open.has(parts.length)
}

/** Positions reachable without reading: past stars, past or into `folders`. */
function closure(parts: readonly Token[], from: readonly number[]): Set<number> {
  const reached = new Set<number>()
  const waiting = [...from]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (reached.has(at)) continue
    reached.add(at)
    const kind = parts[at]?.kind
    if (kind === 'star' || kind === 'stars' || kind === 'folders') waiting.push(at + 1)
    if (kind === 'folders') waiting.push(at + 2)
  }
  return reached
}

/** One pattern for each way to choose from the braces. */
function expand(pattern: string): string[] {
  let patterns = [pattern]
  for (;;) {
    const [whole, before = '', choices = '', after = ''] =
      /^([^]*?)\{([^{}]*)\}([^]*)$/u.exec(patterns.find((one) => /\{[^{}]*\}/.test(one)) ?? '') ?? []
    if (whole === undefined) return patterns
    patterns = patterns.flatMap((one) =>
      one === whole ? choices.split(',').map((choice) => `${before}${choice}${after}`) : [one],
    )
    if (patterns.length > 100) return []
  }
}
