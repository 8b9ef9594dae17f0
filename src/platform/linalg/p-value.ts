/** Two-sided p-values of correlations, t statistics and normal deviates, as scipy.stats gives them. */

/**
 * Two-sided p-value of a correlation `r` of `n` independent pairs: the chance of one at least as far from 0, by
 * Student's t with n − 2 degrees of freedom – the incomplete beta function I at 1 − r² with parameters (n − 2)/2 and ½.
 * NaN for fewer than three pairs.
 *
 * @example
 * ```ts
 * import { correlationPValue } from 'strata-lm/linalg'
 *
 * console.log(correlationPValue(0.9, 10).toExponential(2)) // → 3.87e-4
 * ```
 */
export function correlationPValue(r: number, n: number): number {
  if (n < 3 || Number.isNaN(r)) return NaN
  const freedom = n - 2
  // (1 − r)(1 + r) keeps the digits that 1 − r² loses near 1
  return incompleteBeta(Math.max(0, (1 - r) * (1 + r)), freedom / 2, 0.5)
}

/**
 * Two-sided p-value of Student's t with `freedom` degrees of freedom. NaN for fewer than one.
 *
 * @example
 * ```ts
 * import { studentPValue } from 'strata-lm/linalg'
 *
 * console.log(studentPValue(2.5, 10).toFixed(4)) // → 0.0314
 * ```
 */
export function studentPValue(t: number, freedom: number): number {
  if (freedom < 1 || Number.isNaN(t)) return NaN
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5)
}

/**
 * Two-sided p-value of a standard normal deviate: the complementary error function at |z| / √2.
 *
 * @example
 * ```ts
 * import { normalPValue } from 'strata-lm/linalg'
 *
 * console.log(normalPValue(1.96).toFixed(4)) // → 0.0500
 * ```
 */
export function normalPValue(z: number): number {
  const half = (z * z) / 2
  if (Number.isNaN(half)) return NaN
  return half < 1.5 ? 1 - lowerGamma(half) : upperGamma(half)
}

/** Regularised lower incomplete gamma function at parameter ½, by its series. */
function lowerGamma(x: number): number {
  if (x === 0) return 0
  let [term, sum] = [2, 2]
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= x / (n + 0.5)
    sum += term
  }
  return sum * Math.sqrt(x / Math.PI) * Math.exp(-x)
}

/** Its complement by the continued fraction (Numerical Recipes §6.2), for arguments that are not small. */
function upperGamma(x: number): number {
  const tiny = 1e-300
  let b = x + 0.5
  let c = 1 / tiny
  let d = 1 / b
  let value = d
  for (let n = 1; n <= 10_000; n++) {
    const a = -n * (n - 0.5)
    b += 2
    d = 1 / (a * d + b)
    c = b + a / c
    value *= d * c
    if (Math.abs(d * c - 1) < 1e-16) break
  }
  return value * Math.sqrt(x / Math.PI) * Math.exp(-x)
}

/** Regularised incomplete beta function by its continued fraction (Numerical Recipes §6.4). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b))
  // the fraction converges fast on one side of the mean only
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const safe = (value: number): number => (Math.abs(value) < tiny ? tiny : value)
  let [c, d] = [1, 1 / safe(1 - ((a + b) * x) / (a + 1))]
  let value = d
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / safe(1 + even * d)
    c = safe(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / safe(1 + odd * d)
    c = safe(1 + odd / c)
    value *= d * c
    if (Math.abs(d * c - 1) < 1e-15) break
  }
  return value
}

/** Logarithm of the gamma function for positive arguments: shifted above 10, then Stirling's series. */
function logGamma(argument: number): number {
  let [x, shift] = [argument, 0]
  for (; x < 10; x++) shift += Math.log(x)
  const inverse = 1 / (x * x)
  const series =
    (1 / 12 -
      inverse *
        (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse * (1 / 1188 - (inverse * 691) / 360_360))))) /
    x
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series - shift
}
