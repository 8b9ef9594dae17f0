/** A table of similarities, or of accuracies, from a file. */
import { fault, suggestion } from '#core'
import { readColumns } from '#files/tables'
import { toNumber } from './number-cell.ts'
import type { LocaleTable } from './weights.ts'

/**
 * A .csv with a head of targets and a first column of sources: the accuracy of each source's model on each target, or a
 * table of similarities, which is symmetric. Throws `usage.value` for a name that is no locale and a cell that is no
 * number.
 */
export async function readSimilarity(path: string, known: ReadonlySet<string>): Promise<LocaleTable> {
  const { columns } = await readColumns([path])
  const [head, ...targets] = Object.keys(columns)
  const sources = (columns[head ?? ''] ?? []).map(String)
  const stranger = [...targets, ...sources].find((name) => !known.has(name))
  if (stranger !== undefined || targets.length === 0)
    throw fault('usage.value', {
      place: path,
      what: 'is no table of locales',
      seen: stranger,
      wanted: 'a head of targets, and a first column of sources',
      hint: stranger === undefined ? undefined : suggestion(stranger, [...known]),
    })
  const values = targets.map((target) =>
    sources.map((source, i) => toNumber(columns[target]?.[i], `${path} › ${source} › ${target}`)),
  )
  return { targets, sources, values }
}
