/** Every row held against a baseline: task by task over single items, and over all tasks together. */
import { existsSync } from 'node:fs'
import { fault, suggestion } from '#core'
import { itemsPath } from '#result/ledger'
import {
  comparePairs,
  type Comparison,
  holm,
  type ItemDifferences,
  itemDifferences,
  meanScore,
  pairName,
  type Side,
  signFlip,
} from '#result/statistics'
import type { ReportTask, Scored } from './collect.ts'
import { rowsMeant } from './rows-meant.ts'

export interface HeldOnTask {
  readonly name: string
  readonly task: string
  readonly against: string
  readonly difference: number
  /** The row is the better one: a perplexity is so when it is lower. */
  readonly ahead: boolean
  readonly lowerIsBetter: boolean
  /** Of the difference, 95 %; null without single items, `why` says why. */
  readonly low: number | null
  readonly high: number | null
  readonly p: number | null
  /** Holm's correction over every row and task that has a p. */
  readonly pHolm: number | null
  readonly why?: string | undefined
  /** Where asked for and kept: on how many items the row is ahead, and which changed most. */
  readonly items?: ItemDifferences | undefined
}

export interface HeldOverTasks {
  readonly name: string
  readonly against: string
  /** Tasks that both have. */
  readonly tasks: number
  readonly difference: number
  readonly wins: number
  readonly losses: number
  readonly ties: number
  readonly p: number
  /** Holm's correction over the rows. */
  readonly pHolm: number
}

export interface Held {
  /** What is compared with: a representation of each row's own model, one row, or the row with the best mean. */
  readonly baseline: string
  readonly chosen: 'asked' | 'default' | 'best'
  readonly onTasks: readonly HeldOnTask[]
  readonly overTasks: readonly HeldOverTasks[]
}

/** Rows of which single items are drawn again, on one task; of more, those with the highest scores. */
const mostResampled = 60

/**
 * Undefined for a single row. `means`: of each row over the tasks that all have. Throws `usage.value` for a baseline
 * that is not there.
 */
export async function heldAgainst(
  rows: readonly Scored[],
  { tasks, means, baseline, draws, seed, changed }: HeldOptions,
): Promise<Held | undefined> {
  const found = baselineOf(rows, means, baseline)
  if (found === undefined) return undefined
  const pairs = rows.flatMap((row) => {
    const against = found.of(row)
    return against === undefined || against === row ? [] : [{ row, against }]
  })
  const onTasks = (await Promise.all(tasks.map((task) => onTask(task, pairs, { draws, seed, changed })))).flat()
  const asked = onTasks.filter(({ p }) => p !== null)
  const corrected = new Map(holm(asked.map(({ p }) => p ?? 1)).map((p, i) => [asked[i], p]))
  const over = pairs.flatMap(({ row, against }) =>
    overTasks(
      onTasks.filter(({ name, lowerIsBetter }) => name === row.name && !lowerIsBetter),
      row,
      against,
    ),
  )
  const overCorrected = holm(over.map(({ p }) => p))
  return {
    baseline: found.name,
    chosen: found.chosen,
    onTasks: onTasks.map((one) => ({ ...one, pHolm: corrected.get(one) ?? null })),
    overTasks: over.map((one, i) => ({ ...one, pHolm: overCorrected[i] ?? 1 })),
  }
}

interface HeldOptions {
  readonly tasks: readonly ReportTask[]
  readonly means: ReadonlyMap<string, number | null>
  readonly baseline?: string | undefined
  readonly draws?: number | undefined
  readonly seed?: number | undefined
  /** Items that changed most, of each task and on either side; without it none are looked at. */
  readonly changed?: number | undefined
}

interface Baseline {
  readonly name: string
  readonly chosen: Held['chosen']
  of(row: Scored): Scored | undefined
}

/**
 * `REP`: that representation of each row's own model; a row's name, or `model[@revision]#REP`: that row for all.
 * Without one `default`, else the best mean.
 */
