/** A table of a report: the content of its cells, independent of the format. */

export interface Cell {
  readonly text: string
  /** The text's exact value, for sorting and for machine-readable files; null where there is none. */
  readonly value?: number | null | undefined
  /** Further words, shown when the pointer rests on the cell. */
  readonly tip?: string | undefined
  readonly best?: boolean | undefined
  readonly failed?: boolean | undefined
  /** Anchor in the page that the text leads to, without its `#`. */
  readonly link?: string | undefined
}

export interface Column {
  readonly title: string
  readonly number?: boolean | undefined
}

export interface Table {
  /** Anchor in a page. */
  readonly id: string
  /** Rows by tasks: the scores that everything after them is about. */
  readonly isScores?: boolean | undefined
  /** Closed until somebody opens it, where the format can. */
  readonly isFolded?: boolean | undefined
  readonly title: string
  readonly notes: readonly string[]
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}

export function counted(value: number): Cell {
  return { text: String(value), value }
}

/** Numeric columns, by their titles. */
export function numbers(...titles: readonly string[]): { readonly title: string; readonly number: true }[] {
  return titles.map((title) => ({ title, number: true as const }))
}
