/** Sums as Python does them. */

/** Mean by a compensated sum (Neumaier), as Python ≥ 3.12 sums floats. */
export function mean(values: readonly number[]): number {
  let [sum, lost] = [0, 0]
  for (const value of values) {
    const next = sum + value
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  return (sum + lost) / values.length
}

/** Population standard deviation, as `numpy.std`. */
export function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}
