/**
 * Whether two scores rank the same models alike, and how likely chance would do so: τ-b or ρ, permutation p, bootstrap
 * over models.
 */
import { quantile } from '#core'
import { kendall, spearman } from '#platform/linalg'
import { randomState, type RandomState } from '#platform/random'
import { type Resampled, resampled } from './resampled.ts'

export type AssociationMethod = 'kendall' | 'spearman'

export interface Association extends Resampled {
  readonly count: number
  /** NaN where one side is constant. */
  readonly value: number
  /** Two-sided; over every permutation of up to 7 models, otherwise over seeded ones and the observed one. */
  readonly p: number
}

interface AssociationOptions {
  method?: AssociationMethod | undefined
  draws?: number | undefined
  seed?: number | undefined
}

/** Maximum number of models for which every order is tried: 5,040 orders. */
const exactModels = 7

export function chooseMeasure(method: AssociationMethod): (x: readonly number[], y: readonly number[]) => number {
  switch (method) {
    case 'kendall':
      return kendall
    case 'spearman':
      return spearman
    default:
      return method satisfies never
  }
}

/**
 * Whether two lists of scores rank the same models alike: τ-b or ρ, its two-sided p-value by permutation (every order
 * of up to 7 models, otherwise seeded draws), and its 95 % interval by bootstrap over the models; none of fewer than
 * three.
 *
 * @example
 * ```ts
 * import { association } from 'strata-lm/statistics'
 *
 * const { value, p } = association([0.61, 0.7, 0.78, 0.74, 0.66], [61, 68, 80, 75, 70])
 * console.log(value.toFixed(2), p.toFixed(3)) // → 0.80 0.083
 * ```
 */
export function association(
  x: readonly number[],
  y: readonly number[],
  { method = 'kendall', draws = 2000, seed = 42 }: AssociationOptions = {},
): Association {
  const count = Math.min(x.length, y.length)
  const measure = chooseMeasure(method)
  const value = measure(x, y)
  if (Number.isNaN(value)) return { count, value, p: NaN, low: NaN, high: NaN, constant: 0 }
  // a value 1e-12 smaller counts as equal: rounding of a sum in another order
  const reaches = (order: readonly number[]): boolean => Math.abs(measure(x, order)) >= Math.abs(value) - 1e-12
  const p = permutationP(y, reaches, draws, seed)
  if (count < 3) return { count, value, p, low: NaN, high: NaN, constant: 0 }
  const random = randomState(seed)
  const found: number[] = []
  for (let draw = 0; draw < draws; draw++) {
    const rows = Array.from({ length: count }, () => below(random, count))
    const one = measure(
      rows.map((row) => x[row] ?? NaN),
      rows.map((row) => y[row] ?? NaN),
    )
    found.push(one)
  }
  return { count, value, p, ...resampled(found, value, quantile) }
}

/** Share of the orders of `y` for which it holds. */
function permutationP(
  y: readonly number[],
  reaches: (order: readonly number[]) => boolean,
  draws: number,
  seed: number,
): number {
  if (y.length <= exactModels) {
    let [reached, all] = [0, 0]
    for (const order of permutations(y)) {
      all++
      if (reaches(order)) reached++
    }
    return reached / all
  }
  const random = randomState(seed)
  const shuffled = [...y]
  let reached = 1
  for (let draw = 0; draw < draws; draw++) {
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = below(random, i + 1)
      ;[shuffled[i], shuffled[j]] = [shuffled[j] ?? NaN, shuffled[i] ?? NaN]
    }
    if (reaches(shuffled)) reached++
  }
  return reached / (draws + 1)
}

function* permutations(values: readonly number[]): Generator<number[]> {
  if (values.length <= 1) yield [...values]
  for (const [at, first] of values.entries()) {
    if (values.length <= 1) return
    for (const rest of permutations(values.toSpliced(at, 1))) yield [first, ...rest]
  }
}

function below(random: RandomState, n: number): number {
  return Math.floor((random.word() / 2 ** 32) * n)
}
