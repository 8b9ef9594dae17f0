/**
 * Eigenvalues of a diagonal matrix plus a rank-one one: roots of 1 + ρ Σ z_j² / (d_j − λ). Li 1993 (LAPACK working note
 * 89), the "middle way", kept within brackets.
 */

export interface Root {
  /** The pole that the root is measured from … */
  readonly pole: number
  /** … and its distance from it, to full relative accuracy. */
  readonly distance: number
}

const iterations = 100

/**
 * Root i of n: between d_i and d_{i+1}, the last one within ρ‖z‖² above d_{n−1}. d ascends strictly, no z is 0, ρ > 0.
 */
export function secularRoot(d: Float64Array, z: Float64Array, rho: number, i: number): Root {
  const n = d.length
  const last = i === n - 1
  let square = 0
  if (last) for (let j = 0; j < n; j++) square += z[j]! * z[j]!
  const gap = last ? rho * square : d[i + 1]! - d[i]!
  // from the nearer pole: f rises from −∞ to +∞ in between
  const left = last || valueAt(d, z, rho, d[i]!, gap / 2) >= 0
  const pole = left ? i : i + 1
  const origin = d[pole]!
  let [lower, upper] = left ? [0, last ? gap : gap / 2] : [-gap / 2, 0]
  let x = (lower + upper) / 2
  for (let step = 0; step < iterations; step++) {
    // ψ: poles up to i, φ: the others; with derivatives one by one: taken from an array they would stay tagged, and the
    // sums take half as long again
    let psi = 0
    let psiSlope = 0
    let phi = 0
    let phiSlope = 0
    for (let j = 0; j <= i; j++) {
      const t = z[j]! / (d[j]! - origin - x)
      psi += z[j]! * t
      psiSlope += t * t
    }
    for (let j = i + 1; j < n; j++) {
      const t = z[j]! / (d[j]! - origin - x)
      phi += z[j]! * t
      phiSlope += t * t
    }
    const f = 1 + rho * (psi + phi)
    if (Math.abs(f) <= 2 * Number.EPSILON * (1 + rho * (phi - psi))) break
    if (f < 0) lower = x
    else upper = x
    const near = d[i]! - origin - x
    let next = x
    if (last) {
      const weight = rho * psiSlope * near * near
      next = x + near + weight / (f - weight / near)
    } else {
      const far = d[i + 1]! - origin - x
      const slope = rho * (psiSlope + phiSlope)
      const a = (near + far) * f - near * far * slope
      const b = near * far * f
      const c = f - rho * (near * psiSlope + far * phiSlope)
      const root = Math.sqrt(Math.max(0, a * a - 4 * b * c))
      next = x + (a <= 0 ? (a - root) / (2 * c) : (2 * b) / (a + root))
    }
    if (!(next > lower && next < upper)) next = (lower + upper) / 2
    if (next === x || upper - lower <= Number.EPSILON * Math.abs(x)) break
    x = next
  }
  return { pole, distance: x }
}

function valueAt(d: Float64Array, z: Float64Array, rho: number, origin: number, x: number): number {
  let sum = 0
  for (let j = 0; j < d.length; j++) sum += (z[j]! * z[j]!) / (d[j]! - origin - x)
  return 1 + rho * sum
}
