/**
 * Whether two benchmarks rank models alike. Each cell pairs two groups: the mean τ over pairs of rows, τ of the groups'
 * means, and the published ranking that inflates both.
 */
import { fault, meanOfAll } from '#core'
import { kendall } from '#platform/linalg'
import { association, type Association, type AssociationMethod, chooseMeasure } from '#result/statistics'
import { groupMeans, groupsOf, type ScoreTable } from './score-table.ts'

export interface CorrelationCell {
  readonly x: string
  readonly y: string
  /** Mean over the pairs that have enough models and are not constant; null when there is no such pair. */
  readonly meanOfPairs: number | null
  readonly pairs: number
  /** Pairs with too few models, or a constant side. */
  readonly skipped: number
  /** Correlation of the models' means in both groups; its `count` is n. Undefined with too few models. */
  readonly ofMeans: Association | undefined
  /**
   * Ranked as in the published notebook: all models of either side, missing ones sharing the last rank. Reported to
   * show the inflation.
   */
  readonly legacy: number | null
}

export interface CorrelateOptions {
  method?: AssociationMethod | undefined
  /** Minimum number of models that a pair must share. */
  minimum?: number | undefined
  seed?: number | undefined
}

export interface Correlation {
  /** Models of both sides. */
  readonly models: readonly string[]
  readonly onlyX: readonly string[]
  readonly onlyY: readonly string[]
  readonly cells: readonly CorrelationCell[]
}

type Values = readonly (number | null)[]

/**
 * Whether the groups of two benchmarks rank models alike: for every pair of groups the mean correlation of their rows
 * and the correlation of the models' means, with p-value and interval. Groups come from the tables; pairs with fewer
 * than `minimum` models in common (default 4) are skipped.
 *
 * @example
 * ```ts
 * import { correlate, readHolmes } from 'strata-lm/statistics'
 *
 * const probes = await readHolmes('holmes.csv')
 * const { cells } = correlate(probes, probes)
 * console.log(cells.map(({ x, y, ofMeans }) => `${x} ${y} ${ofMeans?.value.toFixed(2)}`).join(', '))
 * // → syntax syntax 1.00, syntax morphology 0.67, morphology syntax 0.67, morphology morphology 1.00
 * ```
 */
export function correlate(
  x: ScoreTable,
  y: ScoreTable,
  { method = 'kendall', minimum = 4, seed = 42 }: CorrelateOptions = {},
): Correlation {
  const models = x.models.filter((model) => y.models.includes(model))
  const onlyX = x.models.filter((model) => !models.includes(model))
  const onlyY = y.models.filter((model) => !models.includes(model))
  if (models.length < minimum)
    throw fault('result.invalid', {
      place: 'strata correlate',
      what: 'too few models have scores on both sides',
      seen: models,
      wanted: `at least ${minimum}`,
    })
  const everyone = [...x.models, ...onlyY]
  const placed = (table: ScoreTable, values: Values): Values =>
    everyone.map((model) => values[table.models.indexOf(model)] ?? null)
  const measure = chooseMeasure(method)
  const [xMeans, yMeans] = [groupMeans(x), groupMeans(y)]
  const cells = groupsOf(x).flatMap((xGroup) =>
    groupsOf(y).map((yGroup): CorrelationCell => {
      const [found, legacy]: [number[], number[]] = [[], []]
      let skipped = 0
      for (const one of x.rows.filter(({ group }) => group === xGroup))
        for (const other of y.rows.filter(({ group }) => group === yGroup)) {
          const [left, right] = [placed(x, one.values), placed(y, other.values)]
          const both = shared(left, right)
          const value = both.x.length < minimum ? NaN : measure(both.x, both.y)
          if (Number.isNaN(value)) skipped++
          else found.push(value)
          const inflated = kendall(legacyRanks(left), legacyRanks(right))
          if (!Number.isNaN(inflated)) legacy.push(inflated)
        }
      const means = shared(
        placed(x, xMeans.find(({ group }) => group === xGroup)?.values ?? []),
        placed(y, yMeans.find(({ group }) => group === yGroup)?.values ?? []),
      )
      const ofMeans = means.x.length < minimum ? undefined : association(means.x, means.y, { method, seed })
      return {
        x: xGroup,
        y: yGroup,
        meanOfPairs: meanOfAll(found),
        pairs: found.length,
        skipped,
        ofMeans,
        legacy: meanOfAll(legacy),
      }
    }),
  )
  return { models, onlyX, onlyY, cells }
}

/** Rank 1 is the best; ties keep the order of the models; models without a score share the last rank. */
function legacyRanks(values: Values): number[] {
  const order = values.flatMap((value, at) => (value === null ? [] : [{ value, at }])).sort((a, b) => b.value - a.value)
  const ranks = values.map(() => order.length + 1)
  order.forEach(({ at }, rank) => (ranks[at] = rank + 1))
  return ranks
}

function shared(left: Values, right: Values): { x: number[]; y: number[] } {
  const both = left.flatMap((x, at) => {
    const y = right[at] ?? null
    return x === null || y === null ? [] : [{ x, y }]
  })
  return { x: both.map(({ x }) => x), y: both.map(({ y }) => y) }
}
