/** Merges of a SentencePiece vocabulary, which stores scores instead. */

/**
 * Every way to cut a token into two others, best token first; among cuts of equal rank those with longer parts first,
 * then in the order of the vocabulary – the order of transformers' `generate_merges`.
 */
export function recoverMerges(tokens: readonly string[], scores: readonly number[]): string[][] {
  const ids = new Map(tokens.map((token, id) => [token, id]))
  const merges: { left: string; right: string; score: number; leftLength: number; rightLength: number }[] = []
  for (const [token, id] of ids) {
    const letters = Array.from(token)
    const cuts = letters.slice(1).flatMap((_, i) => {
      const [left, right] = [letters.slice(0, i + 1).join(''), letters.slice(i + 1).join('')]
      const [leftId, rightId] = [ids.get(left), ids.get(right)]
      if (leftId === undefined || rightId === undefined) return []
      const lengths = { leftLength: i + 1, rightLength: letters.length - i - 1 }
      return [{ leftId, rightId, merge: { left, right, score: scores[id] ?? 0, ...lengths } }]
    })
    cuts.sort((a, b) => a.leftId - b.leftId || a.rightId - b.rightId)
    merges.push(...cuts.map(({ merge }) => merge))
  }
  merges.sort((a, b) => b.score - a.score || b.leftLength - a.leftLength || b.rightLength - a.rightLength)
  return merges.map(({ left, right }) => [left, right])
}
