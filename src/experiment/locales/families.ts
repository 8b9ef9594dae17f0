/** Locales by the family of their language, as URIEL names it (after Glottolog). */
import { compareCodePoints } from '#core'
import type { Language } from './languages.ts'

/** A family of this many locales is divided into its branches. */
const large = 7
const nameless = 'no family in URIEL'

/** Locales by family, both sorted; branches of a large family are named `Indo-European: Germanic`. */
export function byFamily(
  locales: readonly string[],
  known: ReadonlyMap<string, Pick<Language, 'families'>>,
): ReadonlyMap<string, readonly string[]> {
  const familiesOf = (locale: string): readonly string[] => known.get(locale)?.families ?? []
  const whole = groupBy(locales, (locale) => familiesOf(locale)[0] ?? nameless)
  const found = [...whole].flatMap(([family, own]): (readonly [string, readonly string[]])[] =>
    own.length < large || family === nameless
      ? [[family, own]]
      : [...groupBy(own, (locale) => `${family}: ${familiesOf(locale)[1] ?? 'no branch'}`)],
  )
  // names in small letters come last
  return new Map(
    found.toSorted(([a], [b]) => compareCodePoints(a, b)).map(([name, own]) => [name, own.toSorted(compareCodePoints)]),
  )
}

function groupBy(locales: readonly string[], nameOf: (locale: string) => string): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>()
  for (const locale of locales) {
    const own = found.get(nameOf(locale)) ?? []
    own.push(locale)
    found.set(nameOf(locale), own)
  }
  return found
}
