/**
 * Differences between rows of results and a baseline, with their significance: per task over single items, and over all
 * tasks.
 */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { mean, type Scores } from '#core'
import { itemsPath, type ResultPlace } from '#result/ledger'
import { meanScore } from './averages.ts'
import type { Interval } from './bootstrap.ts'
import { comparePairs, type Comparison, pairName, type Side } from './compare.ts'
import { holmBy, signFlip } from './corrected.ts'
import { type ItemDifferences, itemDifferences } from './item-differences.ts'

/** One score minus another. */
export interface Difference {
  /** Name of the other one. */
  readonly against: string
  readonly difference: number | null
  /** 95 % interval of the difference; null without single items, for the reason in `why`. */
  readonly low: number | null
  readonly high: number | null
  readonly p: number | null
  /** Holm's correction over all differences of the call that have a p-value. */
  readonly pHolm: number | null
  readonly why?: string | undefined
}

/** A row minus another one, on a task. */
export interface RowDifference extends Difference {
  readonly name: string
  readonly task: string
  readonly difference: number
  /** Whether the row is the better one: for perplexities, the lower one. */
  readonly ahead: boolean
  readonly lowerIsBetter: boolean
  /** Where requested and stored: on how many items the row is ahead, and which changed most. */
  readonly items?: ItemDifferences | undefined
}

/** Differences of several tasks combined. */
export interface OverTasks {
  readonly tasks: number
  readonly difference: number
  readonly wins: number
  readonly losses: number
  readonly ties: number
  /** By sign flips of the differences. */
  readonly p: number
}

export interface RowOverTasks extends OverTasks {
  readonly name: string
  readonly against: string
  /** Holm's correction over the rows. */
  readonly pHolm: number
}

export interface Differences {
  readonly onTasks: readonly RowDifference[]
  /** Over the tasks that both have, and on which higher is better. */
  readonly overTasks: readonly RowOverTasks[]
}

/** A model, seen through a representation, with its scores by task and the folders of its items. */
export interface ResultRow {
  readonly name: string
  readonly model: string
  readonly revision: string
  readonly representation: string
  readonly scores: ReadonlyMap<string, Scores>
  readonly roots: ReadonlyMap<string, string>
  /** Representation under which a task's result is stored, where it is not the row's. */
  readonly stored?: ReadonlyMap<string, string> | undefined
}

interface DifferencesOptions {
  readonly tasks: readonly { readonly name: string; readonly lowerIsBetter: boolean }[]
  readonly draws?: number | undefined
  readonly seed?: number | undefined
  /** Number of items that changed most, per task and side; none are examined without it. */
  readonly changed?: number | undefined
}

/** Maximum number of rows whose items are resampled on one task: the ones with the highest scores. */
const mostResampled = 60

/** Difference of every row to its baseline; rows without one, and the baselines themselves, are left out. */
export async function differences(
  rows: readonly ResultRow[],
  baseline: (row: ResultRow) => ResultRow | undefined,
  { tasks, ...options }: DifferencesOptions,
): Promise<Differences> {
  const pairs = rows.flatMap((row): Pair[] => {
    const against = baseline(row)
    return against === undefined || against === row ? [] : [{ row, against }]
  })
  const hasItems = itemsFinder()
  const onTasks = (await Promise.all(tasks.map((task) => onTask(task, pairs, { ...options, hasItems })))).flat()
  const corrected = holmBy(new Map(onTasks.flatMap((one) => (one.p === null ? [] : [[one, one.p]]))))
  const byName = new Map<string, typeof onTasks>()
  for (const one of onTasks) {
    if (one.lowerIsBetter) continue
    const own = byName.get(one.name)
    if (own === undefined) byName.set(one.name, [one])
    else own.push(one)
  }
  const over = pairs.flatMap(({ row: { name }, against }) => {
    const own = byName.get(name) ?? []
    return own.length === 0
      ? []
      : [{ name, against: against.name, ...overTasks(own.map(({ difference }) => difference)) }]
  })
  const overCorrected = holmBy(new Map(over.map((one) => [one, one.p])))
  return {
    onTasks: onTasks.map((one) => ({ ...one, pHolm: corrected.get(one) ?? null })),
    overTasks: over.map((one) => ({ ...one, pHolm: overCorrected.get(one) ?? 1 })),
  }
}

/** A comparison as a difference, before correction; undefined comparisons have none. */
export function toDifference(against: string, comparison: Comparison | undefined): Difference {
  return { against, difference: comparison?.difference ?? null, ...certainty(comparison?.interval, comparison?.why) }
}

