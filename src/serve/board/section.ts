/** A part of the board's page: shown, replaced and asked for by itself. */
import { sha256 } from '#core'
import { partOfTable, type Table, tableSection, type TableView } from '#result/report'

export interface Section {
  /** Anchor in the page. */
  readonly id: string
  readonly title: string
  readonly kind: 'text' | 'table' | 'pictures'
  /** Whether it is shown before somebody asks for it. */
  readonly isOpen: boolean
  /** Another one whenever its content is. */
  readonly hash: string
  readonly html: (view: TableView) => string | Promise<string>
}

export function textSection(id: string, title: string, html: string): Section {
  return { id, title, kind: 'text', isOpen: true, hash: shortHash(html), html: () => html }
}

export interface TableSectionOptions {
  readonly isOpen?: boolean | undefined
  /** Changes the rows that are sent, such as by adding links. */
  readonly finish?: ((table: Table) => Table) | undefined
}

export function tablePart(table: Table, { isOpen = true, finish = (rows) => rows }: TableSectionOptions = {}): Section {
  return {
    id: table.id,
    title: table.title,
    kind: 'table',
    isOpen,
    hash: shortHash(JSON.stringify(table)),
    html(view) {
      const { table: rows, part } = partOfTable(table, view)
      return tableSection(finish(rows), { isOpen, part })
    },
  }
}

export function shortHash(text: string): string {
  return sha256(text).slice(0, 12)
}
