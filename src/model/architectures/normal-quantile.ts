/** The x below which a standard normal variable lies with probability p, 0 < p < 1. */
export function normalQuantile(p: number): number {
  if (p < 0.5) return -normalQuantile(1 - p)
  // Newton's steps from the mean never pass the root: the distribution is concave above it.
  let x = 0
  for (let step = 0; step < 100; step++) x -= (distribution(x) - p) / density(x)
  return x
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}

/** Marsaglia 2004: ½ + φ(x) · (x + x³/3 + x⁵/(3·5) + …). */
function distribution(x: number): number {
  let [sum, term] = [x, x]
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (x * x) / odd
    sum += term
  }
  return 0.5 + density(x) * sum
}
