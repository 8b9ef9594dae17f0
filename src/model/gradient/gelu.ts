/**
 * GELU with the exact normal distribution: x · Φ(x), Hendrycks & Gimpel 2016. Φ is a Taylor polynomial about the
 * nearest of a table's points, whose values are `normalPValue`'s.
 */
import { normalPValue } from '#platform/linalg'

/** Points per unit: the series' first term left out is below 1e-15. */
const perUnit = 64
/** Beyond, Φ is 0 or 1 to 1e-18. */
const reach = 9

/** Values of Φ and of the density at −9, −9 + 1/64, …, 9. */
let table: { readonly below: Float64Array; readonly density: Float64Array } | undefined

/** Φ(x) of each x, the chance that a standard normal draw is smaller. */
export function normalShares(x: Float64Array): Float64Array {
  const { below, density } = (table ??= makeTable())
  const out = new Float64Array(x.length)
  for (let k = 0; k < x.length; k++) {
    const value = x[k]!
    if (!(Math.abs(value) < reach)) {
      // NaN stays NaN
      out[k] = Math.sign(value) / 2 + 0.5
      continue
    }
    const place = Math.round((value + reach) * perUnit)
    const at = place / perUnit - reach
    const step = value - at
    // Derivatives of the density are Hermite polynomials times it
    const [second, third] = [at * at - 1, at * (3 - at * at)]
    const fourth = at * at * (at * at - 6) + 3
    const series = 1 + step * (-at / 2 + step * (second / 6 + step * (third / 24 + step * (fourth / 120))))
    out[k] = below[place]! + density[place]! * step * series
  }
  return out
}

/** Gradient with respect to x: times Φ(x) + x · φ(x), in place. */
export function geluBackward(gradient: Float64Array, x: Float64Array, shares: Float64Array): void {
  for (let k = 0; k < x.length; k++) {
    const value = x[k]!
    gradient[k] = gradient[k]! * (shares[k]! + value * densityAt(value))
  }
}

function densityAt(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}

function makeTable(): NonNullable<typeof table> {
  const points = Float64Array.from({ length: 2 * reach * perUnit + 1 }, (_, k) => k / perUnit - reach)
  return {
    below: points.map((x) => (x < 0 ? normalPValue(x) / 2 : 1 - normalPValue(x) / 2)),
    density: points.map(densityAt),
  }
}
