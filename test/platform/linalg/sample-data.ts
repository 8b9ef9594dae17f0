/**
 * Reference answers of oracles/linalg.py (NumPy 2.4.6, SciPy 1.17.1, scikit-learn 1.8.0) and the data they belong
 * to.
 */
import { matrix, type Matrix } from '#core'
import { type RandomState, randomState } from '#platform/random'
import { goldenOf } from '../../golden-of.ts'

export interface DataShape {
  n: number
  d: number
  K: number
  seed: number
  noise: number
  scale: number
  unit: boolean
}

export interface Golden {
  fits: {
    data: DataShape
    train: number
    classes: number[]
    n_iter: number
    coef: number[]
    stride: number
    intercept: number[]
    predictions: number[]
  }[]
  minima: {
    name: string
    start: number[]
    options: Record<string, number>
    x: number[]
    value: number
    iterations: number
    evaluations: number
  }[]
  paired: Record<'cosine' | 'manhattan' | 'euclidean' | 'dot' | 'ranks', number[]> & {
    pearson: number
    spearman: number
  }
}

export const golden = goldenOf<Golden>('platform/linalg', 'linalg')

/** Noisy copies of K random centres, drawn as the script draws them; `draws` goes on from there. */
export function sampleData({ n, d, K, seed, noise, scale, unit }: DataShape): {
  x: Matrix
  labels: number[]
  draws: RandomState
} {
  const draws = randomState(seed)
  const centres = draws.randomSample(K * d).map((value) => value - 0.5)
  const labels = draws.randint(0, K, n)
  const jitter = draws.randomSample(n * d).map((value) => value - 0.5)
  const x = matrix(n, d)
  labels.forEach((label, i) => {
    const row = Array.from({ length: d }, (_, k) =>
      Math.fround((centres[label * d + k] ?? 0) + noise * (jitter[i * d + k] ?? 0)),
    )
    const norm = unit ? Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)) : 1
    row.forEach((value, k) => (x.data[i * d + k] = scale * (value / norm)))
  })
  return { x, labels, draws }
}
