/** A table of similarities, or of accuracies, from a file. */
import { fault, suggestion } from '#core'
import { readColumns } from '#files/tables'
import type { Language } from './languages.ts'
import { toNumber } from './number-cell.ts'
import type { LocaleTable } from './weights.ts'

/**
 * A .csv with a head of targets and a first column of sources: the accuracy of each source's model on each target, or a
 * table of similarities, which is symmetric. A language such as `sqi` stands for its locale where it has but one. Throws
 * `usage.value` for a name that is no locale and a cell that is no number.
 */
export async function readSimilarity(
  path: string,
  known: ReadonlyMap<string, Pick<Language, 'locale' | 'language'>>,
): Promise<LocaleTable> {
  const { columns } = await readColumns([path])
  const [head, ...names] = Object.keys(columns)
  const given = (columns[head ?? ''] ?? []).map(String)
  const localeOf = (name: string): string => (known.has(name) ? name : (localeOfLanguage(name, known) ?? name))
  const [targets, sources] = [names.map(localeOf), given.map(localeOf)]
  const stranger = [...targets, ...sources].find((name) => !known.has(name))
  if (stranger !== undefined || targets.length === 0)
    throw fault('usage.value', {
      place: path,
      what: 'is no table of locales',
      seen: stranger,
      wanted: 'a head of targets, and a first column of sources',
      hint: stranger === undefined ? undefined : suggestion(stranger, [...known.keys()]),
    })
  const values = targets.map((target, j) =>
    sources.map((source, i) => toNumber(columns[names[j] ?? '']?.[i], `${path} › ${source} › ${target}`)),
  )
  return { targets, sources, values }
}

function localeOfLanguage(
  name: string,
  known: ReadonlyMap<string, Pick<Language, 'locale' | 'language'>>,
): string | undefined {
  const [only, ...more] = [...known.values()].filter(({ language }) => language === name)
  return more.length > 0 ? undefined : only?.locale
}
