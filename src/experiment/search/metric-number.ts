/** One number of a metric that has several. */
import { isObject } from '#files/formats'

/**
 * The paper's choice comes first: columns centred over the texts, entropies by log N log D, signed angles; the
 * logarithm of a mean of ratios, which is any order of magnitude.
 */
const preferred = ['centred', 'logNlogD', 'entropy', 'raw', 'signed', 'log10_of_mean']

/** Undefined where none of the names exists, and for a number that is not finite. */
export function metricNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (!isObject(value)) return undefined
  const name = preferred.find((one) => one in value)
  return name === undefined ? undefined : metricNumber(value[name])
}
