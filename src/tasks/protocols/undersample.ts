/** The few-shot training sets of a classification task: mteb's cumulative shuffle (`_undersample_data`). */
import { randomState } from '../../core/index.ts'
import type { Label } from '../values.ts'

/**
 * Row indexes of each experiment's training set, in training order. Every experiment shuffles the list that the one before left, with a generator freshly
 * seeded with 42, and takes rows while their label has fewer than `perLabel`.
 */
export function undersample(labels: readonly Label[], { perLabel, experiments }: { perLabel: number; experiments: number }): number[][] {
  const order = labels.map((_, i) => i)
  return Array.from({ length: experiments }, () => {
    randomState(42).shuffle(order)
    const taken = new Map<Label | undefined, number>()
    return order.filter((row) => {
      const count = taken.get(labels[row]) ?? 0
      if (count >= perLabel) return false
      taken.set(labels[row], count + 1)
      return true
    })
  })
}

/** Rows that some experiment trains on, ascending. */
export function sampledRows(experiments: readonly (readonly number[])[]): number[] {
  return [...new Set(experiments.flat())].sort((a, b) => a - b)
}
