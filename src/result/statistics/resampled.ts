/** Which resamples of a correlation make an interval: where many say nothing, the others are no sample of it. */

export interface Resampled {
  /** Bounds of 95 % of the resamples; NaN where there is no interval. */
  readonly low: number
  readonly high: number
  /** Share of the resamples that are constant on one side, and so have no correlation. */
  readonly constant: number
}

/**
 * Share of constant resamples up to which there is an interval. Three different pairs lose one resample in nine by
 * themselves; more than a fifth comes from ties, and leaves out the very resamples that are closest to no correlation.
 */
const mostConstant = 0.2

/** `found`: of every resample, in any order; NaN where it is constant. `at`: a quantile of sorted values. */
export function resampled(
  found: readonly number[],
  value: number,
  at: (sorted: readonly number[], share: number) => number,
): Resampled {
  const known = found.filter(Number.isFinite).sort((a, b) => a - b)
  const constant = (found.length - known.length) / found.length
  const [low, high] = [at(known, 0.025), at(known, 0.975)]
  // rounding of a sum in another order may move a bound by as much
  const holds = low <= value + 1e-12 && value <= high + 1e-12
  return constant <= mostConstant && holds ? { low, high, constant } : { low: NaN, high: NaN, constant }
}
