/**
 * Kendall's τ-b: pairs of things that both sides order alike, less those ordered the other way, ties counted exactly.
 */

/**
 * τ-b of two lists in O(n log n): Knight 1966, JASA 61(314); ties as scipy.stats.kendalltau has them. NaN where one
 * side is constant, or of fewer than two.
 */
export function kendall(x: readonly number[], y: readonly number[]): number {
  const n = Math.min(x.length, y.length)
  if (n < 2) return NaN
  const at = (values: readonly number[], i: number): number => values[i] ?? NaN
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => at(x, a) - at(x, b) || at(y, a) - at(y, b))
  const left = order.map((i) => at(x, i))
  const right = order.map((i) => at(y, i))
  if (left.some(Number.isNaN) || right.some(Number.isNaN)) return NaN
  const pairs = (n * (n - 1)) / 2
  const tiedLeft = tiedPairs(n, (i) => left[i] === left[i - 1])
  const tiedBoth = tiedPairs(n, (i) => left[i] === left[i - 1] && right[i] === right[i - 1])
  const discordant = sortCounting(right)
  const tiedRight = tiedPairs(n, (i) => right[i] === right[i - 1])
  const concordantLess = pairs - tiedLeft - tiedRight + tiedBoth - 2 * discordant
  const tau = concordantLess / Math.sqrt((pairs - tiedLeft) * (pairs - tiedRight))
  return Number.isFinite(tau) ? Math.max(-1, Math.min(1, tau)) : NaN
}

/** Pairs inside runs of equals. */
function tiedPairs(n: number, same: (i: number) => boolean): number {
  let [total, run] = [0, 0]
  for (let i = 1; i < n; i++) {
    run = same(i) ? run + 1 : 0
    total += run
  }
  return total
}

/** Sorts in place by merging, and counts the pairs that stood the wrong way round. */
function sortCounting(values: number[]): number {
  let swaps = 0
  let [from, to] = [values.slice(), values.slice()]
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length)
      const end = Math.min(start + 2 * width, values.length)
      let [a, b] = [start, middle]
      for (let k = start; k < end; k++) {
        const [one, other] = [from[a] ?? NaN, from[b] ?? NaN]
        if (a < middle && (b >= end || one <= other)) {
          to[k] = one
          a++
        } else {
          to[k] = other
          b++
          swaps += middle - a
        }
      }
    }
    ;[from, to] = [to, from]
  }
  from.forEach((value, i) => (values[i] = value))
  return swaps
}
