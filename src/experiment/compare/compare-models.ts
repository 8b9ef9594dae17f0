/** Several rows of results next to each other, each compared with the first. */
import { asFault } from '#core'
import type { Speed } from '#experiment/bench'
import { type Identity, level, type Report, reportOf, type ReportOptions } from '#result/report'
import type { ItemDifference, RowDifference } from '#result/statistics'
import { type OutsideScore, outsideScores } from './outside-scores.ts'

/** Whether a difference is more than chance, after Holm's correction. */
export type Verdict = 'better' | 'worse' | 'not told apart' | 'not tested'

export interface ComparedTask extends Omit<RowDifference, 'items'> {
  readonly score: number
  readonly baseline: number
  readonly verdict: Verdict
  /** On how many items the row is ahead, behind, and level; null where they are not stored. */
  readonly items: { readonly better: number; readonly worse: number; readonly same: number } | null
}

export interface ChangedItem extends ItemDifference {
  readonly name: string
  readonly task: string
  /** Texts of the item; null where the rows of the task are missing on this machine, or differ. */
  readonly texts: readonly string[] | null
}

export interface Cost {
  readonly name: string
  readonly parameters: number | null
  /** Bytes of the stored weights; null where the model was not opened. */
  readonly bytes: number | null
}

export interface MeasuredCost {
  /** Bytes of the stored weights. */
  readonly bytes: number
}

export interface Comparison {
  readonly report: Report
  readonly tasks: readonly ComparedTask[]
  readonly changed: readonly ChangedItem[]
  readonly costs: readonly Cost[]
  /** Measured for this comparison, under the names of the rows; null where it was not. */
  readonly speed: Speed | null
  /** Price of the machine per hour, for that of a million texts; null where none was given. */
  readonly pricePerHour: number | null
  /** What `against` named, and its scores; null where it was not asked. */
  readonly outside: { readonly against: string; readonly scores: readonly OutsideScore[] } | null
  /** Tasks whose texts could not be read, and why. */
  readonly untold: readonly { readonly task: string; readonly reason: string }[]
}

export interface CompareOptions extends ReportOptions {
  readonly choose: NonNullable<ReportOptions['choose']>
  /** Texts of single items of a task; its exception is the reason why they are not shown. */
  readonly textsOf?:
    | ((task: string, items: readonly ItemDifference[]) => Promise<readonly (readonly string[] | null)[]>)
    | undefined
  /** Measured now; its rows are those of the comparison. */
  readonly speed?: Speed | undefined
  readonly pricePerHour?: number | undefined
  /** `published`, `published:org/name`, a folder of results, or a model in the first folder. */
  readonly against?: string | undefined
  /** Cost of a row's model. */
  readonly costOf?: ((row: Identity) => MeasuredCost | undefined) | undefined
}

/** Throws what `choose` throws, `file.missing` without a result, `usage.value` for an `against` that is nothing. */
export async function compareModels(
  folders: readonly string[],
  { textsOf, speed, pricePerHour, against, costOf = () => undefined, changed = 3, ...options }: CompareOptions,
): Promise<Comparison> {
  const report = await reportOf(folders, { ...options, changed })
  const onTasks = report.held?.onTasks ?? []
  const scoreOf = (name: string, task: string): number => {
    const at = report.tasks.findIndex((one) => one.name === task)
    return report.rows.find((row) => row.name === name)?.scores[at] ?? Number.NaN
  }
  const untold: { task: string; reason: string }[] = []
  const items: ChangedItem[] = []
  for (const { name: task } of report.tasks) {
    const own = onTasks
      .filter((one) => one.task === task)
      .flatMap((one) => (one.items?.changed ?? []).map((item) => ({ ...item, name: one.name, task })))
    if (own.length === 0) continue
    const texts = await textsOf?.(task, own).catch((error: unknown) => {
      untold.push({ task, reason: asFault(error, 'table.read', task).message })
      return undefined
    })
    if (texts?.includes(null) === true)
      untold.push({ task, reason: 'the rows on this machine differ from those that were scored' })
    items.push(...own.map((item, i) => ({ ...item, texts: texts?.[i] ?? null })))
  }
  return {
    // the items are stored below, once
    report: {
      ...report,
      held: report.held && { ...report.held, onTasks: onTasks.map((one) => ({ ...one, items: undefined })) },
    },
    tasks: onTasks.map(({ items: counted, ...one }) => ({
      ...one,
      score: scoreOf(one.name, one.task),
      baseline: scoreOf(one.against, one.task),
      verdict: verdictOf(one),
      items: counted === undefined ? null : { better: counted.better, worse: counted.worse, same: counted.same },
    })),
    changed: items,
    costs: report.rows.map((row) => {
      const { bytes = null } = costOf(row) ?? {}
      return { name: row.name, parameters: row.parameters, bytes }
    }),
    speed: speed === undefined ? null : renamed(speed, report.rows),
    pricePerHour: pricePerHour ?? null,
    outside:
      against === undefined
        ? null
        : { against, scores: await outsideScores(folders, report, { against, part: options.part }) },
    untold,
  }
}

/** The rows of the comparison, in its order, under its names. */
function renamed(speed: Speed, rows: Report['rows']): Speed {
  return {
    ...speed,
    rows: rows.flatMap(({ name, model, revision, representation }) =>
      speed.rows
        .filter((one) => one.model === model && one.revision === revision && one.representation === representation)
        .map((one) => ({ ...one, name })),
    ),
  }
}

function verdictOf({ pHolm, ahead }: Pick<RowDifference, 'pHolm' | 'ahead'>): Verdict {
  if (pHolm === null) return 'not tested'
  if (pHolm >= level) return 'not told apart'
  return ahead ? 'better' : 'worse'
}
