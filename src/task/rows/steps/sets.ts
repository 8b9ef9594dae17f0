/** Consecutive rows put together: every row then holds lists, one set of the older clustering protocol. */
import { fault } from '#core'
import type { Rows } from '../dataset.ts'
import { eachSplit, type StepKind } from './step.ts'

export type Sets =
  /** Sets of `size` rows, the first `first` of them; the last set may be shorter. */
  | { readonly size: number; readonly first: number }
  /** This many sets, as even as can be, the longer ones first (`numpy.array_split`). */
  | { readonly count: number }

export const sets: StepKind<Sets> = {
  before: (wanted) => wanted,
  apply: (splits, spec) => eachSplit(splits, (rows) => gathered(rows, bounds(rows, spec))),
}

function gathered(rows: Rows, ranges: readonly (readonly [from: number, to: number])[]): Rows {
  const columns = Object.entries(rows.columns).map(
    ([name, values]) => [name, ranges.map(([from, to]) => values.slice(from, to))] as const,
  )
  return { ...rows, rows: ranges.length, columns: Object.fromEntries(columns) }
}

function bounds({ rows, place }: Rows, spec: Sets): [number, number][] {
  if ('count' in spec) {
    const [short, longer] = [Math.floor(rows / spec.count), rows % spec.count]
    const start = (set: number): number => set * short + Math.min(set, longer)
    return Array.from({ length: spec.count }, (_, set) => [start(set), start(set + 1)])
  }
  if (!(spec.size > 0)) throw fault('internal', { place, what: 'a set has no size', seen: spec })
  return Array.from({ length: Math.min(spec.first, Math.ceil(rows / spec.size)) }, (_, set) => [
    set * spec.size,
    Math.min(rows, (set + 1) * spec.size),
  ])
}
