/**
 * Compares two results of one task: the difference over the parts that both scored, and whether it exceeds chance where
 * single items are stored.
 */
import { stat } from 'node:fs/promises'
import { meanOfAll, type Scores } from '#core'
import { readColumns } from '#files/tables'
import { type Interval, makeInterval, isTooFew, itemsIn, jointDraws, type JointPart } from './bootstrap.ts'
import { type ItemColumns, findStatistic } from './item-statistics.ts'
import { itemsPath, type ResultPlace } from '#result/ledger'

/** Scores of a task, and the location of its items if they are stored. */
export interface Side {
  readonly scores: Scores
  readonly place?: ResultPlace
}

export interface Comparison {
  readonly task: string
  /** Means of the main scores over the parts that both have; null when there are none. */
  readonly ours: number | null
  readonly theirs: number | null
  readonly difference: number | null
  /** Number of parts (split, subset) that both scored, and number of ours. */
  readonly parts: number
  readonly of: number
  /**
   * Interval of the difference; absent where items are missing or do not add up to the scores, for the reason in `why`.
   */
  readonly interval?: Interval
  readonly why?: string
}

/**
 * Compares two results of a task by split and subset: the difference of their means over the parts that both have, and
 * its 95 % interval and p-value by paired bootstrap over the items, where both have stored them. Reads the items of
 * both sides.
 *
 * @example
 * ```ts
 * import { listResults } from 'strata-lm/ledger'
 * import { compareTask } from 'strata-lm/statistics'
 *
 * const [theirs, ours] = (await listResults('results')).map(({ model, revision, representation, result }) => ({
 *   scores: result?.scores ?? {},
 *   place: { root: 'results', model, revision, representation },
 * }))
 * const { difference, interval } = await compareTask('STS17', ours!, theirs!)
 * console.log(difference?.toFixed(3), interval?.p.toFixed(3)) // → -0.169 0.000
 * ```
 */
export async function compareTask(
  task: string,
  ours: Side,
  theirs: Side,
  { interval = true, ...options }: Draws & { interval?: boolean } = {},
): Promise<Comparison> {
  const scores = [listParts(ours.scores), listParts(theirs.scores)] as const
  const keys = sharedKeys(scores)
  const plain = plainComparison(task, keys, scores)
  if (!interval || keys.length === 0) return plain
  if (ours.place === undefined || theirs.place === undefined) return { ...plain, why: 'no single items were published' }
  const sides = new Map([
    ['ours', ours],
    ['theirs', theirs],
  ])
  const found = await comparePairs(task, sides, [['ours', 'theirs']], options)
  return found.get(pairName('ours', 'theirs')) ?? plain
}

interface Draws {
  readonly draws?: number | undefined
  readonly seed?: number | undefined
}

/**
 * Compares several pairs of results of one task on the same resamples: for each pair the answer of `compareTask`, in
 * the time of one comparison. `pairName` makes the keys from both names; pairs with an unknown name are left out.
 *
 * @example
 * ```ts
 * import { listResults } from 'strata-lm/ledger'
 * import { comparePairs, pairName } from 'strata-lm/statistics'
 *
 * const sides = new Map(
 *   (await listResults('results')).map(({ model, revision, representation, result }) => [
 *     representation,
 *     { scores: result?.scores ?? {}, place: { root: 'results', model, revision, representation } },
 *   ]),
 * )
 * const compared = await comparePairs('STS17', sides, [['default', 'h3']])
 * console.log(compared.get(pairName('default', 'h3'))?.difference?.toFixed(3)) // → 0.169
 * ```
 */
export async function comparePairs(
  task: string,
  sides: ReadonlyMap<string, Side>,
  pairs: readonly (readonly [string, string])[],
  options: Draws = {},
): Promise<Map<string, Comparison>> {
  const known = pairs.filter(([a, b]) => sides.has(a) && sides.has(b))
  const names = [...new Set(known.flat())]
  const scores = new Map(names.map((name) => [name, listParts(sides.get(name)?.scores ?? {})]))
  const keys = sharedKeys([...scores.values()])
  const joint = await jointParts(task, keys, names, sides, scores)
  const parts = typeof joint === 'string' ? [] : joint
  const draws = jointDraws(parts, options)
  const found = new Map<string, Comparison>()
  for (const [a, b] of known) {
    const plain = plainComparison(task, keys, [scores.get(a) ?? new Map(), scores.get(b) ?? new Map()])
    const [own, other] = [draws[names.indexOf(a)], draws[names.indexOf(b)]]
    const interval = own === undefined || other === undefined ? undefined : makeInterval(own, other, itemsIn(parts))
    const why = typeof joint === 'string' ? joint : whyNone(joint)
    found.set(pairName(a, b), interval === undefined ? { ...plain, why } : { ...plain, interval })
  }
  return found
}

/**
 * Scores of a task on resamples of its items, [draws] by side, the same resamples for all; or why there are none. The
 * sides must have scored the same items.
 */
export async function drawTask(
  task: string,
  sides: ReadonlyMap<string, Side>,
  options: Draws = {},
): Promise<{ readonly draws: ReadonlyMap<string, Float64Array>; readonly items: number } | string> {
  const names = [...sides.keys()]
  const scores = new Map(Array.from(sides, ([name, side]) => [name, listParts(side.scores)]))
  const parts = await jointParts(task, sharedKeys([...scores.values()]), names, sides, scores)
  if (typeof parts === 'string') return parts
  const drawn = jointDraws(parts, options)
  if (drawn.length === 0) return whyNone(parts)
  return { draws: new Map(names.map((name, at) => [name, drawn[at] ?? new Float64Array(0)])), items: itemsIn(parts) }
}

