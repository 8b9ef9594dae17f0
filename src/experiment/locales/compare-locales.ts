/** What runs say together: one row per locale, statistics per type, and paired tests of every two types over locales. */
import { compareCodePoints, mean, sampleDeviation } from '#core'
import { holm, pairedT, signFlip, signTest, wilcoxon } from '#result/statistics'
import { type LocaleRun, mainTypes, sourceTypes } from './read-runs.ts'

export interface LocaleComparison {
  /** The three of merginguriel, then the others in the order of the runs. */
  readonly types: readonly string[]
  /** By locale; a type that has no run is missing, and the first of several runs counts. */
  readonly rows: readonly { readonly locale: string; readonly accuracy: Readonly<Record<string, number>> }[]
  /** Types that have runs. */
  readonly summary: Readonly<Record<string, TypeSummary>>
  readonly pairs: readonly TypePair[]
  /** Runs whose type and locale another one has. */
  readonly repeated: readonly LocaleRun[]
}

export interface TypeSummary {
  readonly count: number
  readonly mean_accuracy: number
  /** With n − 1; null for one run. */
  readonly std_accuracy: number | null
  readonly min_accuracy: number
  readonly max_accuracy: number
}

/** `first` minus `second` over the locales that have both. */
export interface TypePair {
  readonly first: string
  readonly second: string
  /** `shared`: locales that have both; `complete`: those that have all three of merginguriel, where they are fewer. */
  readonly over: 'shared' | 'complete'
  readonly locales: number
  readonly wins: number
  readonly losses: number
  readonly ties: number
  readonly difference: number
  /** Student's, over the locales. */
  readonly t: number
  /** Two-sided: Student's t, exact sign test, flipped signs, Wilcoxon's signed ranks; `holm`: the last, corrected for the number of pairs. */
  readonly p: {
    readonly t: number
    readonly sign: number
    readonly permutation: number
    readonly wilcoxon: number
    readonly holm: number
  }
}

export function compareLocales(runs: readonly LocaleRun[]): LocaleComparison {
  const types = [...new Set([...mainTypes, ...runs.map(({ type }) => type)])]
  const byLocale = new Map<string, Record<string, number>>()
  const repeated: LocaleRun[] = []
  for (const run of runs) {
    const row = byLocale.get(run.locale) ?? {}
    if (Object.hasOwn(row, run.type)) repeated.push(run)
    else row[run.type] = run.accuracy
    byLocale.set(run.locale, row)
  }
  const rows = [...byLocale]
    .map(([locale, accuracy]) => ({ locale, accuracy }))
    .toSorted((a, b) => compareCodePoints(a.locale, b.locale))
  const scores = types.map((type) => ({
    type,
    accuracies: rows.flatMap(({ accuracy }) => accuracy[type] ?? []),
  }))
  return {
    types,
    rows,
    summary: Object.fromEntries(
      scores.flatMap(({ type, accuracies }) => (accuracies.length === 0 ? [] : [[type, summaryOf(accuracies)]])),
    ),
    pairs: pairsOf(
      rows,
      scores.flatMap(({ type, accuracies }) => (accuracies.length === 0 ? [] : [type])),
    ),
    repeated,
  }
}

function summaryOf(accuracies: readonly number[]): TypeSummary {
  return {
    count: accuracies.length,
    mean_accuracy: mean(accuracies),
    std_accuracy: accuracies.length === 1 ? null : sampleDeviation(accuracies),
    min_accuracy: Math.min(...accuracies),
    max_accuracy: Math.max(...accuracies),
  }
}

type Rows = LocaleComparison['rows']

function pairsOf(rows: Rows, types: readonly string[]): TypePair[] {
  const complete = rows.filter(({ accuracy }) => types.filter(isMain).every((type) => accuracy[type] !== undefined))
  const shared = eachPair(types).flatMap(([first, second]) => tested(rows, { first, second, over: 'shared' }))
  const corrected = withHolm(shared)
  const narrower = shared.flatMap(({ first, second, locales }) =>
    locales === complete.length || ![first, second].every(isMain)
      ? []
      : tested(complete, { first, second, over: 'complete' }),
  )
  return [...corrected, ...withHolm(narrower)]
}

function isMain(type: string): boolean {
  return mainTypes.some((one) => one === type)
}

/** A merge minus its references: those that come last. */
function eachPair(types: readonly string[]): (readonly [first: string, second: string])[] {
  const sorted = [
    ...types.filter((type) => !references.includes(type)),
    ...references.filter((type) => types.includes(type)),
  ]
  return sorted.flatMap((first, i) => sorted.slice(i + 1).map((second) => [first, second] as const))
}

const references: readonly string[] = ['average', ...sourceTypes, 'baseline']

function tested(rows: Rows, { first, second, over }: Pick<TypePair, 'first' | 'second' | 'over'>): TypePair[] {
  const differences = rows.flatMap(({ accuracy: { [first]: left, [second]: right } }) =>
    left === undefined || right === undefined ? [] : [left - right],
  )
  if (differences.length === 0) return []
  const wins = differences.filter((value) => value > 0).length
  const losses = differences.filter((value) => value < 0).length
  const { t, p } = pairedT(differences)
  return [
    {
      first,
      second,
      over,
      locales: differences.length,
      wins,
      losses,
      ties: differences.length - wins - losses,
      difference: mean(differences),
      t,
      p: {
        t: p,
        sign: signTest(wins, losses),
        permutation: signFlip(differences),
        wilcoxon: wilcoxon(differences).p,
        holm: NaN,
      },
    },
  ]
}

/** A pair that has no p-value, as one whose differences are all 0, counts as one of 1. */
function withHolm(pairs: readonly TypePair[]): TypePair[] {
  const corrected = holm(pairs.map(({ p }) => (Number.isNaN(p.wilcoxon) ? 1 : p.wilcoxon)))
  return pairs.map((pair, i) => ({ ...pair, p: { ...pair.p, holm: corrected[i] ?? 1 } }))
}
