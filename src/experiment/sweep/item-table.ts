/** Scores of single items as one table per task: split, subset, and the columns of its type. */
import type { ItemScores } from '#task/protocols'
import type { Items } from '#result/ledger'

export function itemTable(parts: readonly ItemScores[]): Items {
  const names = [...new Set(parts.flatMap(({ columns }) => Object.keys(columns)))]
  const sample = (name: string): unknown =>
    parts.map(({ columns }) => columns[name]?.[0]).find((value) => value !== undefined)
  return {
    columns: [
      { name: 'split', type: 'text' },
      { name: 'subset', type: 'text' },
      ...names.map((name) => ({
        name,
        type: typeof sample(name) === 'string' ? ('text' as const) : ('number' as const),
      })),
    ],
    rows: parts.flatMap(({ split, subset, columns }) =>
      Array.from({ length: Math.max(0, ...Object.values(columns).map(({ length }) => length)) }, (_, at) => {
        const row: Record<string, string | number | null> = { split, subset }
        for (const name of names) row[name] = columns[name]?.[at] ?? null
        return row
      }),
    ),
  }
}
