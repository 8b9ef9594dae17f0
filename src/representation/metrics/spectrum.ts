/** Spectra of representations, and their entropies in nats. */
import type { Matrix64 } from '#core'
import { svd, symmetricValues, timesTransposed, transposed } from '#platform/linalg'
import { centredColumns } from './rows.ts'

/**
 * Eigenvalues of the smaller Gram matrix, descending; rounding below 0 is 0. Those of the larger one are the same, and
 * zeros.
 */
export async function gramSpectrum(x: Matrix64): Promise<Float64Array> {
  return spectrumOf(await smallerGram(x))
}

/** The smaller of x xᵀ and xᵀ x. */
export async function smallerGram(x: Matrix64): Promise<Matrix64> {
  const side = x.rows <= x.width ? x : transposed(x)
  return { rows: side.rows, width: side.rows, data: await timesTransposed(side, side) }
}

/** Eigenvalues of a symmetric matrix, descending, those below 0 as 0. */
export async function spectrumOf(symmetric: Matrix64): Promise<Float64Array> {
  return (await symmetricValues(symmetric)).map((value) => Math.max(0, value))
}

/** Eigenvalues of the sample covariance (ddof 1), descending, [width]. */
export async function covarianceSpectrum(x: Matrix64): Promise<Float64Array> {
  const values = await gramSpectrum(centredColumns(x))
  const out = new Float64Array(x.width)
  values.subarray(0, x.width).forEach((value, i) => (out[i] = value / (x.rows - 1)))
  return out
}

/** Descending, those above rounding. */
export async function singularValues(x: Matrix64): Promise<Float64Array> {
  return (await svd(x)).s
}

/** −Σ p ln p of values scaled to sum 1; those at or below `floor`, as shares, are dropped. All zero: 0. */
export function entropyOf(values: ArrayLike<number>, floor = 0): number {
  const sum = Array.from(values).reduce((total, value) => total + value, 0)
  if (!(sum > 0)) return 0
  let entropy = 0
  for (let i = 0; i < values.length; i++) {
    const p = values[i]! / sum
    if (p > floor) entropy -= p * Math.log(p)
  }
  return entropy
}

/** Entropy of the Gram matrix of the rows (von Neumann, order 1). */
export async function gramEntropy(x: Matrix64): Promise<number> {
  return entropyOf(await gramSpectrum(x))
}

/** An entropy of [n × width], as the published files scale it. NaN where a logarithm is 0. */
export function scaled(
  entropy: number,
  n: number,
  width: number,
): Readonly<Record<'raw' | 'maxEntropy' | 'logN' | 'logD' | 'logNlogD' | 'length', number>> {
  const [logN, logD] = [Math.log(n), Math.log(width)]
  return {
    raw: entropy,
    maxEntropy: entropy / Math.min(logN, logD),
    logN: entropy / logN,
    logD: entropy / logD,
    logNlogD: entropy / (logN * logD),
    length: entropy / n,
  }
}
