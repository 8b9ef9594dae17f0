/** Numbers by locale × locale, such as weights or accuracies, where some are missing. */

export interface LocaleGrid {
  /** Rows: the locales that a merge is made for, or that models are scored on. */
  readonly targets: readonly string[]
  /** Columns: the locales of the models. */
  readonly sources: readonly string[]
  /** [targets][sources]; null where a target lacks a source. */
  readonly values: readonly (readonly (number | null)[])[]
}

/** The same numbers with rows and columns in this order. */
export function inOrder({ targets, sources, values }: LocaleGrid, order: readonly string[]): LocaleGrid {
  const sorted = (names: readonly string[]): string[] => order.filter((name) => names.includes(name))
  const [down, across] = [sorted(targets), sorted(sources)]
  return {
    targets: down,
    sources: across,
    values: down.map((target) =>
      across.map((source) => values[targets.indexOf(target)]?.[sources.indexOf(source)] ?? null),
    ),
  }
}
