/** Two results of one task, item by item: on how many each is ahead, and which changed most. */
import { readItems, listParts, rowsIn, sameItems, type Side } from './compare.ts'
import { findStatistic } from './item-statistics.ts'

export interface ItemDifference {
  readonly split: string
  readonly subset: string
  /** Index among the items of the part, from 0. */
  readonly item: number
  /** Number of items of the part. */
  readonly of: number
  /** Query of a search. */
  readonly query?: string | undefined
  readonly ours: number
  readonly theirs: number
  /** The statistic that the values contribute to: `mean of correct`, `rank correlation`. */
  readonly measure: string
}

export interface ItemDifferences {
  readonly better: number
  readonly worse: number
  readonly same: number
  /**
   * The items where ours is furthest ahead and furthest behind: at most `most` each, in the order of the difference,
   * then of the items.
   */
  readonly changed: readonly ItemDifference[]
}

/**
 * On which items of a task one result is better than another: how many, and the `most` that differ most on either side.
 * For a correlation, the value of an item is how near it comes to its rank. Undefined where the items of the two
 * differ, are not stored, or do not add up to the scores.
 *
 * @example
 * ```ts
 * import { listResults } from 'strata-lm/ledger'
 * import { itemDifferences } from 'strata-lm/statistics'
 *
 * const [theirs, ours] = (await listResults('results')).map(({ model, revision, representation, result }) => ({
 *   scores: result?.scores ?? {},
 *   place: { root: 'results', model, revision, representation },
 * }))
 * const found = await itemDifferences('STS17', ours!, theirs!)
 * console.log(found?.better, found?.worse, found?.same) // → 85 164 1
 * ```
 */
export async function itemDifferences(
  task: string,
  ours: Side,
  theirs: Side,
  { most = 3 }: { most?: number } = {},
): Promise<ItemDifferences | undefined> {
  const [own, others] = [
    ours.place && (await readItems(ours.place, task)),
    theirs.place && (await readItems(theirs.place, task)),
  ]
  const [ownScores, otherScores] = [listParts(ours.scores), listParts(theirs.scores)]
  const all: ItemDifference[] = []
  for (const [key, score] of ownScores) {
    const otherScore = otherScores.get(key)
    if (otherScore === undefined) continue
    const [a, b] = [own?.get(key), others?.get(key)]
    if (a === undefined || b === undefined || rowsIn(a) !== rowsIn(b) || !sameItems(a, b)) return undefined
    const [left, right] = [findStatistic(a, score), findStatistic(b, otherScore)]
    if (left === undefined || right === undefined || left.name !== right.name) return undefined
    const [leftValues, rightValues] = [left.values(), right.values()]
    const [split = '', subset = ''] = key.split('\n')
    leftValues.forEach((value, item) => {
      const query = a['query']?.[item]
      all.push({
        split,
        subset,
        item,
        of: leftValues.length,
        ...(typeof query === 'string' ? { query } : {}),
        ours: value,
        theirs: rightValues[item] ?? value,
        measure: left.name,
      })
    })
  }
  if (all.length === 0) return undefined
  const gain = ({ ours: value, theirs: other }: ItemDifference): number => value - other
  // ties keep the order of the items
  const sorted = all.filter((one) => gain(one) !== 0).sort((x, y) => gain(y) - gain(x))
  const [ahead, behind] = [sorted.filter((one) => gain(one) > 0), sorted.filter((one) => gain(one) < 0)]
  return {
    better: ahead.length,
    worse: behind.length,
    same: all.length - sorted.length,
    changed: [...ahead.slice(0, most), ...behind.sort((x, y) => gain(x) - gain(y)).slice(0, most)],
  }
}
