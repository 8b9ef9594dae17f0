/** Folders of results as merginguriel writes them: `{prefix}_{locale}/results.json`, one model on one locale each. */
import { basename, dirname, relative } from 'node:path'
import { asFault, type Fault, fault } from '#core'
import { localeFiles, readLocaleFile } from '#result/ledger'

/** One model on one locale. */
export interface LocaleRun {
  readonly locale: string
  /** `baseline`, `similarity`, `average`, or another prefix. */
  readonly type: string
  /** Name of the folder; its path, where another one has the same name. */
  readonly folder: string
  readonly accuracy: number
  readonly correct: number | null
  readonly total: number | null
  readonly errorRate: number | null
  readonly model: string | null
  readonly subfolder: string | null
  readonly timestamp: string | null
  /** By text: 1 for a right answer, 0 for a wrong one. */
  readonly answers?: Uint8Array | undefined
  /** By text: place of the answer in the task's list of labels, one past its end for a label that it lacks. */
  readonly predicted?: readonly number[] | undefined
}

export interface LocaleRuns {
  readonly runs: readonly LocaleRun[]
  /** Folders with a result whose names are not of this layout. */
  readonly unknown: readonly string[]
  readonly unreadable: readonly Fault[]
}

/** The three that merginguriel compares, whatever the rest of their name is. */
export const mainTypes = ['baseline', 'similarity', 'average'] as const

/** What the sources of a merge reach without it; the best one in hindsight. */
export const sourceTypes = ['weighted source', 'mean source', 'best source'] as const
export type SourceType = (typeof sourceTypes)[number]

/** Every run below `folder`, by path. `known`: locales that other prefixes count for. Throws `file.missing`. */
export async function readRuns(folder: string, known: ReadonlySet<string>): Promise<LocaleRuns> {
  const paths = await localeFiles(folder)
  if (paths === undefined) throw fault('file.missing', { place: folder, what: 'no such folder of results' })
  const count = new Map<string, number>()
  for (const path of paths) count.set(basename(dirname(path)), (count.get(basename(dirname(path))) ?? 0) + 1)
  const runs: LocaleRun[] = []
  const unknown: string[] = []
  const unreadable: Fault[] = []
  for (const path of paths) {
    const name = basename(dirname(path))
    const shown = (count.get(name) ?? 0) > 1 ? relative(folder, dirname(path)) : name
    const parts = partsOf(name, known)
    if (parts === undefined) unknown.push(shown)
    else
      try {
        runs.push({ ...parts, folder: shown, ...(await readRun(path, parts.locale)) })
      } catch (error) {
        unreadable.push(asFault(error, 'file.unreadable', path))
      }
  }
  return { runs, unknown, unreadable }
}

function partsOf(name: string, known: ReadonlySet<string>): Pick<LocaleRun, 'type' | 'locale'> | undefined {
  const [type = '', ...rest] = name.split('_')
  if (rest.length > 0 && mainTypes.some((one) => one === type)) return { type, locale: rest.join('_') }
  const last = rest.at(-1) ?? ''
  if (name.includes('massive_k_')) return { type: 'baseline', locale: last }
  return known.has(last) ? { type: name.slice(0, -last.length - 1), locale: last } : undefined
}

async function readRun(path: string, locale: string): Promise<Omit<LocaleRun, 'type' | 'locale' | 'folder'>> {
  const { locale: evaluated, split: _, ...found } = await readLocaleFile(path)
  if (evaluated !== null && evaluated !== locale)
    throw fault('result.invalid', {
      place: path,
      what: 'the folder names another locale than its result',
      seen: evaluated,
      wanted: locale,
    })
  return found
}
