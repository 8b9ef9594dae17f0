/**
 * Which texts run together: sorted by length, under a budget of padded tokens, one rotary regime per batch. A pure plan
 * over lengths.
 */

/**
 * Indexes grouped into batches, longest texts first.
 *
 * @param lengths tokens of each text, special tokens included
 * @param budget padded tokens of a batch (rows × longest); a longer text gets a batch of its own. 512–1,024 was fastest
 * for a 6×384
 *   encoder on 2 cores: larger batches fall out of the cache, smaller ones pay the call.
 * @param regime texts of different regimes never share a batch (rotary scalings that depend on the longest sequence)
 */
export function planBatches(
  lengths: ArrayLike<number>,
  {
    budget = 1024,
    regime = () => 0,
  }: { budget?: number | undefined; regime?: ((length: number) => number) | undefined } = {},
): number[][] {
  const order = Array.from(lengths, (_, index) => index).sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0) || a - b)
  const batches: number[][] = []
  let current: number[] = []
  let longest = 0
  for (const index of order) {
    const length = Math.max(1, lengths[index] ?? 0)
    const fits = current.length > 0 && (current.length + 1) * longest <= budget && regime(length) === regime(longest)
    if (!fits) {
      current = []
      longest = length
      batches.push(current)
    }
    current.push(index)
  }
  return batches
}

/** Padded tokens over real tokens: 1 is no padding at all. */
export function paddingRatio(batches: readonly (readonly number[])[], lengths: ArrayLike<number>): number {
  let [padded, real] = [0, 0]
  for (const batch of batches) {
    padded += batch.length * Math.max(...batch.map((index) => lengths[index] ?? 0))
    for (const index of batch) real += lengths[index] ?? 0
  }
  return real === 0 ? 1 : padded / real
}
