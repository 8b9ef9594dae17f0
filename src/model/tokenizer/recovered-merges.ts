/** Merges of a SentencePiece vocabulary, which stores scores instead. */

/**
 * Every way to cut a token into two others, in the order of transformers' `generate_merges`: best score first, of one
 * score those with longer parts first; without scores by the order of tokens, those with shorter parts first. Cuts
 * that are then still equal come in the order of their parts.
 */
export function recoverMerges(tokens: readonly string[], scores?: readonly number[]): [string, string][] {
  const ids = new Map(tokens.map((token, id) => [token, id]))
  const merges: { pair: [string, string]; rank: number; lengths: readonly [number, number] }[] = []
  for (const [token, id] of ids) {
    const letters = Array.from(token)
    const cuts = letters.slice(1).flatMap((_, i) => {
      const pair: [string, string] = [letters.slice(0, i + 1).join(''), letters.slice(i + 1).join('')]
      const [left, right] = pair.map((part) => ids.get(part))
      if (left === undefined || right === undefined) return []
      const lengths = [i + 1, letters.length - i - 1] as const
      return [{ left, right, merge: { pair, rank: scores?.[id] ?? -id, lengths } }]
    })
    cuts.sort((a, b) => a.left - b.left || a.right - b.right)
    merges.push(...cuts.map(({ merge }) => merge))
  }
  const longer = scores === undefined ? -1 : 1
  merges.sort(
    (a, b) => b.rank - a.rank || longer * (b.lengths[0] - a.lengths[0]) || longer * (b.lengths[1] - a.lengths[1]),
  )
  return merges.map(({ pair }) => pair)
}
