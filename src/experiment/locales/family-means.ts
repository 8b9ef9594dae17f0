/** Mean accuracy of every type by family of languages. */
import { mean } from '#core'
import type { LocaleComparison } from './compare-locales.ts'
import { byFamily } from './families.ts'
import type { Language } from './languages.ts'

export interface FamilyMeans {
  readonly family: string
  /** Those that have every type: their means can be compared. */
  readonly locales: readonly string[]
  /** The family's other locales. */
  readonly incomplete: readonly string[]
  /** By type; empty where no locale has every type. */
  readonly means: Readonly<Record<string, number>>
}

export function familyMeans(
  { rows, summary }: LocaleComparison,
  known: ReadonlyMap<string, Pick<Language, 'families'>>,
): FamilyMeans[] {
  const types = Object.keys(summary)
  const accuracies = new Map(rows.map(({ locale, accuracy }) => [locale, accuracy]))
  const isComplete = (locale: string): boolean => types.every((type) => accuracies.get(locale)?.[type] !== undefined)
  return [...byFamily([...accuracies.keys()], known)].map(([family, own]) => {
    const locales = own.filter(isComplete)
    const means = types.map(
      (type) => [type, mean(locales.flatMap((locale) => accuracies.get(locale)?.[type] ?? []))] as const,
    )
    return {
      family,
      locales,
      incomplete: own.filter((locale) => !locales.includes(locale)),
      means: locales.length === 0 ? {} : Object.fromEntries(means),
    }
  })
}