function baselineOf(
  rows: readonly Scored[],
  means: HeldOptions['means'],
  asked: string | undefined,
): Baseline | undefined {
  const own =
    (representation: string): Baseline['of'] =>
    (row) =>
      rows.find(
        (other) =>
          other.model === row.model && other.revision === row.revision && other.representation === representation,
      )
  const has = (representation: string): boolean => rows.some((row) => row.representation === representation)
  if (asked !== undefined) {
    if (has(asked)) return { name: asked, chosen: 'asked', of: own(asked) }
    const one = rows.find(({ name }) => name === asked) ?? rowsMeant(rows, asked)[0]
    if (one !== undefined) return { name: one.name, chosen: 'asked', of: () => one }
    const known = [...new Set(rows.flatMap((row) => [row.representation, row.name]))]
    throw fault('usage.value', {
      place: '--baseline',
      what: 'no results of this representation',
      seen: asked,
      hint: suggestion(asked, known),
    })
  }
  if (rows.length < 2) return undefined
  if (has('default') && rows.some(({ representation }) => representation !== 'default'))
    return { name: 'default', chosen: 'default', of: own('default') }
  const best = rows.reduce((top, row) =>
    (means.get(row.name) ?? -Infinity) > (means.get(top.name) ?? -Infinity) ? row : top,
  )
  return means.get(best.name) == null ? undefined : { name: best.name, chosen: 'best', of: () => best }
}

interface Pair {
  readonly row: Scored
  readonly against: Scored
}

async function onTask(
  { name: task, lowerIsBetter }: ReportTask,
  pairs: readonly Pair[],
  { changed, ...draws }: Pick<HeldOptions, 'draws' | 'seed' | 'changed'>,
): Promise<HeldOnTask[]> {
  const own = pairs.filter(({ row, against }) => row.scores.has(task) && against.scores.has(task))
  const score = (row: Scored): number => meanScore(row.scores.get(task)) ?? NaN
  const kept = own.filter(({ row, against }) => hasItems(row, task) && hasItems(against, task))
  const drawn = new Set(kept.toSorted((a, b) => score(b.row) - score(a.row)).slice(0, mostResampled))
  const compared = await drawnAgain(task, [...drawn], draws)
  const items = new Map<Pair, ItemDifferences | undefined>()
  if (changed !== undefined)
    for (const pair of kept)
      items.set(
        pair,
        await itemDifferences(task, sideOf(pair.row, task), sideOf(pair.against, task), { most: changed }),
      )
  return own.map((pair) => {
    const { row, against } = pair
    const { interval, why } = compared.get(pair) ?? {}
    const undrawn = kept.includes(pair) ? `only the best ${mostResampled} are drawn again` : 'no single items are kept'
    const reason = drawn.has(pair) ? why : undrawn
    return {
      name: row.name,
      task,
      against: against.name,
      difference: score(row) - score(against),
      ahead: lowerIsBetter ? score(row) < score(against) : score(row) > score(against),
      lowerIsBetter,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      p: interval?.p ?? null,
      pHolm: null,
      ...(interval === undefined && reason !== undefined ? { why: reason } : {}),
      ...(items.get(pair) === undefined ? {} : { items: items.get(pair) }),
    }
  })
}

/** All on the same resamples; where somebody's items are not those of the others, pair by pair. */
async function drawnAgain(
  task: string,
  pairs: readonly Pair[],
  options: Pick<HeldOptions, 'draws' | 'seed'>,
): Promise<Map<Pair, Comparison>> {
  const sides = new Map(pairs.flatMap(({ row, against }) => [row, against]).map((row) => [row.name, sideOf(row, task)]))
  const names = (some: readonly Pair[]): [string, string][] => some.map(({ row, against }) => [row.name, against.name])
  const joint = await comparePairs(task, sides, names(pairs), options)
  const found = new Map<Pair, Comparison>()
  for (const pair of pairs) {
    const [[ours, theirs] = ['', '']] = names([pair])
    const together = joint.get(pairName(ours, theirs))
    const one =
      together?.interval === undefined && pairs.length > 1
        ? (await comparePairs(task, sides, names([pair]), options)).get(pairName(ours, theirs))
        : together
    if (one !== undefined) found.set(pair, one)
  }
  return found
}

function sideOf({ model, revision, representation, scores, roots }: Scored, task: string): Side {
  return { scores: scores.get(task) ?? {}, place: { root: roots.get(task) ?? '', model, revision, representation } }
}

function hasItems({ model, revision, representation, roots }: Scored, task: string): boolean {
  return existsSync(itemsPath({ root: roots.get(task) ?? '', model, revision, representation }, task))
}

function overTasks(on: readonly HeldOnTask[], { name }: Scored, against: Scored): Omit<HeldOverTasks, 'pHolm'>[] {
  if (on.length === 0) return []
  const differences = on.map(({ difference }) => difference)
  return [
    {
      name,
      against: against.name,
      tasks: on.length,
      difference: differences.reduce((sum, value) => sum + value, 0) / differences.length,
      wins: differences.filter((value) => value > 0).length,
      losses: differences.filter((value) => value < 0).length,
      ties: differences.filter((value) => value === 0).length,
      p: signFlip(differences),
    },
  ]
}
