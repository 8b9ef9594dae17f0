/** Languages of MASSIVE's locales, with their features in URIEL (Littell et al. 2017, by way of lang2vec). */
import { fault, suggestion } from '#core'

/** Sets of features, as lang2vec names them. `_knn` has no gaps: they are filled from near languages. `fam`: families. */
export type FeatureSet =
  | 'syntax_knn'
  | 'syntax_average'
  | 'phonology_knn'
  | 'phonology_average'
  | 'inventory_knn'
  | 'inventory_average'
  | 'fam'

export interface Language {
  /** As MASSIVE names it: `sq-AL`. */
  readonly locale: string
  /** ISO 639-3: `sqi`. zh-CN and zh-TW share one. */
  readonly language: string
  /** The largest first: `Indo-European`, `Germanic`, …. */
  readonly families: readonly string[]
  /** Values in 0 … 1, null where a value is unknown. */
  readonly features: Readonly<Record<Exclude<FeatureSet, 'fam'>, readonly (number | null)[]>>
}

type Row = Readonly<Record<Exclude<FeatureSet, 'fam'>, string>> & Pick<Language, 'language' | 'families'>
let read: Promise<ReadonlyMap<string, Language>> | undefined

/** The 52 of MASSIVE 1.1, by locale, sorted. */
export function languages(): Promise<ReadonlyMap<string, Language>> {
  read ??= import('./languages.json', { with: { type: 'json' } }).then(
    ({ default: file }) =>
      new Map(
        Object.entries(file as Readonly<Record<string, Row>>).map(([locale, one]) => [locale, toLanguage(locale, one)]),
      ),
  )
  return read
}

function toLanguage(locale: string, { language, families, ...digits }: Row): Language {
  const features = Object.fromEntries(Object.entries(digits).map(([set, text]) => [set, text.split('').map(toValue)]))
  return { locale, language, families, features: features as unknown as Language['features'] }
}

/** A digit is the value in twelfths. */
function toValue(digit: string): number | null {
  return digit === '-' ? null : Number.parseInt(digit, 16) / 12
}

/**
 * The locale that a word names: `sq-AL`, in any case and with `_`, or the code of a language that has one locale, `sqi`
 * or `sq`. Throws `usage.value` for any other.
 */
export function toLocale(word: string, known: ReadonlyMap<string, Pick<Language, 'locale' | 'language'>>): string {
  const wanted = word.replace('_', '-').toLowerCase()
  const found = [...known.values()].filter(
    ({ locale, language }) =>
      locale.toLowerCase() === wanted || language === wanted || locale.split('-')[0]?.toLowerCase() === wanted,
  )
  const [first, ...more] = found
  if (first === undefined)
    throw fault('usage.value', {
      place: word,
      what: 'no such locale',
      hint: suggestion(word, [...known.keys()]),
    })
  if (more.length > 0)
    throw fault('usage.value', {
      place: word,
      what: 'more than one locale has this language',
      seen: found.map(({ locale }) => locale).join(', '),
      hint: 'name the locale',
    })
  return first.locale
}
