/** Many rows in few bytes: oracles/packed_rows.py says how and writes them. */
import type { Row } from './made-repo.ts'

type Rule = { readonly text: string } | { readonly cycle: readonly unknown[] } | { readonly list: readonly unknown[] }

export type PackedRows =
  | readonly Row[]
  | { readonly rows: number | string; readonly columns: Readonly<Record<string, Rule>> }

export function unpackRows(packed: PackedRows): readonly Row[] {
  if (!('columns' in packed)) return packed
  const { rows, columns } = packed
  const numbers = typeof rows === 'number' ? Array.from({ length: rows }, (_, i) => i) : words(rows)
  return numbers.map((number, at) =>
    Object.fromEntries(Object.entries(columns).map(([name, rule]) => [name, valueOf(rule, at, number)])),
  )
}

function valueOf(rule: Rule, at: number, number: number): unknown {
  if ('text' in rule) return rule.text.replace('%', String(number))
  return 'cycle' in rule ? rule.cycle[number % rule.cycle.length] : rule.list[at]
}

/** 16-bit little-endian numbers of base64. */
function words(text: string): number[] {
  const bytes = Buffer.from(text, 'base64')
  return Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readUInt16LE(2 * i))
}
