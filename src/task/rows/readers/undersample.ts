/** The few-shot training sets of a classification task: mteb's cumulative shuffle (`_undersample_data`). */
import { randomState } from '#platform/random'
import type { Label } from '../values.ts'

/**
 * Row indexes of each experiment's training set, in training order. Every experiment shuffles the list that the one
 * before left, with a generator freshly seeded with 42, and takes rows while their label has fewer than `perLabel`.
 */
export function undersample(
  labels: readonly Label[],
  { perLabel, experiments }: { perLabel: number; experiments: number },
): number[][] {
  const order = labels.map((_, i) => i)
  return Array.from({ length: experiments }, () => fewOfEach(order, (row) => labels[row], perLabel))
}

/** Shuffles `order` in place with seed 42 and takes its items while their label has fewer than `perLabel`. */
export function fewOfEach(order: number[], labelOf: (item: number) => Label | undefined, perLabel: number): number[] {
  randomState(42).shuffle(order)
  const taken = new Map<Label | undefined, number>()
  return order.filter((item) => {
    const count = taken.get(labelOf(item)) ?? 0
    if (count >= perLabel) return false
    taken.set(labelOf(item), count + 1)
    return true
  })
}

/** Rows that some experiment trains on, ascending. */
export function sampledRows(experiments: readonly (readonly number[])[]): number[] {
  return [...new Set(experiments.flat())].sort((a, b) => a - b)
}
