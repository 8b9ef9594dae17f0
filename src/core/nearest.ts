/** The known name nearest to a mistyped one, for every "did you mean" in the program. */

/** Nearest of `known` by edit distance (case ignored), or undefined if nothing is within that share of its length. */
export function nearest(word: string, known: Iterable<string>, { share = 1 / 2 } = {}): string | undefined {
  let best: string | undefined
  let bestDistance = Infinity
  const target = word.slice(0, 100).toLowerCase()
  for (const candidate of known) {
    const distance = editDistance(target, candidate.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best !== undefined && bestDistance <= Math.max(2, best.length * share) ? best : undefined
}

/** Insertions, deletions, substitutions, and neighbours that changed places (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitute = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity
      current.push(Math.min(substitute, swapped, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    before = previous
    previous = current
  }
  return previous[b.length] ?? 0
}

/** `did you mean x?`; undefined when nothing is near. */
export function suggestNearest(word: string, known: Iterable<string>): string | undefined {
  const near = nearest(word, known)
  return near === undefined ? undefined : `did you mean ${near}?`
}

/** The same in brackets, for a sentence without a hint, as the reason of a failed result; '' when nothing is near. */
export function bracketNearest(word: string, known: Iterable<string>): string {
  const suggested = suggestNearest(word, known)
  return suggested === undefined ? '' : ` (${suggested})`
}

/** `did you mean x?`, or the list when nothing is near. */
export function suggestion(word: string, known: readonly string[]): string {
  return suggestNearest(word, known) ?? `known: ${known.slice(0, 40).join(', ')}`
}
