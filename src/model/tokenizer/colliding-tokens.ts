/**
 * Added tokens that are looked for in normalised text must not become one pattern there: tokenizers from 0.23 on refuse
 * a file in which two do.
 */

interface Pattern {
  readonly content: string
  readonly normalized?: unknown
}

/**
 * Where the normalizer makes tokens alike, only the first is looked for in normalised text, the others as they stand.
 */
export function withoutCollisions<T extends Pattern>(tokens: readonly T[], normalizer: unknown): T[] {
  if (typeof normalizer !== 'object' || normalizer === null) return [...tokens]
  const alike = likeness(JSON.stringify(normalizer))
  const seen = new Set<string>()
  return tokens.map((token) => {
    if (token.normalized !== true) return token
    const key = alike(token.content)
    if (seen.has(key)) return { ...token, normalized: false }
    seen.add(key)
    return token
  })
}

/** A coarser reading than the normalizer's own, by its parts: what it makes one is one here. */
function likeness(parts: string): (content: string) => string {
  const folds = /"Nmt"|"NFK|"Precompiled"/.test(parts)
  const lower = /"Lowercase"|"lowercase":true/.test(parts)
  const bare = /"StripAccents"|"BertNormalizer"/.test(parts)
  return (content) => {
    const blanks = content.replaceAll(/[\s\p{Z}▁]+/gu, '▁')
    const folded = folds
      ? blanks
          .normalize('NFKC')
          .replaceAll(/[\s\p{Z}▁]+/gu, '▁')
          .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
      : blanks.normalize('NFC')
    const cased = lower ? folded.toLowerCase() : folded
    return bare ? cased.normalize('NFD').replaceAll(/\p{Mn}/gu, '') : cased
  }
}
