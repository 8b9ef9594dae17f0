import { describe, expect, test } from 'vitest'
import { asText, asTextPage, type Table } from '#result/report'

const table: Table = {
  id: 'one',
  title: 'Models',
  notes: ['Scores × 100.'],
  columns: [{ title: 'model' }, { title: 'score', number: true }],
  rows: [
    [{ text: 'a' }, { text: '9.50', value: 0.095, best: true }],
    [{ text: 'longer' }, { text: '–', value: null }],
  ],
}

describe('a table as text', () => {
  test('aligns words to the left and numbers to the right, and marks the best', () => {
    expect(asText(table)).toEqual(['model   score', '──────  ─────', 'a       9.50*', 'longer      –'])
  })

  test('is as wide as what a terminal gets in the place of control characters', () => {
    expect(asText({ columns: [{ title: 'name' }, { title: 'x' }], rows: [['\u001b[2J', 'y']] })).toEqual([
      'name       x',
      '─────────  ─',
      '\\u001b[2J  y',
    ])
  })

  test('stands below its title, above its notes, apart from the next', () => {
    expect(asTextPage([table, { ...table, title: 'Again', notes: [], rows: [] }]).join('\n')).toMatch(
      /^Models\nmodel .*\n─.*\na .*\nlonger .*\nScores × 100\.\n\nAgain\nmodel {2}score\n─+ {2}─+$/,
    )
  })
})
