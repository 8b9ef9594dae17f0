/** SiLU, x · σ(x) with the logistic function σ (Elfwing et al. 2017). */

/** σ(x) of each x. */
export function logisticShares(x: Float64Array): Float64Array {
  const out = new Float64Array(x.length)
  for (let k = 0; k < x.length; k++) out[k] = 1 / (1 + Math.exp(-x[k]!))
  return out
}

/** Gradient with respect to x: times σ(x) · (1 + x · (1 − σ(x))), in place. */
export function siluBackward(gradient: Float64Array, x: Float64Array, shares: Float64Array): void {
  for (let k = 0; k < x.length; k++) gradient[k] = gradient[k]! * shares[k]! * (1 + x[k]! * (1 - shares[k]!))
}
