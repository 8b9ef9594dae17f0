/** How well the model of each locale answers in every other one, from results. */
import { compareCodePoints, fault } from '#core'
import { listResults } from '#result/ledger'
import type { Language } from './languages.ts'
import { readSimilarity } from './similarity-file.ts'
import type { LocaleTable } from './weights.ts'

/** The model of a locale, as results name it. */
export interface ScoredModel {
  readonly name: string
  readonly revision: string
  /** As the study reads it: `default+len48` are other scores than `default`. Default: `default`. */
  readonly representation?: string | undefined
}

export interface AccuracyTable extends LocaleTable {
  /** Split that the accuracies are of; undefined where a file does not say it. */
  readonly split?: string | undefined
}

/** The first that a folder has results of: the others are what a study is judged by. */
const splits = ['validation', 'test'] as const

/**
 * Accuracies of the current models on MASSIVEIntent in a folder of results, those of the validation split where it has
 * some; NaN for a model that was not scored in a locale. Throws `usage.value` where none was scored anywhere.
 */
export async function readAccuracies(folder: string, models: ReadonlyMap<string, ScoredModel>): Promise<AccuracyTable> {
  const listed = await listResults(folder, { tasks: ['MASSIVEIntent'], status: 'ok' })
  for (const split of splits) {
    const found = [...models].flatMap(([source, { name, revision, representation = 'default' }]) => {
      const own = listed.find(
        (one) => one.model === name && one.revision === revision && one.representation === representation,
      )
      const scores = own?.result?.scores?.[split] ?? []
      const accuracies = scores.flatMap(({ hf_subset: target, main_score: accuracy }) =>
        accuracy === null ? [] : [[target, accuracy] as const],
      )
      return accuracies.length === 0 ? [] : [{ source, accuracies: new Map(accuracies) }]
    })
    const targets = [...new Set(found.flatMap(({ accuracies }) => [...accuracies.keys()]))].toSorted(compareCodePoints)
    if (targets.length === 0) continue
    return {
      targets,
      sources: found.map(({ source }) => source),
      values: targets.map((target) => found.map(({ accuracies }) => accuracies.get(target) ?? NaN)),
      split,
    }
  }
  throw fault('usage.value', {
    place: folder,
    what: 'no result of these models on MASSIVEIntent',
    seen: [...new Set(listed.map(({ representation }) => representation))],
    wanted: 'a folder that strata evaluate has written with the same --max-length, or results in the folder of a study',
  })
}

/** The same from a .csv. Throws what `readSimilarity` throws, and `usage.value` for a number outside 0 … 1. */
export async function readAccuracyFile(
  path: string,
  known: ReadonlyMap<string, Pick<Language, 'locale' | 'language'>>,
): Promise<AccuracyTable> {
  const table = await readSimilarity(path, known)
  const strange = table.values.flat().find((value) => !(value >= 0 && value <= 1))
  if (strange !== undefined)
    throw fault('usage.value', { place: path, what: 'is no accuracy', seen: strange, wanted: 'a number from 0 to 1' })
  return table
}
