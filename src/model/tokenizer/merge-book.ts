/** Merges of a BPE vocabulary, and how a new word becomes one token by them. */
import { compareCodePoints } from '#core'

type Merge = readonly [string, string]

export interface MergeBook {
  /** In order of precedence. */
  readonly merges: readonly Merge[]
  /**
   * Adds the merges that make one token of the word's characters: neighbours in pairs from the left, until one piece is
   * left. Returns the pieces that no merge had before, in code point order.
   */
  learn(word: string): string[]
}

/** The order in which pairs are tried is model2vec's: new merges come after all others. */
export function mergeBook(first: readonly Merge[]): MergeBook {
  const merges = [...first]
  const ranks = new Map(first.map(([left, right], rank) => [keyOf(left, right), rank]))
  const sides = new Set(first.flat())
  const note = (piece: string, fresh: Set<string>): void => {
    if (!sides.has(piece)) fresh.add(piece)
    sides.add(piece)
  }
  return {
    merges,
    learn(word) {
      const fresh = new Set<string>()
      for (let pieces = merged(word, ranks); pieces.length > 1; pieces = merged(word, ranks))
        for (let i = 0; i + 1 < pieces.length; i += 2) {
          const [left = '', right = ''] = [pieces[i], pieces[i + 1]]
          if (!ranks.has(keyOf(left, right))) {
            ranks.set(keyOf(left, right), merges.length)
            merges.push([left, right])
          }
          note(left, fresh)
          note(right, fresh)
        }
      return [...fresh].toSorted(compareCodePoints)
    },
  }
}

/** The word's characters, joined by the merge of lowest rank wherever it applies, until none does. */
function merged(word: string, ranks: ReadonlyMap<string, number>): string[] {
  let pieces = Array.from(word)
  for (;;) {
    let [best, left, right] = [Infinity, '', '']
    for (let i = 0; i + 1 < pieces.length; i++) {
      const rank = ranks.get(keyOf(pieces[i] ?? '', pieces[i + 1] ?? '')) ?? Infinity
      if (rank < best) [best, left, right] = [rank, pieces[i] ?? '', pieces[i + 1] ?? '']
    }
    if (best === Infinity) return pieces
    const next: string[] = []
    for (let i = 0; i < pieces.length; i++) {
      const joins = pieces[i] === left && i + 1 < pieces.length && pieces[i + 1] === right
      next.push(joins ? left + right : (pieces[i] ?? ''))
      if (joins) i++
    }
    pieces = next
  }
}

function keyOf(left: string, right: string): string {
  return `${left}\0${right}`
}
