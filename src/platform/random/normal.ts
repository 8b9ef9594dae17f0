/** Normal deviates from uniform words. */

/** One number of N(0, 1) from two uniform 32-bit words: the cosine half of Box & Muller 1958. */
export function normalOf(first: number, second: number): number {
  return Math.sqrt(-2 * Math.log(openFraction(first))) * Math.cos(2 * Math.PI * openFraction(second))
}

/** A word as a number in (0, 1): never 0, whose logarithm is not finite. */
export function openFraction(word: number): number {
  return (word + 0.5) / 2 ** 32
}