type PartScores = ReadonlyMap<string, number>

/** Parts that all have, in the order of the first. */
function sharedKeys(all: readonly PartScores[]): string[] {
  return [...(all[0]?.keys() ?? [])].filter((key) => all.every((scores) => scores.has(key)))
}

/** The comparison over the parts that count, without an interval. */
function plainComparison(
  task: string,
  keys: readonly string[],
  [own, others]: readonly [PartScores, PartScores],
): Comparison {
  const meanOf = (scores: PartScores): number | null => meanOfAll(keys.map((key) => scores.get(key) ?? NaN))
  const [ours, theirs] = [meanOf(own), meanOf(others)]
  const difference = ours === null || theirs === null ? null : ours - theirs
  return { task, ours, theirs, difference, parts: keys.length, of: own.size }
}

function whyNone(parts: readonly { readonly items: number }[]): string {
  return isTooFew(parts)
    ? 'a part has a single item, so there is nothing to resample'
    : 'the score is undefined on resamples of the items'
}

/**
 * The key of a pair in the return value of `comparePairs`.
 *
 * @example
 * ```ts
 * import { pairName } from 'strata-lm/statistics'
 *
 * console.log(pairName('one', 'two') === pairName('two', 'one')) // → false
 * ```
 */
export function pairName(ours: string, theirs: string): string {
  return `${ours}\n${theirs}`
}

/** Every common part as all sides' statistics on the same items, or the reason against it. */
async function jointParts(
  task: string,
  keys: readonly string[],
  names: readonly string[],
  sides: ReadonlyMap<string, Side>,
  scores: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Promise<JointPart[] | string> {
  const items = await Promise.all(
    names.map(async (name) => sides.get(name)?.place && (await readItems(sides.get(name)?.place as ResultPlace, task))),
  )
  if (items.includes(undefined)) return 'scores of single items are not stored'
  const parts: JointPart[] = []
  for (const key of keys) {
    const own = items.map((one) => one?.get(key))
    const [first] = own
    if (
      own.some(
        (one) => one === undefined || first === undefined || rowsIn(one) !== rowsIn(first) || !sameItems(first, one),
      )
    )
      return 'the items of the two differ'
    // equal columns share one array, so that their ranks on a resample are computed once
    const same = Object.fromEntries(itemNames(first ?? {}).map((name) => [name, first?.[name] ?? []]))
    const found = own.map(
      (one, i) => one && findStatistic({ ...one, ...same }, scores.get(names[i] ?? '')?.get(key) ?? NaN),
    )
    if (found.some((one) => one === undefined || one.name !== found[0]?.name))
      return 'the score is not a function of the stored items'
    parts.push({ items: rowsIn(first), statistics: found.flatMap((one) => (one === undefined ? [] : [one.statistic])) })
  }
  return parts
}

/**
 * One result by itself: every part as a statistic of its items. Undefined where they are not stored or do not add up to
 * the score.
 */
export async function itemParts({
  task,
  scores,
  place,
}: {
  task: string
  scores: Scores
  place: ResultPlace
}): Promise<JointPart[] | undefined> {
  const items = await readItems(place, task)
  const parts: JointPart[] = []
  for (const [key, score] of listParts(scores)) {
    const own = items?.get(key)
    const found = own && findStatistic(own, score)
    if (found === undefined) return undefined
    parts.push({ items: rowsIn(own), statistics: [found.statistic] })
  }
  return parts
}

/** Columns that identify the item of a row: texts, and human judgements. */
export function sameItems(a: ItemColumns, b: ItemColumns): boolean {
  return itemNames(a).every((name) => a[name]?.every((value, i) => value === b[name]?.[i]))
}

function itemNames(columns: ItemColumns): string[] {
  return Object.keys(columns).filter(
    (name) => name === 'gold' || name === 'label' || columns[name]?.some((value) => typeof value === 'string'),
  )
}

export function rowsIn(columns: ItemColumns | undefined): number {
  return Math.max(0, ...Object.values(columns ?? {}).map(({ length }) => length))
}

/** Items by split and subset. */
export async function readItems(
  place: ResultPlace,
  task: string,
): Promise<Map<string, Record<string, unknown[]>> | undefined> {
  const path = itemsPath(place, task)
  if ((await stat(path).catch(() => undefined)) === undefined) return undefined
  const { rows, columns } = await readColumns([path], { format: 'parquet', place: path })
  const names = Object.keys(columns).filter((name) => name !== 'split' && name !== 'subset')
  const parts = new Map<string, Record<string, unknown[]>>()
  for (let i = 0; i < rows; i++) {
    const key = partKey(String(columns['split']?.[i]), String(columns['subset']?.[i]))
    const part = parts.get(key) ?? Object.fromEntries(names.map((name) => [name, []]))
    parts.set(key, part)
    for (const name of names) part[name]?.push(columns[name]?.[i])
  }
  // a column of another part of the task is null here
  return new Map(
    [...parts].map(([key, part]) => [
      key,
      Object.fromEntries(Object.entries(part).filter(([, values]) => values.some((value) => value !== null))),
    ]),
  )
}

export function listParts(scores: Scores): Map<string, number> {
  return new Map(
    Object.entries(scores).flatMap(([split, subsets]) =>
      subsets.flatMap(({ hf_subset: subset, main_score: score }): [string, number][] =>
        score === null ? [] : [[partKey(split, subset), score]],
      ),
    ),
  )
}

function partKey(split: string, subset: string): string {
  return `${split}\n${subset}`
}
