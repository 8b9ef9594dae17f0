/**
 * Folders of results as one value, the source of every format: scores, standings, whether differences exceed chance,
 * and missing results.
 */
import { mean, version } from '#core'
import { averagesOf, meanScore } from '#result/statistics'
import {
  type Companions,
  type MetricCorrelation,
  metricCorrelations,
  noCompanions,
  type RowMetric,
} from './companions.ts'
import { collect, type Collected, type CollectOptions, type ReportTask, type Unreadable } from './collect.ts'
import type { Scored } from './draft.ts'
import { type AgainstBaseline, againstBaseline } from './against-baseline.ts'
import { type ChoiceEffect, choiceEffects } from './choice-effects.ts'
import { type MergeEffects, mergeEffects } from './merge-effects.ts'

export interface ReportRow {
  /** The shortest distinguishing name. */
  readonly name: string
  readonly model: string
  readonly revision: string
  readonly representation: string
  /** In 0 … 1, in the order of the tasks; null where there is none. */
  readonly scores: readonly (number | null)[]
  /** Seconds of scoring, over the tasks that all have; null where it is not known. */
  readonly seconds: number | null
  /** Parameters of the whole model. */
  readonly parameters: number | null
}

/** Rows that are compared with each other: ranks and means count these alone. */
export interface Standing {
  /** `models`: models, each seen through its default or through one that all share; `representations`: all rows. */
  readonly kind: 'models' | 'representations'
  /** Whether these are all rows that have these tasks; a standing of the models alone may precede such a standing. */
  readonly whole: boolean
  /** Tasks that any of the rows has: no row of another standing shares one. */
  readonly tasks: readonly string[]
  /**
   * Tasks that all rows have, with higher being better: means and ranks are over these. Rows that leave the others no
   * such task have no mean.
   */
  readonly common: readonly string[]
  readonly rows: readonly {
    readonly name: string
    readonly mean: number | null
    /** Mean over the means of each task type; null where types are unknown or there is only one. */
    readonly meanType: number | null
    readonly meanRank: number | null
    readonly borda: number | null
    readonly completed: number
  }[]
}

export interface Missing {
  readonly task: string
  readonly name: string
  /** Code of a failure; null for a task that was not run. */
  readonly code: string | null
  readonly reason: string
}

export interface Report {
  readonly strata: string
  readonly folders: readonly string[]
  readonly tasks: readonly ReportTask[]
  readonly rows: readonly ReportRow[]
  readonly standings: readonly Standing[]
  /** Every row against the baseline; null where there is none. */
  readonly held: AgainstBaseline | null
  /** Per model whose layers were combined: the mix that validation chose against the layer that it chose. */
  readonly choices: readonly ChoiceEffect[]
  /** Present where parents are named. */
  readonly effects: MergeEffects | null
  readonly coverage: readonly { readonly task: string; readonly completed: number; readonly of: number }[]
  readonly missing: readonly Missing[]
  readonly metrics: readonly MetricCorrelation[]
  readonly beside: Companions
  readonly unreadable: readonly Unreadable[]
  /** Number of results found in several folders, of which the first was taken. */
  readonly twice: number
}

export interface ReportOptions extends CollectOptions {
  readonly baseline?: string | undefined
  /** False: no row is compared with another, so that the single items of no result are read. */
  readonly isTested?: boolean | undefined
  /** Rows that the others are merges of: adds the effects of merging. */
  readonly parents?: readonly string[] | undefined
  readonly metrics?: readonly RowMetric[] | undefined
  /** Searches and similarities, shown as they are. */
  readonly beside?: Companions | undefined
  /** Resamples of the paired bootstrap; default 10,000, seeded. */
  readonly draws?: number | undefined
  readonly seed?: number | undefined
  /** Number of items that changed most against the baseline, per task and side; default: none. */
  readonly changed?: number | undefined
}

/** Scores of a report on searches and similarities alone. */
const nothing: Collected = { tasks: [], contenders: [], unreadable: [], twice: 0 }

/**
 * Folders of results as one report: scores, means, ranks, significant differences from the baseline, missing results.
 * `baseline` is a row, such as `org/name#h3`; `draws` is the number of resamples of the paired bootstrap (default
 * 10,000, seeded). Throws `file.missing` without a result, unless there are only
 * searches, replays and similarities to show, `usage.value` for an unknown baseline.
 *
 * @example
 * ```ts
 * import { reportOf } from 'strata-lm/report'
 *
 * const { rows, tasks } = await reportOf(['results'])
 * console.log(tasks[0]?.name) // → STS17
 * for (const { name, scores } of rows) console.log(name, scores[0]?.toFixed(3))
 * // → h3 0.707
 * // → default 0.876
 * ```
 */
