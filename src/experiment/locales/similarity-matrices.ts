/** Similarities, weights and models of a study, in the layout of merginguriel: tables with languages as their keys. */
import { join } from 'node:path'
import { writeWhole } from '#platform/disk'
import { csvLines } from './csv-lines.ts'
import type { Language } from './languages.ts'
import { withoutSubfolder } from './model-list.ts'
import type { StudyLocales } from './study.ts'
import type { LocaleTable } from './weights.ts'

export interface MatrixOptions {
  readonly languages: ReadonlyMap<string, Pick<Language, 'locale' | 'language'>>
  readonly table: LocaleTable
  /** References by locale. */
  readonly models: ReadonlyMap<string, string>
  readonly locales: StudyLocales
  /** Folder inside every model, which is no part of its name. */
  readonly subfolder?: string | undefined
  readonly base?: string | undefined
  /** Owner of a model on the hub; null for others. */
  readonly authorOf: (model: string) => string | null
}

/**
 * Writes three tables and returns their paths. `language_similarity_matrix.csv`: sources × targets, as `--similarity`
 * reads it. `sparsed_language_similarity_matrix.csv`: targets of the study × sources, the weights of their merges.
 * `model_mapping.csv`: the models. Keys are languages as in the original (`sqi`), and locales where several share one,
 * of which the original loses all but the last. Throws `file.write`.
 */
export async function writeMatrices(folder: string, options: MatrixOptions): Promise<string[]> {
  const { table, models, locales } = options
  const key = keyOf(options)
  const names = new Set([...models.keys(), ...Object.keys(locales)])
  const targets = table.targets.filter((name) => names.has(name))
  const dense = table.sources.flatMap((source, j) =>
    names.has(source)
      ? [[key(source), ...targets.map((target) => table.values[table.targets.indexOf(target)]?.[j] ?? null)]]
      : [],
  )
  const sources = [...models.keys()]
  const sparse = Object.entries(locales).map(([target, { sources: own }]) => [
    key(target),
    ...sources.map((source) => own[source]?.weight ?? 0),
  ])
  const files = {
    'language_similarity_matrix.csv': [['', ...targets.map(key)], ...dense],
    'sparsed_language_similarity_matrix.csv': [['', ...sources.map(key)], ...sparse],
    'model_mapping.csv': [['', 'locale', 'model_name', 'author', 'base_model'], ...modelRows(options, key)],
  }
  for (const [name, rows] of Object.entries(files)) await writeWhole(join(folder, name), csvLines(rows))
  return Object.keys(files).map((name) => join(folder, name))
}

function keyOf({ languages, models, locales }: MatrixOptions): (locale: string) => string {
  const names = new Set([...models.keys(), ...Object.keys(locales)])
  const count = new Map<string, number>()
  for (const name of names) {
    const language = languages.get(name)?.language ?? name
    count.set(language, (count.get(language) ?? 0) + 1)
  }
  return (locale) => {
    const language = languages.get(locale)?.language ?? locale
    return (count.get(language) ?? 0) > 1 ? locale : language
  }
}

function modelRows(
  { models, subfolder, base, authorOf }: MatrixOptions,
  key: (locale: string) => string,
): (string | null)[][] {
  return [...models].map(([locale, reference]) => {
    const { model } = withoutSubfolder(reference, locale, subfolder)
    return [key(locale), locale, model, authorOf(model), base ?? null]
  })
}
