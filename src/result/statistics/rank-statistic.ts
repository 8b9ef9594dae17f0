/** Spearman's correlation of resampled items. */
import { openRankSums, rankLanes, rankPlaces, type RankSums } from '#platform/linalg'
import type { Statistic } from './bootstrap.ts'

/** More items are resampled one by one: 64 bytes per item stay with the process. */
const mostTogether = 2 ** 18

/**
 * Spearman's correlation with average ranks; the order of the values is computed once for all resamples, and the
 * weighted ranks of a resample of `y` once for all statistics that share the array.
 */
export function rankCorrelation(x: readonly number[], y: readonly number[]): Statistic {
  const { order, ends } = runsOf(x)
  const places = rankPlaces(order, ends)
  const ranksY = weightedRanks(y)
  const one = (counts: ArrayLike<number>): number => {
    const { weighted, squares } = ranksY(counts)
    // read from an array they would stay tagged in this loop, at two and a half times the time
    let before = 0
    let across = 0
    let own = 0
    let tied = 0
    let others = 0
    for (let at = 0; at < order.length; at++) {
      const item = order[at]!
      tied += counts[item]!
      others += weighted[item]!
      if (ends[at] !== at + 1) continue
      const rank = before + (tied + 1) / 2
      across += rank * others
      own += tied * rank * rank
      before += tied
      tied = others = 0
    }
    return correlation({ count: before, across, own, squares })
  }
  const several = (resamples: readonly ArrayLike<number>[]): readonly number[] => {
    if (resamples.length !== rankLanes || x.length > mostTogether || x.length === 0) return resamples.map(one)
    const { memory, squares } = weightedTogether(y, resamples)
    const sums = memory.sums(places)
    return squares.map((sum, k) =>
      correlation({
        count: sums[k]!,
        across: sums[rankLanes + k]!,
        own: sums[2 * rankLanes + k]!,
        squares: sum,
      }),
    )
  }
  return Object.assign(one, { several })
}

/**
 * Ranks are 1 … n, with or without ties; they are multiples of a half, and all sums are exact up to 100,000 items.
 */
function correlation({
  count,
  across,
  own,
  squares,
}: Readonly<Record<'count' | 'across' | 'own' | 'squares', number>>) {
  const means = (count * (count + 1) ** 2) / 4
  return (across - means) / Math.sqrt((own - means) * (squares - means))
}

interface Together {
  readonly y: readonly number[]
  readonly resamples: readonly ArrayLike<number>[]
  readonly memory: RankSums
  /** Sum of squared ranks, resample by resample. */
  readonly squares: readonly number[]
}

/** The latest resamples, of which statistics of many systems follow each other. */
let latest: Together | undefined

function weightedTogether(y: readonly number[], resamples: readonly ArrayLike<number>[]): Together {
  if (latest?.y === y && latest.resamples === resamples) return latest
  const memory = memoryFor(y.length)
  const { cells } = memory
  const ranksY = weightedRanks(y)
  const squares = resamples.map((counts, k) => {
    const found = ranksY(counts)
    for (let item = 0; item < counts.length; item++) {
      cells[2 * rankLanes * item + k] = counts[item]!
      cells[2 * rankLanes * item + rankLanes + k] = found.weighted[item]!
    }
    return found.squares
  })
  latest = { y, resamples, memory, squares }
  return latest
}

/** Memory for this many items; the latest resamples are forgotten first, since opening another may fail. */
function memoryFor(items: number): RankSums {
  const last = latest
  latest = undefined
  if (last?.y.length === items) return last.memory
  last?.memory.release()
  return openRankSums(items)
}

interface Runs {
  readonly order: Int32Array
  /** For each position in the order, the end of the run of equal values that begins there. */
  readonly ends: Int32Array
}

function runsOf(values: readonly number[]): Runs {
  const order = Int32Array.from(ascending(values))
  const ends = new Int32Array(order.length)
  for (let at = order.length - 1; at >= 0; at--)
    ends[at] = at + 1 < order.length && values[order[at + 1]!] === values[order[at]!] ? ends[at + 1]! : at + 1
  return { order, ends }
}

/**
 * Ranks on a resample, these times the counts, and the sum of their squares times the counts. Overwritten by the next
 * resample.
 */
interface WeightedRanks {
  readonly ranks: Float64Array
  readonly weighted: Float64Array
  readonly squares: number
}

const known = new WeakMap<readonly number[], (counts: ArrayLike<number>) => WeightedRanks>()

/** Ties of a resample share their mean rank. */
export function weightedRanks(values: readonly number[]): (counts: ArrayLike<number>) => WeightedRanks {
  const found = known.get(values) ?? ranking(values)
  known.set(values, found)
  return found
}

function ranking(values: readonly number[]): (counts: ArrayLike<number>) => WeightedRanks {
  const { order, ends } = runsOf(values)
  const [ranks, weighted] = [new Float64Array(values.length), new Float64Array(values.length)]
  let last: { readonly of: ArrayLike<number>; readonly found: WeightedRanks } | undefined
  return (counts) => {
    if (last?.of === counts) return last.found
    let before = 0
    let squares = 0
    for (let start = 0; start < order.length;) {
      const end = ends[start]!
      let tied = 0
      for (let k = start; k < end; k++) tied += counts[order[k]!]!
      const rank = before + (tied + 1) / 2
      for (let k = start; k < end; k++) {
        const item = order[k]!
        ranks[item] = rank
        weighted[item] = rank * counts[item]!
      }
      squares += tied * rank * rank
      before += tied
      start = end
    }
    last = { of: counts, found: { ranks, weighted, squares } }
    return last.found
  }
}

/** Places of values in ascending order. */
export function ascending(values: readonly number[]): number[] {
  return values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
}
