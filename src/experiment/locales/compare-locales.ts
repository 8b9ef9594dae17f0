/** What runs say together: one row per locale, statistics per type, and paired tests of every two types over locales. */
import { compareCodePoints, mean, sampleDeviation } from '#core'
import {
  type AnswersCompared,
  compareAnswers,
  holm,
  holmBy,
  pairedT,
  signFlip,
  signTest,
  wilcoxon,
} from '#result/statistics'
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
  /** Text by text; undefined where the answers of a locale are not kept. */
  readonly items: (AnswersCompared & { readonly holm: number }) | undefined
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
      answersIn(runs, repeated),
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

/** By locale, then by type. */
type Answers = ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>

function answersIn(runs: readonly LocaleRun[], repeated: readonly LocaleRun[]): Answers {
  const found = new Map<string, Map<string, Uint8Array>>()
  for (const run of runs) {
    const { locale, type, answers } = run
    if (answers === undefined || repeated.includes(run)) continue
    found.set(locale, (found.get(locale) ?? new Map<string, Uint8Array>()).set(type, answers))
  }
  return found
}

function pairsOf(rows: Rows, types: readonly string[], answers: Answers): TypePair[] {
  const complete = rows.filter(({ accuracy }) => types.filter(isMain).every((type) => accuracy[type] !== undefined))
  const shared = eachPair(types).flatMap(([first, second]) => tested(rows, { first, second, over: 'shared' }, answers))
  const corrected = withHolm(shared)
  const narrower = shared.flatMap(({ first, second, locales }) =>
    locales === complete.length || ![first, second].every(isMain)
      ? []
      : tested(complete, { first, second, over: 'complete' }, answers),
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
  return sorted.flatMap((first, i) =>
    references.indexOf(first) > 0 ? [] : sorted.slice(i + 1).map((second) => [first, second] as const),
  )
}

/** All but the first are no merges, and are not compared with each other. */
const references: readonly string[] = ['average', ...sourceTypes, 'baseline']

function tested(
  rows: Rows,
  { first, second, over }: Pick<TypePair, 'first' | 'second' | 'over'>,
  answers: Answers,
): TypePair[] {
  const both = rows.filter(({ accuracy }) => accuracy[first] !== undefined && accuracy[second] !== undefined)
  const differences = both.map(({ accuracy }) => (accuracy[first] ?? NaN) - (accuracy[second] ?? NaN))
  if (differences.length === 0) return []
  const sides = both.flatMap(({ locale }) => {
    const [left, right] = [answers.get(locale)?.get(first), answers.get(locale)?.get(second)]
    return left === undefined || right === undefined ? [] : [{ first: left, second: right }]
  })
  const items = sides.length < both.length ? undefined : compareAnswers(sides)
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
      items: items === undefined ? undefined : { ...items, holm: NaN },
    },
  ]
}

/** A pair that has no p-value, as one whose differences are all 0, counts as one of 1. */
function withHolm(pairs: readonly TypePair[]): TypePair[] {
  const corrected = holm(pairs.map(({ p }) => (Number.isNaN(p.wilcoxon) ? 1 : p.wilcoxon)))
  const ofItems = holmBy(new Map(pairs.flatMap((pair) => (pair.items === undefined ? [] : [[pair, pair.items.p]]))))
  return pairs.map((pair, i) => ({
    ...pair,
    p: { ...pair.p, holm: corrected[i] ?? 1 },
    items: pair.items === undefined ? undefined : { ...pair.items, holm: ofItems.get(pair) ?? 1 },
  }))
}
