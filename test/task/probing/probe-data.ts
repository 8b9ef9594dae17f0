/** The data that oracles/probes.py draws. */
import type { Matrix } from '#core'
import { randomState } from '#platform/random'

export interface DrawnData {
  readonly n: number
  readonly d: number
  readonly K: number
  readonly seed: number
  readonly noise: number
}

export function probeData({ n, d, K, seed, noise }: DrawnData): { x: Matrix; targets: Float64Array } {
  const random = randomState(seed)
  const weights = random.randomSample(K * d).map((value) => value - 0.5)
  const data = Float32Array.from(random.randomSample(n * d), (value) => value - 0.5)
  const errors = random.randomSample(n * K).map((value) => noise * (value - 0.5))
  const targets = Float64Array.from({ length: n }, (_, row) => {
    const scores = Array.from({ length: K }, (_unused, k) => {
      let score = errors[row * K + k] ?? 0
      for (let i = 0; i < d; i++) score += (data[row * d + i] ?? 0) * (weights[k * d + i] ?? 0)
      return score
    })
    return K === 1 ? (scores[0] ?? 0) : scores.indexOf(Math.max(...scores))
  })
  return { x: { rows: n, width: d, data }, targets }
}
