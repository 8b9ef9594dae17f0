/**
 * Folders of results as one value, which every format is made of: who scored what, who is ahead, by more than chance or
 * not, and what is missing.
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
import { collect, type CollectOptions, type ReportTask, type Scored, type Unreadable } from './collect.ts'
import { type AgainstBaseline, againstBaseline } from './against-baseline.ts'
import { type MergeEffects, mergeEffects } from './merge-effects.ts'

export interface ReportRow {
  /** The shortest that tells it from the others. */
  readonly name: string
  readonly model: string
  readonly revision: string
  readonly representation: string
  /** In 0 … 1, in the order of the tasks; null where there is none. */
  readonly scores: readonly (number | null)[]
  /** Of scoring, over the tasks that all have; null where it is not known. */
  readonly seconds: number | null
  /** Of the whole model. */
  readonly parameters: number | null
}

/** Some of the rows, side by side: ranks and means count these alone. */
export interface Standing {
  /** `models`: each by its own default; `representations`: all rows. */
  readonly kind: 'models' | 'representations'
  /** All rows that have these tasks; before such a standing may be one of the models alone. */
  readonly whole: boolean
  /** Tasks that any of them has: no row of another standing shares one. */
  readonly tasks: readonly string[]
  /** Tasks that all of them have, higher being better: means and ranks are over these. */
  readonly common: readonly string[]
  readonly rows: readonly {
    readonly name: string
    readonly mean: number | null
    /** Mean of the means of the types of task; null where types are not known or one only. */
    readonly meanType: number | null
    readonly meanRank: number | null
    readonly borda: number | null
    readonly completed: number
  }[]
}

export interface Missing {
  readonly task: string
  readonly name: string
  /** Of a failure; null of what was not run. */
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
  /** Where parents are named. */
  readonly effects: MergeEffects | null
  readonly coverage: readonly { readonly task: string; readonly completed: number; readonly of: number }[]
  readonly missing: readonly Missing[]
  readonly metrics: readonly MetricCorrelation[]
  readonly beside: Companions
  readonly unreadable: readonly Unreadable[]
  /** Results found in several folders, of which the first was taken. */
  readonly twice: number
}

export interface ReportOptions extends CollectOptions {
  readonly baseline?: string | undefined
  /** Rows whose merges the others are: what merging did. */
  readonly parents?: readonly string[] | undefined
  readonly metrics?: readonly RowMetric[] | undefined
  /** Searches and similarities, shown as they are. */
  readonly beside?: Companions | undefined
  /** Of the paired bootstrap; default 10,000, seeded. */
  readonly draws?: number | undefined
  readonly seed?: number | undefined
  /** Items that changed most against the baseline, of each task and on either side; default none are looked at. */
  readonly changed?: number | undefined
}

/**
 * Folders of results as one report: scores, means, ranks, what is better than the baseline by more than chance, what is
 * missing. `baseline` is a row, such as `org/name#h3`; `draws` those of the paired bootstrap (default 10,000, seeded).
 * Throws `file.missing` without a result, `usage.value` for a baseline that is not there.
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
  { baseline, parents, draws, seed, metrics = [], beside = noCompanions, changed, ...options }: ReportOptions = {},
): Promise<Report> {
  const { tasks, contenders, unreadable, twice } = await collect(folders, options)
  const standings = standingsOf(tasks, contenders)
  const means = new Map(
    standings.flatMap(({ whole, rows }) => (whole ? rows.map(({ name, mean }) => [name, mean] as const) : [])),
  )
  const names = tasks.map(({ name }) => name)
  // who was chosen by name is compared with the first
  const first = options.choose === undefined ? undefined : contenders[0]?.name
  const against = await againstBaseline(contenders, { tasks, means, baseline: baseline ?? first, draws, seed, changed })
  const rows = contenders.map(({ name, model, revision, representation, scores, seconds, parameters }): ReportRow => {
    const own = standings.find((one) => one.whole && one.rows.some((row) => row.name === name))
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
  const rowsAsked = (task: string): readonly Scored[] => {
    const asked = new Set(standings.find((one) => one.whole && one.tasks.includes(task))?.rows.map(({ name }) => name))
    return contenders.filter(({ name }) => asked.has(name))
  }
  return {
    strata: version,
    folders,
    tasks,
    rows,
    metrics: metricCorrelations(metrics, rows, means),
    beside,
    standings,
    held: against ?? null,
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
    unreadable,
    twice,
  }
}

/**
 * Of rows that share tasks all, and before them the models by their own default where there is more to some of them.
 */
