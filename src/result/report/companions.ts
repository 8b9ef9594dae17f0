/** Companions of the scores in a report: metrics of the same rows, searches, similarities of layers. */
import { rankCorrelation } from '#result/statistics'

/** The fields that name a row. */
interface NamedRow {
  readonly name: string
  readonly model: string
  readonly revision: string
  readonly representation: string
}

/** A metric of rows; undefined for rows without a value. */
export interface RowMetric {
  readonly name: string
  readonly of: (row: Omit<NamedRow, 'name'>) => number | undefined
}

/** Correlation of a metric with the mean score, over the rows that have both. */
export interface MetricCorrelation {
  readonly name: string
  readonly rows: number
  /** Spearman; null where one side is constant, or with fewer than two rows. */
  readonly rho: number | null
  /** 95 % interval, by bootstrap over rows. */
  readonly low: number | null
  readonly high: number | null
  readonly points: readonly { readonly row: string; readonly value: number; readonly score: number }[]
}

/** A finished search: its best score after each pull. */
export interface SearchRecord {
  readonly name: string
  readonly policy: string
  readonly spent: number
  /** '' for a search in which no arm was scored. */
  readonly best: string
  readonly reward: number | null
  /** Best mean score so far, in 0 … 1, from pull 1 on. */
  readonly curve: readonly number[]
}

/** Policies replayed over recorded scores, as `strata search --replay --json` prints them. */
export interface ReplayRecord {
  readonly model: string
  readonly arms: number
  readonly tasks: number
  readonly best: { readonly arm: string; readonly reward: number }
  readonly replays: readonly {
    readonly policy: string
    readonly runs: number
    readonly points: readonly {
      readonly budget: number
      readonly regret: number | null
      readonly low: number | null
      readonly high: number | null
      readonly rank: number | null
      readonly best: string
      readonly share: number
    }[]
    readonly curve: readonly {
      readonly budget: number
      readonly regret: number | null
      readonly low: number | null
      readonly high: number | null
    }[]
  }[]
}

/** Layer × layer, for one model or two. */
export interface SimilarityRecord {
  readonly name: string
  readonly metric: string
  readonly rows: string
  readonly columns: string
  readonly values: readonly (readonly number[])[]
}

export interface Companions {
  readonly searches: readonly SearchRecord[]
  readonly replays: readonly ReplayRecord[]
  readonly similarities: readonly SimilarityRecord[]
}

export const noCompanions: Companions = { searches: [], replays: [], similarities: [] }

/** `means`: the mean of each row over the tasks that all have. The most informative metric comes first. */
export function metricCorrelations(
  metrics: readonly RowMetric[],
  rows: readonly NamedRow[],
  means: ReadonlyMap<string, number | null>,
): MetricCorrelation[] {
  const correlations = metrics.map(({ name, of }): MetricCorrelation => {
    const points = rows.flatMap((row) => {
      const [value, score] = [of(row), means.get(row.name) ?? null]
      return value === undefined || score === null || !Number.isFinite(value) ? [] : [{ row: row.name, value, score }]
    })
    const found = rankCorrelation(
      points.map(({ value }) => value),
      points.map(({ score }) => score),
    )
    const known = (value: number): number | null => (Number.isFinite(value) ? value : null)
    return { name, rows: points.length, rho: known(found.rho), low: known(found.low), high: known(found.high), points }
  })
  return correlations.filter(({ rows: count }) => count > 0).sort((a, b) => Math.abs(b.rho ?? 0) - Math.abs(a.rho ?? 0))
}