export async function reportOf(
  folders: readonly string[],
  {
    baseline,
    parents,
    draws,
    seed,
    isTested = true,
    metrics = [],
    beside = noCompanions,
    changed,
    ...options
  }: ReportOptions = {},
): Promise<Report> {
  const isAlone =
    folders.length + (options.recorded?.length ?? 0) + (options.read?.length ?? 0) === 0 &&
    Object.values(beside).some((list) => list.length > 0)
  const { tasks, contenders, unreadable, twice } = isAlone ? nothing : await collect(folders, options)
  const standings = standingsOf(tasks, contenders)
  const means = new Map(
    standings.flatMap(({ whole, rows }) => (whole ? rows.map(({ name, mean }) => [name, mean] as const) : [])),
  )
  const names = tasks.map(({ name }) => name)
  // rows chosen by name are compared with the first
  const first = options.choose === undefined ? undefined : contenders[0]?.name
  const against = isTested
    ? await againstBaseline(contenders, { tasks, means, baseline: baseline ?? first, draws, seed, changed })
    : undefined
  const standingOf = new Map(
    standings.filter(({ whole }) => whole).flatMap((one) => one.rows.map((row) => [row.name, one] as const)),
  )
  const rows = contenders.map(({ name, model, revision, representation, scores, seconds, parameters }): ReportRow => {
    const own = standingOf.get(name)
    const spent = (own?.common ?? []).map((task) => seconds.get(task))
    return {
      name,
      model,
      revision,
      representation,
      scores: names.map((task) => meanScore(scores.get(task)) ?? null),
      parameters: parameters ?? null,
      seconds:
        spent.length === 0 || spent.includes(undefined)
          ? null
          : spent.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    }
  })
  return {
    strata: version,
    folders,
    tasks,
    rows,
    metrics: metricCorrelations(metrics, rows, means),
    beside,
    standings,
    held: against ?? null,
    choices: isTested ? await choiceEffects(contenders, { tasks, draws, seed }) : [],
    effects:
      parents === undefined
        ? null
        : await mergeEffects(contenders, {
            tasks,
            parents,
            base: against?.chosen === 'asked' ? against.baseline : undefined,
            draws,
            seed,
          }),
    ...coverageOf(names, contenders, standings),
    unreadable,
    twice,
  }
}

/** How many of the rows that are asked for a task have it, and which lack it. */
function coverageOf(
  names: readonly string[],
  contenders: readonly Scored[],
  standings: readonly Standing[],
): Pick<Report, 'coverage' | 'missing'> {
  const rowsAsked = (task: string): readonly Scored[] => {
    const asked = new Set(standings.find((one) => one.whole && one.tasks.includes(task))?.rows.map(({ name }) => name))
    return contenders.filter(({ name }) => asked.has(name))
  }
  return {
    coverage: names.map((task) => ({
      task,
      completed: contenders.filter(({ scores }) => scores.has(task)).length,
      of: rowsAsked(task).length,
    })),
    missing: names.flatMap((task) =>
      rowsAsked(task).flatMap(({ name, scores, codes, reasons }) =>
        scores.has(task)
          ? []
          : [{ task, name, code: codes.get(task) ?? null, reason: reasons?.get(task) ?? 'not run' }],
      ),
    ),
  }
}

/**
 * One standing per group of rows that share tasks; where some models have several rows, a standing of the models'
 * defaults precedes it.
 */
function standingsOf(tasks: readonly ReportTask[], all: readonly Scored[]): Standing[] {
  return sharing(tasks, all).flatMap(({ tasks: own, rows }) => {
    const defaults = rows.filter(({ representation }) => representation === 'default')
    const onlyModels = defaults.length === rows.length || areModels(rows)
    return [
      ...(defaults.length > 1 && !onlyModels ? [standing('models', own, defaults)] : []),
      { ...standing(onlyModels ? 'models' : 'representations', own, rows), whole: true },
    ]
  })
}

/** Several models, seen through one representation, such as language models through their logits. */
function areModels(rows: readonly Scored[]): boolean {
  const models = new Set(rows.map(({ model }) => model))
  return models.size > 1 && models.size === rows.length && new Set(rows.map((row) => row.representation)).size === 1
}

interface Sharing {
  readonly tasks: readonly ReportTask[]
  readonly rows: readonly Scored[]
}

