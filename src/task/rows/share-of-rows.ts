/** A share of a part's rows, drawn so that a larger share holds every smaller one. */
import { fingerprint } from '#core'
import { defaultRng } from '#platform/random'
import type { PartOf } from './loaded-task.ts'

/**
 * Row numbers of a share of the rows, at least one, in their own order. The draw is the part's own: of its task, split
 * and subset.
 */
export function shareOfRows(
  rows: number,
  share: number,
  task: string,
  { split, subset }: Pick<PartOf, 'split' | 'subset'>,
): number[] {
  const draw = defaultRng(Number.parseInt(fingerprint([task, split, subset]).slice(0, 12), 16))
  return Array.from(draw.permutation(rows).slice(0, Math.ceil(share * rows))).sort((a, b) => a - b)
}

/** Entries of a list at these rows. */
export function at<Entry>(list: readonly Entry[], rows: readonly number[]): Entry[] {
  return rows.flatMap((row) => list.slice(row, row + 1))
}
