/** What a way of merging gains over a plain average, locale by locale, with intervals over texts. */
import { meanIntervals } from '#result/statistics'
import type { LocaleComparison } from './compare-locales.ts'
import { type LocaleRun, sourceTypes } from './read-runs.ts'

/** Accuracy of `first` minus that of `second`. */
export interface Gains {
  readonly first: string
  readonly second: string
  /** Sorted by locale. */
  readonly locales: readonly Gain[]
}

export interface Gain {
  readonly locale: string
  readonly gain: number
  /** 95 % of the resamples of the texts, both types on the same ones; undefined where their answers are not kept. */
  readonly interval: { readonly low: number; readonly high: number } | undefined
}

/**
 * Every other merge minus the average, or minus the first merge where no average is among them; a single merge
 * minus the baseline.
 */
export function toGains(runs: readonly LocaleRun[], { types, rows, summary, repeated }: LocaleComparison): Gains[] {
  const merges = types.filter((type) => Object.hasOwn(summary, type) && !isReference(type))
  const second = merges.includes('average') ? 'average' : merges[0]
  const others = merges.filter((type) => type !== second)
  const pairs = pairsFrom(others, second, Object.hasOwn(summary, 'baseline'))
  const counted = runs.filter((run) => !repeated.includes(run))
  const answersOf = (locale: string, type: string): Uint8Array | undefined =>
    counted.find((run) => run.locale === locale && run.type === type)?.answers
  const found = pairs.map((pair) => ({ ...pair, locales: [] as Gain[] }))
  for (const { locale, accuracy } of rows) {
    const here = found.filter(({ first, second: other }) =>
      [first, other].every((type) => Object.hasOwn(accuracy, type)),
    )
    const differences = here.map((pair) => differencesIn(answersOf(locale, pair.first), answersOf(locale, pair.second)))
    const intervals = intervalsOf(differences)
    for (const [i, { first, second: other, locales }] of here.entries())
      locales.push({ locale, gain: (accuracy[first] ?? NaN) - (accuracy[other] ?? NaN), interval: intervals[i] })
  }
  return found
}

function pairsFrom(
  others: readonly string[],
  second: string | undefined,
  hasBaseline: boolean,
): Pick<Gains, 'first' | 'second'>[] {
  if (second === undefined) return []
  if (others.length > 0) return others.map((first) => ({ first, second }))
  return hasBaseline ? [{ first: second, second: 'baseline' }] : []
}

function isReference(type: string): boolean {
  return type === 'baseline' || sourceTypes.some((one) => one === type)
}

/** By text: 1 where only the first is right, −1 where only the second is. */
function differencesIn(first: Uint8Array | undefined, second: Uint8Array | undefined): Int8Array | undefined {
  if (first === undefined || second === undefined || first.length !== second.length) return undefined
  return Int8Array.from(first, (value, i) => value - (second[i] ?? 0))
}

/** From the same resamples of the texts, which lists of one length share. */
function intervalsOf(differences: readonly (Int8Array | undefined)[]): readonly Gain['interval'][] {
  const length = differences.find((one) => one !== undefined)?.length
  const there = differences.filter((one) => one !== undefined && one.length === length)
  const found = meanIntervals(there.filter((one) => one !== undefined))
  return differences.map((one) => found[there.indexOf(one)])
}
