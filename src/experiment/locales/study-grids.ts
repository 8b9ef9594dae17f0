/** What a study knows of every model on every locale: the weights of its sources, and the accuracies of its models. */
import type { LocaleGrid } from './locale-grid.ts'

/** Undefined where nothing is known, as of results without their study. */
export interface StudyGrids {
  readonly weights?: LocaleGrid | undefined
  readonly accuracies?: LocaleGrid | undefined
}

export interface StudyEntry {
  /** References by type; that of `baseline` is the model of the locale itself. */
  readonly models: Readonly<Record<string, string>>
  /** By locale. */
  readonly sources?:
    | Readonly<Record<string, { readonly model: string; readonly weight?: number | undefined }>>
    | undefined
}

/**
 * `accuracyOf`: of a reference on a locale. A model belongs to the locale whose baseline or source it is; a target's
 * own list of sources comes first where lists differ.
 */
export function studyGrids(
  locales: Readonly<Record<string, StudyEntry>>,
  accuracyOf: (reference: string, locale: string) => number | undefined,
): StudyGrids {
  const entries = Object.entries(locales)
  const models = new Map<string, string>()
  for (const [, { sources = {} }] of entries)
    for (const [source, { model }] of Object.entries(sources)) models.set(source, model)
  for (const [locale, { models: own }] of entries)
    if (own['baseline'] !== undefined) models.set(locale, own['baseline'])
  const weightOf = ({ sources }: StudyEntry, source: string): number | null => sources?.[source]?.weight ?? null
  const scoreOf = (target: string, { sources }: StudyEntry, source: string): number | null => {
    const reference = sources?.[source]?.model ?? models.get(source)
    return reference === undefined ? null : (accuracyOf(reference, target) ?? null)
  }
  const grid = (valueOf: (target: string, entry: StudyEntry, source: string) => number | null): LocaleGrid =>
    withoutEmpty({
      targets: entries.map(([target]) => target),
      sources: [...models.keys()],
      values: entries.map(([target, entry]) => [...models.keys()].map((source) => valueOf(target, entry, source))),
    })
  const [weights, accuracies] = [grid((_, entry, source) => weightOf(entry, source)), grid(scoreOf)]
  return {
    weights: weights.values.length === 0 ? undefined : weights,
    accuracies: accuracies.values.length === 0 ? undefined : accuracies,
  }
}

/** Without rows and columns that have no number. */
function withoutEmpty({ targets, sources, values }: LocaleGrid): LocaleGrid {
  const rows = values.flatMap((row, i) => (row.some((value) => value !== null) ? [i] : []))
  const columns = sources.flatMap((_, j) => (values.some((row) => (row[j] ?? null) !== null) ? [j] : []))
  return {
    targets: rows.map((i) => targets[i] ?? ''),
    sources: columns.map((j) => sources[j] ?? ''),
    values: rows.map((i) => columns.map((j) => values[i]?.[j] ?? null)),
  }
}
