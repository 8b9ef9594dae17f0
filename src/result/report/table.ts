/** A table of a report: what is in which cell, whichever format prints it. */

export interface Cell {
  readonly text: string
  /** What the text says in full, for sorting and for files that programs read; null where there is none. */
  readonly value?: number | null | undefined
  /** More words, shown where a pointer rests. */
  readonly tip?: string | undefined
  readonly best?: boolean | undefined
  readonly failed?: boolean | undefined
}

export interface Table {
  /** Of its place in a page. */
  readonly id: string
  readonly title: string
  readonly notes: readonly string[]
  readonly columns: readonly { readonly title: string; readonly number?: boolean | undefined }[]
  readonly rows: readonly (readonly Cell[])[]
}

export function counted(value: number): Cell {
  return { text: String(value), value }
}

/** Columns of numbers, by their titles. */
export function numbers(...titles: readonly string[]): { readonly title: string; readonly number: true }[] {
  return titles.map((title) => ({ title, number: true as const }))
}
