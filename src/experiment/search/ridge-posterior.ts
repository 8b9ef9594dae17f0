/** Rewards as a linear function of features: the posterior after some pulls. */
import { symmetricEigen } from '#platform/linalg'
import type { Context } from './context.ts'
import type { Pull } from './policy.ts'

export interface RidgePosterior {
  /** θ = A⁻¹b with A = I + Σ x xᵀ and b = Σ r x over the pulls. */
  readonly theta: readonly number[]
  /** √(xᵀA⁻¹x). */
  readonly deviationOf: (x: readonly number[]) => number
  /** θ + scale · A^−½ z: for independent normal z, a draw from N(θ, scale² A⁻¹). */
  readonly drawn: (z: readonly number[], scale: number) => readonly number[]
}

/** Ridge 1. Pulls of arms without features or without a reward are ignored. */
export async function ridgePosterior(context: Context, pulls: readonly Pull[]): Promise<RidgePosterior> {
  const width = context.find((x) => x !== undefined)?.length ?? 0
  const a = Array.from({ length: width }, (_, i) => Array.from({ length: width }, (_, j): number => (i === j ? 1 : 0)))
  const b = Array.from({ length: width }, () => 0)
  for (const { arm, reward } of pulls) {
    const x = context[arm]
    if (x === undefined || reward === undefined) continue
    for (const [i, row] of a.entries()) {
      for (const [j, other] of x.entries()) row[j] = (row[j] ?? 0) + (x[i] ?? 0) * other
      b[i] = (b[i] ?? 0) + reward * (x[i] ?? 0)
    }
  }
  const { values, vectors } = await symmetricEigen({ rows: width, width, data: Float64Array.from(a.flat()) })
  const axes = Array.from(values, (value, k) => ({
    value,
    axis: Array.from(vectors.data.subarray(k * width, (k + 1) * width)),
  }))
  /** Σ weight(λ, k) q over the axes. */
  const along = (weight: (value: number, axis: readonly number[], k: number) => number): number[] => {
    const sum = Array.from({ length: width }, () => 0)
    for (const [k, { value, axis }] of axes.entries()) {
      const by = weight(value, axis, k)
      for (const [i, entry] of axis.entries()) sum[i] = (sum[i] ?? 0) + by * entry
    }
    return sum
  }
  const theta = along((value, axis) => dot(axis, b) / value)
  return {
    theta,
    deviationOf: (x) => Math.sqrt(axes.reduce((sum, { value, axis }) => sum + dot(axis, x) ** 2 / value, 0)),
    drawn(z, scale) {
      const noise = along((value, _, k) => (scale * (z[k] ?? 0)) / Math.sqrt(value))
      return theta.map((mean, i) => mean + (noise[i] ?? 0))
    },
  }
}

export function dot(x: readonly number[], y: readonly number[]): number {
  return x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
}
