/**
 * Means, deviations and quantiles. Sums run from the first value to the last, as NumPy's do of few values; those that
 * Python makes are compensated, and have names of their own.
 */

/** NaN of none. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] ?? NaN
  return sum / values.length
}

/** Null of none, and where a value is missing: the mean of the others would be of something else. */
export function meanOfAll(values: readonly (number | null)[]): number | null {
  return values.length === 0 || values.includes(null) ? null : mean(values as readonly number[])
}

/** √(Σ (value − mean)² / n), as `numpy.std`. NaN of none. */
export function populationDeviation(values: ArrayLike<number>, middle = mean(values)): number {
  return Math.sqrt(squaresAround(values, middle) / values.length)
}

/** √(Σ (value − mean)² / (n − 1)), as `statistics.stdev`. NaN of fewer than two. */
export function sampleDeviation(values: ArrayLike<number>, middle = mean(values)): number {
  return Math.sqrt(squaresAround(values, middle) / (values.length - 1))
}

function squaresAround(values: ArrayLike<number>, middle: number): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += ((values[i] ?? NaN) - middle) ** 2
  return sum
}

/** Sum as Python ≥ 3.12 makes it of floats: compensated (Neumaier 1974). */
export function compensatedSum(values: ArrayLike<number>): number {
  let sum = 0
  let lost = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN
    const next = sum + value
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  return Number.isFinite(lost) ? sum + lost : sum
}

/** NaN of none. */
export function compensatedMean(values: ArrayLike<number>): number {
  return compensatedSum(values) / values.length
}

/** Population deviation of which both sums are compensated. */
export function compensatedDeviation(values: readonly number[]): number {
  const middle = compensatedMean(values)
  return Math.sqrt(compensatedMean(values.map((value) => (value - middle) ** 2)))
}

/** A quantile of sorted values, linear between the two nearest, from the lower one up. NaN of none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1)
  const [low = NaN, high = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  // equal infinities have no difference
  return low === high ? low : low + (high - low) * (at - Math.floor(at))
}

/** The same to the bit as `numpy.quantile`, which goes from the nearer of the two: for edges that values lie on. */
export function numpyQuantile(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const [below = NaN, above = NaN, part] = [sorted[low], sorted[Math.min(low + 1, sorted.length - 1)], at - low]
  return part < 0.5 ? below + (above - below) * part : above - (above - below) * (1 - part)
}
