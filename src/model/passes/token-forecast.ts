/** Tokens of texts that are not tokenised yet: the time left goes by tokens, and the longest texts come first. */

/**
 * Tokens of a letter at least: English has some 0.25, other languages more. Long texts show less only where they are
 * cut.
 */
const leastPerLetter = 0.2

/**
 * For `texts` that pass the model longest first: after every batch it says how many tokens have passed and about how
 * many there will be in all.
 */
export function forecastTokens(
  texts: readonly string[],
): (rows: number, tokens: number) => { done: number; total: number } {
  const letters = Float64Array.from(texts, ({ length }) => length)
    .sort()
    .reverse()
  const sums = new Float64Array(letters.length + 1)
  letters.forEach((count, index) => (sums[index + 1] = (sums[index] ?? 0) + count))
  const between = (from: number, to: number): number => (sums[to] ?? 0) - (sums[from] ?? 0)
  let [passed, done, longest] = [0, 0, 0]

  return (rows, tokens) => {
    const from = passed
    passed = Math.min(letters.length, passed + rows)
    done += tokens
    // What long texts are cut to.
    longest = Math.max(longest, tokens / rows)
    const perLetter = Math.max(leastPerLetter, tokens / Math.max(1, between(from, passed)))
    const cut = firstBelow(letters, longest / perLetter, passed)
    return { done, total: done + (cut - passed) * longest + between(cut, letters.length) * perLetter }
  }
}

/** Index from `from` on of the first of the falling values that is below `bound`. */
function firstBelow(falling: Float64Array, bound: number, from: number): number {
  let [low, high] = [from, falling.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((falling[middle] ?? 0) < bound) high = middle
    else low = middle + 1
  }
  return low
}