function certainty(
  interval: Interval | undefined,
  why: string | undefined,
): Omit<Difference, 'against' | 'difference'> {
  return {
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    p: interval?.p ?? null,
    pHolm: null,
    ...(interval === undefined && why !== undefined ? { why } : {}),
  }
}

/** For at least one task. */
export function overTasks(values: readonly number[]): OverTasks {
  return {
    tasks: values.length,
    difference: mean(values),
    wins: values.filter((value) => value > 0).length,
    losses: values.filter((value) => value < 0).length,
    ties: values.filter((value) => value === 0).length,
    p: signFlip(values),
  }
}

interface Pair {
  readonly row: ResultRow
  readonly against: ResultRow
}

async function onTask(
  { name: task, lowerIsBetter }: DifferencesOptions['tasks'][number],
  pairs: readonly Pair[],
  { changed, hasItems, ...draws }: Omit<DifferencesOptions, 'tasks'> & { hasItems: ReturnType<typeof itemsFinder> },
): Promise<RowDifference[]> {
  const own = pairs.filter(({ row, against }) => row.scores.has(task) && against.scores.has(task))
  const score = (row: ResultRow): number => meanScore(row.scores.get(task)) ?? NaN
  const withItems = new Set(own.filter(({ row, against }) => hasItems(row, task) && hasItems(against, task)))
  const drawn = new Set([...withItems].sort((a, b) => score(b.row) - score(a.row)).slice(0, mostResampled))
  const compared = await drawnAgain(task, [...drawn], draws)
  const items = new Map<Pair, ItemDifferences | undefined>()
  if (changed !== undefined)
    for (const pair of withItems)
      items.set(
        pair,
        await itemDifferences(task, sideOf(pair.row, task), sideOf(pair.against, task), { most: changed }),
      )
  const reasonOf = (pair: Pair): string | undefined => {
    if (drawn.has(pair)) return compared.get(pair)?.why
    return withItems.has(pair)
      ? `only the best ${mostResampled} rows are resampled`
      : 'scores of single items are not stored'
  }
  return own.map((pair) => {
    const { row, against } = pair
    const changedItems = items.get(pair)
    return {
      name: row.name,
      task,
      against: against.name,
      difference: score(row) - score(against),
      ahead: lowerIsBetter ? score(row) < score(against) : score(row) > score(against),
      lowerIsBetter,
      ...certainty(compared.get(pair)?.interval, reasonOf(pair)),
      ...(changedItems === undefined ? {} : { items: changedItems }),
    }
  })
}

/** All rows on the same resamples; pair by pair where a row's items differ from the others'. */
async function drawnAgain(
  task: string,
  pairs: readonly Pair[],
  options: Pick<DifferencesOptions, 'draws' | 'seed'>,
): Promise<Map<Pair, Comparison>> {
  const sides = new Map(pairs.flatMap(({ row, against }) => [row, against]).map((row) => [row.name, sideOf(row, task)]))
  const names = (some: readonly Pair[]): [string, string][] => some.map(({ row, against }) => [row.name, against.name])
  const joint = await comparePairs(task, sides, names(pairs), options)
  const found = new Map<Pair, Comparison>()
  for (const pair of pairs) {
    const key = pairName(pair.row.name, pair.against.name)
    const together = joint.get(key)
    const one =
      together?.interval === undefined && pairs.length > 1
        ? (await comparePairs(task, sides, names([pair]), options)).get(key)
        : together
    if (one !== undefined) found.set(pair, one)
  }
  return found
}

function sideOf(row: ResultRow, task: string): Side {
  return { scores: row.scores.get(task) ?? {}, place: placeOn(row, task) }
}

function placeOn({ model, revision, representation, roots, stored }: ResultRow, task: string): ResultPlace {
  return { root: roots.get(task) ?? '', model, revision, representation: stored?.get(task) ?? representation }
}

/** Whether items are stored: a folder that is not there is looked for once, not once per task. */
function itemsFinder(): (row: ResultRow, task: string) => boolean {
  const folders = new Map<string, boolean>()
  return (row, task) => {
    const place = placeOn(row, task)
    const key = [place.root, place.model, place.revision, place.representation].join('\n')
    let isThere = folders.get(key)
    if (isThere === undefined) folders.set(key, (isThere = existsSync(dirname(itemsPath(place, task)))))
    return isThere && existsSync(itemsPath(place, task))
  }
}