function standingsOf(tasks: readonly ReportTask[], all: readonly Scored[]): Standing[] {
  return sharing(tasks, all).flatMap(({ tasks: own, rows }) => {
    const defaults = rows.filter(({ representation }) => representation === 'default')
    const onlyModels = defaults.length === rows.length
    return [
      ...(defaults.length > 1 && !onlyModels ? [standing('models', own, defaults)] : []),
      { ...standing(onlyModels ? 'models' : 'representations', own, rows), whole: true },
    ]
  })
}

interface Sharing {
  readonly tasks: readonly ReportTask[]
  readonly rows: readonly Scored[]
}

/**
 * Rows that have a task in common, directly or by others, and their tasks: probes of layers and answers of a language
 * model are not in one table.
 */
function sharing(tasks: readonly ReportTask[], rows: readonly Scored[]): Sharing[] {
  const groups: { tasks: Set<string>; rows: Scored[] }[] = []
  for (const row of rows) {
    const own = [...row.scores.keys(), ...row.codes.keys(), ...(row.reasons?.keys() ?? [])]
    const joined = groups.filter((group) => own.some((task) => group.tasks.has(task)))
    for (const group of joined) groups.splice(groups.indexOf(group), 1)
    groups.push({
      tasks: new Set([...joined.flatMap((group) => [...group.tasks]), ...own]),
      rows: [...joined.flatMap((group) => group.rows), row],
    })
  }
  const firstOf = (group: { rows: Scored[] }): number => Math.min(...group.rows.map((row) => rows.indexOf(row)))
  return groups
    .toSorted((a, b) => firstOf(a) - firstOf(b))
    .map((group) => ({
      tasks: tasks.filter(({ name }) => group.tasks.has(name)),
      rows: rows.filter((row) => group.rows.includes(row)),
    }))
}

function standing(kind: Standing['kind'], tasks: readonly ReportTask[], contenders: readonly Scored[]): Standing {
  const scale = tasks.filter(({ lowerIsBetter }) => !lowerIsBetter)
  const { common, rows } = averagesOf(scale, contenders)
  const ranks = meanRanks(common.map((task) => contenders.map(({ scores }) => meanScore(scores.get(task)) ?? NaN)))
  const types = new Set(tasks.filter(({ name }) => common.includes(name)).map(({ type }) => type))
  return {
    kind,
    whole: false,
    tasks: tasks.map(({ name }) => name),
    common,
    rows: rows.map(({ name, meanTask, meanType, borda }, i) => ({
      name,
      mean: meanTask,
      meanType: types.size > 1 && !types.has('') ? meanType : null,
      meanRank: contenders.length > 1 ? (ranks[i] ?? null) : null,
      borda,
      completed: tasks.filter((task) => meanScore(contenders[i]?.scores.get(task.name)) !== undefined).length,
    })),
  }
}

/** Of each column over the lines, the highest is 1; equal scores share the mean of their ranks. */
function meanRanks(lines: readonly (readonly number[])[]): number[] {
  return (lines[0] ?? []).map((_, i) => {
    const ranks = lines.map((line) => {
      const own = line[i] ?? NaN
      return line.filter((score) => score > own).length + (line.filter((score) => score === own).length + 1) / 2
    })
    return mean(ranks)
  })
}