/**
 * Groups rows that have a task in common, directly or through others, with their tasks: probes of layers and answers of
 * a language model do not share a table.
 */
function sharing(tasks: readonly ReportTask[], rows: readonly Scored[]): Sharing[] {
  const groups: { tasks: Set<string>; rows: Scored[] }[] = []
  for (const row of rows) {
    const own = [...row.scores.keys(), ...row.codes.keys(), ...(row.reasons?.keys() ?? [])]
    const [first, ...others] = groups.filter((group) => own.some((task) => group.tasks.has(task)))
    for (const group of others) groups.splice(groups.indexOf(group), 1)
    const joined = first ?? { tasks: new Set(), rows: [] }
    if (first === undefined) groups.push(joined)
    for (const task of [...others.flatMap(({ tasks: some }) => [...some]), ...own]) joined.tasks.add(task)
    for (const other of others) for (const one of other.rows) joined.rows.push(one)
    joined.rows.push(row)
  }
  const placeOf = new Map(rows.map((row, at) => [row, at]))
  const firstOf = (group: { rows: Scored[] }): number =>
    group.rows.reduce((least, row) => Math.min(least, placeOf.get(row) ?? Infinity), Infinity)
  return groups
    .toSorted((a, b) => firstOf(a) - firstOf(b))
    .map((group) => ({
      tasks: tasks.filter(({ name }) => group.tasks.has(name)),
      rows: inOrderOf(rows, group.rows),
    }))
}

function inOrderOf(rows: readonly Scored[], some: readonly Scored[]): Scored[] {
  const wanted = new Set(some)
  return rows.filter((row) => wanted.has(row))
}

function standing(kind: Standing['kind'], tasks: readonly ReportTask[], contenders: readonly Scored[]): Standing {
  const scale = tasks.filter(({ lowerIsBetter }) => !lowerIsBetter)
  const ranked = withCommonTasks(scale, contenders)
  const { common, rows } = averagesOf(scale, ranked)
  const byName = new Map(rows.map((row) => [row.name, row]))
  const ranks = meanRanks(common.map((task) => ranked.map(({ scores }) => meanScore(scores.get(task)) ?? NaN)))
  const placeOf = new Map(ranked.map((row, at) => [row, at]))
  const types = new Set(tasks.filter(({ name }) => common.includes(name)).map(({ type }) => type))
  return {
    kind,
    whole: false,
    tasks: tasks.map(({ name }) => name),
    common,
    rows: contenders.map((contender) => {
      const { name, scores } = contender
      const { meanTask = null, meanType = null, borda = null } = byName.get(name) ?? {}
      return {
        name,
        mean: meanTask,
        meanType: types.size > 1 && !types.has('') ? meanType : null,
        meanRank: ranked.length > 1 ? (ranks[placeOf.get(contender) ?? -1] ?? null) : null,
        borda,
        completed: tasks.filter((task) => meanScore(scores.get(task.name)) !== undefined).length,
      }
    }),
  }
}

/**
 * Rows with the fewest tasks are left out one after another until the others have a task in common: a row that was
 * scored on one task takes the mean from itself alone.
 */
function withCommonTasks(tasks: readonly ReportTask[], contenders: readonly Scored[]): readonly Scored[] {
  const count = ({ scores }: Scored): number => tasks.filter(({ name }) => scores.has(name)).length
  let left = contenders
  while (left.length > 1 && tasks.every(({ name }) => left.some(({ scores }) => !scores.has(name)))) {
    const fewest = Math.min(...left.map(count))
    const rest = left.filter((row) => count(row) > fewest)
    if (rest.length === 0) return contenders
    left = rest
  }
  return left
}

/** Mean rank per line over the columns: the highest score has rank 1, ties share their mean rank. */
function meanRanks(lines: readonly (readonly number[])[]): number[] {
  const ranks = lines.map(ranksOf)
  return (lines[0] ?? []).map((_, i) => mean(ranks.map((line) => line[i] ?? NaN)))
}

function ranksOf(line: readonly number[]): number[] {
  const sorted = line.toSorted((a, b) => b - a)
  const places = new Map<number, { first: number; count: number }>()
  for (const [at, score] of sorted.entries()) {
    const place = places.get(score) ?? { first: at + 1, count: 0 }
    places.set(score, place)
    place.count++
  }
  return line.map((score) => {
    const { first = NaN, count = 0 } = places.get(score) ?? {}
    return first + (count - 1) / 2
  })
}
