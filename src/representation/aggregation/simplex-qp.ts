/**
 * Maximise qᵀw − λ wᵀAw over w ≥ 0, Σw = 1, exactly: an active-set method whose every step solves the
 * equality-constrained problem on a support.
 */
import { fault } from '#core'

export interface SimplexOptimum {
  readonly weights: Float64Array
  readonly objective: number
  /** Largest violation of the optimality conditions: |q_i − 2λ(Aw)_i − μ| on the support, its positive part off it. */
  readonly residual: number
}

/** Gradients this close count as equal: 1e-13 of the largest entry leaves room for the rounding of n products. */
const slack = 1e-13

/** `a`: [n × n], symmetric and positive definite where λ > 0. */
export function maximiseOnSimplex(q: Float64Array, a: Float64Array, lambda: number): SimplexOptimum {
  const n = q.length
  const gradientOf = (w: Float64Array): Float64Array => q.map((value, i) => value - 2 * lambda * dotRow(a, i, w))
  let best = 0
  const alone = (i: number): number => q[i]! - lambda * a[i * n + i]!
  for (let i = 1; i < n; i++) if (alone(i) > alone(best)) best = i
  let support = [best]
  let weights = new Float64Array(n)
  weights[best] = 1
  const scale = Math.max(...q.map(Math.abs), 2 * lambda * Math.max(...a.map(Math.abs)), Number.MIN_VALUE)
  // each support is visited once; without degeneracy far fewer than this
  for (let step = 0; step < 50 * (n + 1); step++) {
    const gradient = gradientOf(weights)
    const mu = support.reduce((sum, i) => sum + weights[i]! * gradient[i]!, 0)
    const rest = Array.from(q.keys()).filter((i) => !support.includes(i))
    const entering = rest.reduce<number | undefined>(
      (most, i) => (most === undefined || gradient[i]! > gradient[most]! ? i : most),
      undefined,
    )
    if (entering === undefined || gradient[entering]! - mu <= slack * scale) return report()
    support = [...support, entering]
    for (;;) {
      const wanted = solveOn(support)
      const crossing = support
        .map((i, k) => ({ i, at: wanted[k]! > 0 ? Infinity : weights[i]! / (weights[i]! - wanted[k]!) }))
        .reduce((first, one) => (one.at < first.at ? one : first))
      const share = Math.min(1, crossing.at)
      const moved = new Float64Array(n)
      support.forEach((i, k) => (moved[i] = weights[i]! + share * (wanted[k]! - weights[i]!)))
      weights = moved
      if (share === 1) break
      weights[crossing.i] = 0
      support = support.filter((i) => i !== crossing.i)
    }
  }
  return report()

  function report(): SimplexOptimum {
    const gradient = gradientOf(weights)
    const mu = weights.reduce((sum, weight, i) => sum + weight * gradient[i]!, 0)
    const violations = gradient.map((value, i) => (weights[i]! > 0 ? Math.abs(value - mu) : Math.max(0, value - mu)))
    const objective = weights.reduce((sum, weight, i) => sum + weight * (q[i]! - lambda * dotRow(a, i, weights)), 0)
    return { weights, objective, residual: Math.max(...violations) }
  }

  /** Weights on the support that solve the problem without the bounds: 2λ A w + μ 1 = q, Σ w = 1. */
  function solveOn(on: readonly number[]): Float64Array {
    if (lambda === 0) return oneAt(on)
    const factor = choleskyOf(on.map((i) => on.map((j) => a[i * n + j]!)))
    const [u, v] = [
      solve(
        factor,
        on.map((i) => q[i]!),
      ),
      solve(
        factor,
        on.map(() => 1),
      ),
    ]
    const mu = (sum(u) - 2 * lambda) / sum(v)
    return Float64Array.from(u, (value, k) => (value - mu * v[k]!) / (2 * lambda))
  }

  function oneAt(on: readonly number[]): Float64Array {
    const most = on.reduce((first, i) => (q[i]! > q[first]! ? i : first), on[0] ?? 0)
    return Float64Array.from(on, (i) => Number(i === most))
  }
}

function dotRow(a: Float64Array, i: number, w: Float64Array): number {
  let total = 0
  for (let j = 0; j < w.length; j++) total += a[i * w.length + j]! * w[j]!
  return total
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Lower factor; throws `internal` for a matrix that is not positive definite, which callers have mended. */
function choleskyOf(a: readonly (readonly number[])[]): number[][] {
  const factor: number[][] = []
  for (const [i, row] of a.entries()) {
    const own: number[] = []
    for (let j = 0; j <= i; j++) {
      let value = row[j]!
      for (let k = 0; k < j; k++) value -= own[k]! * (j === i ? own[k]! : factor[j]![k]!)
      if (j < i) own.push(value / factor[j]![j]!)
      else if (value > 0) own.push(Math.sqrt(value))
      else throw fault('internal', { place: 'simplex', what: 'the matrix is not positive definite' })
    }
    factor.push(own)
  }
  return factor
}

function solve(factor: readonly (readonly number[])[], b: readonly number[]): number[] {
  const y: number[] = []
  for (const [i, row] of factor.entries()) y.push((b[i]! - sum(y.map((value, k) => value * row[k]!))) / row[i]!)
  const x = y.map(() => 0)
  for (let i = y.length - 1; i >= 0; i--) {
    let value = y[i]!
    for (let k = i + 1; k < y.length; k++) value -= factor[k]![i]! * x[k]!
    x[i] = value / factor[i]![i]!
  }
  return x
}
