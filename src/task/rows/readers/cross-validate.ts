/**
 * The folds of a cross-validated classification task: scikit-learn's shuffled `KFold`, and mteb's few-shot samples of
 * what each fold leaves.
 */
import { fault } from '#core'
import { randomState } from '#platform/random'
import type { Label } from '../values.ts'
import { fewOfEach } from './undersample.ts'

export interface Folds {
  /** Rows each fold trains on, in training order. */
  readonly experiments: readonly (readonly number[])[]
  /** Rows each fold is asked about, ascending. */
  readonly tested: readonly (readonly number[])[]
}

/**
 * Both shuffle with seed 42. Samples continue from the list that the previous fold left, which is as long as the one
 * the first fold leaves. Fewer rows than folds: `task.empty`.
 */
export function crossValidate(
  labels: readonly Label[],
  { perLabel, folds, place }: { perLabel: number; folds: number; place: string },
): Folds {
  if (labels.length < folds)
    throw fault('task.empty', { place, what: 'fewer rows than folds', seen: labels.length, wanted: `≥ ${folds}` })
  const order = randomState(42).permutation(labels.length)
  const [size, longer] = [Math.floor(labels.length / folds), labels.length % folds]
  const start = (fold: number): number => fold * size + Math.min(fold, longer)
  const tested = Array.from({ length: folds }, (_, fold) =>
    Array.from(order.subarray(start(fold), start(fold + 1)).sort()),
  )
  const list = Array.from({ length: labels.length - (tested[0]?.length ?? 0) }, (_, i) => i)
  const experiments = tested.map((own) => {
    const left = new Set(own)
    const rest = labels.flatMap((_, row) => (left.has(row) ? [] : [row]))
    const sample = fewOfEach(list, (i) => labels[rest[i] ?? 0], perLabel)
    return sample.map((i) => rest[i] ?? 0)
  })
  return { experiments, tested }
}
