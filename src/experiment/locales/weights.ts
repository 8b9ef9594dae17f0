/**
 * Weights of the sources that a target is merged of, from a table of similarities: the nearest with a softmax, or
 * Sinkhorn's balance of the whole table, in full or as the project merginguriel computes it.
 */
import { fault, suggestion } from '#core'

/** Similarities of sources to targets; both are locales, mostly the same ones. */
export interface LocaleTable {
  readonly targets: readonly string[]
  readonly sources: readonly string[]
  /** [targets × sources]: the larger, the nearer. */
  readonly values: readonly (readonly number[])[]
}

/** Without the sources that have no model; those that are equally near come in the order of the models. */
export function within({ targets, sources, values }: LocaleTable, known: readonly string[]): LocaleTable {
  const columns = known.map((locale) => sources.indexOf(locale)).filter((j) => j >= 0)
  return {
    targets,
    sources: columns.map((j) => sources[j] ?? ''),
    values: values.map((row) => columns.map((j) => row[j] ?? NaN)),
  }
}

export type WeightMethod = 'top-k' | 'sinkhorn' | 'sinkhorn-legacy'

export interface WeightOptions {
  /** Default: `top-k`. */
  readonly method?: WeightMethod | undefined
  /** Number of sources. Default: 5. */
  readonly topK?: number | undefined
  /** Temperature of a softmax over the similarities of the nearest; `null`: weights in proportion to them. Default: 0.02. */
  readonly temperature?: number | null | undefined
  /** Whether a target may be its own source. Default: false. */
  readonly includeTarget?: boolean | undefined
}

export interface SourceWeight {
  readonly source: string
  /** All of a target's sum to 1. */
  readonly weight: number
}

/** By target, the heaviest first. */
export type TargetSources = ReadonlyMap<string, readonly SourceWeight[]>

/** A source that a table of similarities has given its weight. */
export interface SimilarSource extends SourceWeight {
  readonly similarity: number
}

/**
 * The sources of a target and their weights, the heaviest first; sources of equal weight in the order of the table.
 * Empty where `sinkhorn-legacy` leaves a target nothing. Throws `usage.value` for a target that the table lacks, and
 * where it has no source for it.
 */
export function sourceWeights(
  table: LocaleTable,
  target: string,
  { method = 'top-k', topK = 5, temperature = 0.02, includeTarget = false }: WeightOptions = {},
): SimilarSource[] {
  const row = table.targets.indexOf(target)
  if (row === -1)
    throw fault('usage.value', {
      place: target,
      what: 'the table of similarities has no such target',
      hint: suggestion(target, table.targets),
    })
  const similarities = table.values[row] ?? []
  const weighted = (weights: readonly number[]): SimilarSource[] =>
    table.sources.map((source, j) => ({ source, similarity: similarities[j] ?? NaN, weight: weights[j] ?? 0 }))
  const nearest = (all: readonly SimilarSource[]): SimilarSource[] =>
    all
      .filter(({ source, weight }) => weight > 0 && (includeTarget || source !== target))
      .toSorted((a, b) => b.weight - a.weight)
      .slice(0, topK)
  const chosen = chooseBy(method)
  if (chosen.length === 0 && method !== 'sinkhorn-legacy')
    throw fault('usage.value', {
      place: target,
      what: 'the table of similarities has no source for this target',
      seen: similarities.join(', '),
    })
  const total = chosen.reduce((sum, { weight }) => sum + weight, 0)
  return chosen.map((one) => ({ ...one, weight: one.weight / total }))

  function chooseBy(by: WeightMethod): SimilarSource[] {
    switch (by) {
      case 'top-k': {
        const near = nearest(weighted(similarities))
        const [first] = near
        if (temperature === null || first === undefined) return near
        return near.map((one) => ({ ...one, weight: Math.exp((one.similarity - first.similarity) / temperature) }))
      }
      case 'sinkhorn':
        return nearest(weighted(sinkhorn(withoutDiagonal(table, includeTarget))[row] ?? []))
      case 'sinkhorn-legacy':
        return nearest(weighted(sinkhornLegacy(withoutDiagonal(table, includeTarget), { topK })[row] ?? []))
      default:
        return by satisfies never
    }
  }
}

function withoutDiagonal(
  { targets, sources, values }: LocaleTable,
  includeTarget: boolean,
): readonly (readonly number[])[] {
  if (includeTarget) return values
  return values.map((row, i) => row.map((value, j) => (targets[i] === sources[j] ? 0 : value)))
}

/** Rounds after which a table counts as one that has no balance. */
const mostRounds = 100_000

/**
 * Rows and columns scaled in turn until all rows sum to 1 and all columns to rows ÷ columns, to 1e-6 (Sinkhorn and
 * Knopp 1967). Ends on rows. Throws `usage.value` for a table that cannot be balanced, as one with an empty column.
 */
export function sinkhorn(values: readonly (readonly number[])[]): number[][] {
  const out = values.map((row) => [...row])
  const width = out[0]?.length ?? 0
  const share = out.length / width
  for (let round = 0; round < mostRounds; round++) {
    const columns = columnSums(out, width)
    scaleColumns(
      out,
      columns.map((sum) => sum / share),
    )
    const rows = out.map(sumOf)
    for (const [i, row] of out.entries()) scale(row, rows[i] ?? 1)
    if (out.some((row) => row.some(Number.isNaN))) break
    if (columnSums(out, width).every((sum) => Math.abs(sum - share) < 1e-6)) return out
  }
  throw fault('usage.value', {
    place: 'sinkhorn',
    what: 'this table of similarities cannot be balanced',
    seen: 'a row or column without similarities above 0, or too few of them',
    hint: '--similarity uriel takes the nearest of each target',
  })
}

/** Keeps a sum of nothing from being a divisor, as merginguriel does. */
const guard = 1e-9

/**
 * The weights of merginguriel: of every row the values that reach the k-th largest, ties included, then rows and
 * columns divided by their sums in turn. Ends on columns, and rows need not sum to 1.
 */
export function sinkhornLegacy(
  values: readonly (readonly number[])[],
  { topK = Infinity, rounds = 20 }: { readonly topK?: number; readonly rounds?: number } = {},
): number[][] {
  const out = values.map((row) => {
    const least = row.toSorted((a, b) => b - a)[Math.min(topK, row.length) - 1] ?? -Infinity
    return row.map((value) => (value >= least ? value : 0))
  })
  const width = out[0]?.length ?? 0
  for (let round = 0; round < rounds; round++) {
    for (const row of out) scale(row, sumOf(row) + guard)
    scaleColumns(
      out,
      columnSums(out, width).map((sum) => sum + guard),
    )
  }
  return out
}

function sumOf(row: readonly number[]): number {
  return row.reduce((sum, value) => sum + value, 0)
}

function columnSums(rows: readonly (readonly number[])[], width: number): number[] {
  return Array.from({ length: width }, (_, j) => rows.reduce((sum, row) => sum + (row[j] ?? 0), 0))
}

function scale(row: number[], divisor: number): void {
  for (let j = 0; j < row.length; j++) row[j] = (row[j] ?? 0) / divisor
}

function scaleColumns(rows: readonly number[][], divisors: readonly number[]): void {
  for (const row of rows) for (let j = 0; j < row.length; j++) row[j] = (row[j] ?? 0) / (divisors[j] ?? 1)
}
