/**
 * Averages over the tasks that every compared model completed, with the missing ones listed; mteb's means and Borda
 * ranks.
 */
import { meanOfAll, type Scores } from '#core'
import { averageRanks } from '#platform/linalg'

/** A requested task, in the splits and subsets that count; without these, in those of the result. */
export interface AveragedTask {
  readonly name: string
  readonly type: string
  readonly splits?: readonly string[] | undefined
  readonly subsets?: readonly string[] | undefined
}

/** One compared model, seen through one representation. */
export interface Contender {
  readonly name: string
  /** Task → scores of a finished result. A task without a result is absent. */
  readonly scores: ReadonlyMap<string, Scores>
  /** Task → why it has no scores: a failure's reason, `not run`. */
  readonly reasons?: ReadonlyMap<string, string>
}

export interface AverageRow {
  readonly name: string
  /** Tasks that this contender completed. */
  readonly completed: number
  /** Mean over the tasks that all completed; null when there are none. */
  readonly meanTask: number | null
  /** Mean of the means of the types. */
  readonly meanType: number | null
  readonly byType: Readonly<Record<string, number | null>>
  /** Rank by Borda count over the common tasks, 1 is the best; null for a single contender. */
  readonly borda: number | null
}

export interface Averages {
  /** Number of requested tasks. */
  readonly total: number
  /** Tasks that every contender completed, in the order of the request. */
  readonly common: readonly string[]
  readonly complete: boolean
  readonly types: readonly { readonly type: string; readonly done: number; readonly of: number }[]
  readonly missing: readonly { readonly task: string; readonly who: readonly string[]; readonly reason: string }[]
  readonly rows: readonly AverageRow[]
}

/**
 * The score of a task: the mean of its main scores over the (split, subset) pairs that count, in 0 … 1. Undefined when
 * one of them is missing or has no score, or when there is none.
 *
 * @example
 * ```ts
 * import { meanScore } from 'strata-lm/statistics'
 *
 * const part = (hf_subset: string, main_score: number) => ({ hf_subset, main_score, languages: ['eng-Latn'] })
 * console.log(meanScore({ test: [part('en', 0.8), part('de', 0.6)] }, { subsets: ['en'] })) // → 0.8
 * ```
 */
export function meanScore(
  scores: Scores | undefined,
  { splits, subsets }: Pick<AveragedTask, 'splits' | 'subsets'> = {},
): number | undefined {
  if (scores === undefined) return undefined
  const values: (number | null | undefined)[] = []
  for (const split of splits ?? Object.keys(scores)) {
    const entries = scores[split] ?? []
    if (subsets === undefined && entries.length === 0) return undefined
    for (const subset of subsets ?? entries.map(({ hf_subset: name }) => name))
      values.push(entries.find(({ hf_subset: name }) => name === subset)?.main_score)
  }
  if (values.length === 0 || values.some((value) => typeof value !== 'number' || !Number.isFinite(value)))
    return undefined
  return meanOfAll(values as number[]) ?? undefined
}

/**
 * Compares contenders on the requested tasks, as mteb's leaderboard does: means over the tasks that all of them
 * completed, by task and by type, Borda ranks, and the missing tasks.
 *
 * @example
 * ```ts
 * import { averagesOf } from 'strata-lm/statistics'
 *
 * const scores = (value: number) => ({ test: [{ hf_subset: 'default', main_score: value, languages: ['eng-Latn'] }] })
 * const { rows } = averagesOf(
 *   [{ name: 'STS17', type: 'STS' }],
 *   [
 *     { name: 'one', scores: new Map([['STS17', scores(0.8)]]) },
 *     { name: 'two', scores: new Map([['STS17', scores(0.9)]]) },
 *   ],
 * )
 * console.log(rows.map(({ name, meanTask, borda }) => `${name} ${meanTask} ${borda}`))
 * // → [ 'one 0.8 2', 'two 0.9 1' ]
 * ```
 */
export function averagesOf(tasks: readonly AveragedTask[], contenders: readonly Contender[]): Averages {
  /** [tasks][contenders] */
  const scores = tasks.map((task) => contenders.map((contender) => meanScore(contender.scores.get(task.name), task)))
  const places = tasks.map((_, at) => at)
  const isCommon = scores.map((row) => contenders.length > 0 && !row.includes(undefined))
  const common = places.filter((at) => isCommon[at])
  const types = [...new Set(tasks.map(({ type }) => type))].map((type) => {
    const own = places.filter((at) => tasks[at]?.type === type)
    return { type, of: own.length, done: own.filter((at) => isCommon[at]) }
  })
  const borda = bordaRanks(common.map((at) => (scores[at] ?? []).map((score) => score ?? 0)))
  return {
    total: tasks.length,
    common: common.map((at) => tasks[at]?.name ?? ''),
    complete: common.length === tasks.length && tasks.length > 0,
    types: types.map(({ type, of, done }) => ({ type, done: done.length, of })),
    missing: tasks.flatMap(({ name }, at) => {
      const who = contenders.filter((_, i) => scores[at]?.[i] === undefined)
      const [first] = who
      return first === undefined
        ? []
        : [{ task: name, who: who.map((one) => one.name), reason: first.reasons?.get(name) ?? 'no result' }]
    }),
    rows: contenders.map(({ name }, i) => {
      const of = (some: readonly number[]): number | null => meanOfAll(some.map((at) => scores[at]?.[i] ?? NaN))
      const byType = Object.fromEntries(types.map(({ type, done }) => [type, of(done)]))
      return {
        name,
        completed: scores.filter((row) => row[i] !== undefined).length,
        meanTask: of(common),
        meanType: meanOfAll(Object.values(byType).flatMap((value) => value ?? [])),
        byType,
        borda: contenders.length > 1 && common.length > 0 ? (borda[i] ?? null) : null,
      }
    }),
  }
}

/**
 * Ranks by Borda count of the contenders, one column each: in each row of scores a contender gets (contenders − average
 * rank) points; NaN is below every score. Ties in the sum take the smaller rank.
 *
 * @example
 * ```ts
 * import { bordaRanks } from 'strata-lm/statistics'
 *
 * const tasks = [
 *   [0.8, 0.9, 0.7],
 *   [0.6, 0.7, 0.8],
 * ]
 * console.log(bordaRanks(tasks)) // → [ 3, 1, 2 ]
 * ```
 */
export function bordaRanks(rows: readonly (readonly number[])[]): number[] {
  const points = new Float64Array(rows[0]?.length ?? 0)
  for (const row of rows) {
    // the rank from below, less one, is what the count from above leaves
    const ranks = averageRanks(row.map((score) => (Number.isNaN(score) ? -Infinity : score)))
    for (let i = 0; i < points.length; i++) points[i]! += ranks[i]! - 1
  }
  const ordered = points.toSorted()
  return Array.from(points, (own) => 1 + points.length - countAtMost(ordered, own))
}

/** How many of the ascending values are not above the bound. */
function countAtMost(ascending: Float64Array, bound: number): number {
  let [from, to] = [0, ascending.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (ascending[middle]! <= bound) from = middle + 1
    else to = middle
  }
  return from
}
