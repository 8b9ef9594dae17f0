import { describe, expect, test } from 'vitest'
import { type Cell, numbers, partOfRows, partOfTable, type Table } from '#result/report'

const cell = (value: number | null): Cell => ({ text: value === null ? '–' : String(value), value })
const table: Table = {
  id: 'some',
  title: 'Some',
  notes: [],
  columns: [{ title: 'name' }, ...numbers('score')],
  rows: [
    [{ text: 'h10' }, cell(3)],
    [{ text: 'h2' }, cell(null)],
    [{ text: 'h1 of b' }, cell(20)],
    [{ text: 'h9 of b' }, cell(1)],
  ],
}
const names = (view: Parameters<typeof partOfTable>[1]): string[] =>
  partOfTable(table, view).table.rows.map(([first]) => first?.text ?? '')

describe('a part of a table', () => {
  test('keeps the order, unless a column is asked for: numbers as numbers, names as people count', () => {
    expect(names({})).toEqual(['h10', 'h2', 'h1 of b', 'h9 of b'])
    expect(names({ sort: 0 })).toEqual(['h1 of b', 'h2', 'h9 of b', 'h10'])
    expect(names({ sort: 0, order: 'descending' })).toEqual(['h10', 'h9 of b', 'h2', 'h1 of b'])
    expect(names({ sort: 1 })).toEqual(['h9 of b', 'h10', 'h1 of b', 'h2'])
    expect(names({ sort: 1, order: 'descending' })).toEqual(['h1 of b', 'h10', 'h9 of b', 'h2'])
    expect(names({ sort: 7 })).toEqual(names({}))
  })

  test('has the rows with every word, and counts them', () => {
    const { table: rows, part } = partOfTable(table, { words: ' OF  h9' })
    expect([rows.rows.length, part.found, part.of]).toEqual([1, 1, 4])
    expect(names({ words: 'nothing' })).toEqual([])
  })

  test('begins at a row, and at the last part where there are fewer', () => {
    expect(names({ from: 1, size: 2 })).toEqual(['h2', 'h1 of b'])
    expect([names({ from: 90, size: 3 }), partOfTable(table, { from: 90, size: 3 }).part.from]).toEqual([
      ['h9 of b'],
      3,
    ])
    expect(partOfTable({ ...table, rows: [] }, { from: 9 }).part).toMatchObject({ from: 0, found: 0, of: 0 })
  })

  test('cells are made for the rows that are shown', () => {
    const made: number[] = []
    const { rows, ...head } = table
    const toCells = (at: number): readonly Cell[] => {
      made.push(at)
      return rows[at] ?? []
    }
    expect(partOfRows(head, [0, 1, 2, 3], toCells, { from: 2, size: 2 }).table.rows).toEqual(rows.slice(2))
    expect(made).toEqual([2, 3])
  })
})
