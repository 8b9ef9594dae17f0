/** Section `locales` of an experiment: which model is scored on which locales. */
import type { ExperimentText } from './experiment-schema.ts'

export interface LocaleModel {
  readonly reference: string
  /** Subsets, in the order of the file. */
  readonly locales: readonly string[]
}

/** A recipe is known by its ending. */
export function isRecipe(name: string): boolean {
  return /\.ya?ml$/.test(name)
}

/** Every model, recipe and source once, with all of its locales, in the order of their first mention. */
export function localeModels(locales: ExperimentText['locales']): LocaleModel[] {
  const found = new Map<string, string[]>()
  for (const [locale, { models, sources = {} }] of Object.entries(locales ?? {}))
    for (const reference of [...Object.values(models), ...Object.values(sources).map(({ model }) => model)]) {
      const known = found.get(reference) ?? []
      if (!known.includes(locale)) known.push(locale)
      found.set(reference, known)
    }
  return [...found].map(([reference, own]) => ({ reference, locales: own }))
}
