/** Matrices and determinants (latex2sympy2_extended): rows of expressions, one line end at their end. */
import { call, type Expression } from './expression.ts'
import { look, type Reading, type Rules, takes } from './reading.ts'

export function matrixOf(reading: Reading, rules: Rules): Expression | undefined {
  const start = look(reading)
  if (start.kind !== 'matrix' || !start.text.startsWith('\\begin')) return undefined
  reading.at++
  const rows: Expression[][] = []
  do {
    if (rows.length > 0 && isEnd(reading)) break
    const row = rowOf(reading, rules)
    if (row === undefined) return undefined
    rows.push(row)
  } while (takes(reading, '\\\\'))
  if (!isEnd(reading)) return undefined
  const [began, ended] = [start.text, look(reading).text].map((text) => {
    if (text.includes('vmatrix')) return 'det'
    return text.includes('array') ? 'array' : 'matrix'
  })
  reading.at++
  const width = rows[0]?.length ?? 0
  if (began !== ended || rows.some((row) => row.length !== width)) return undefined
  const matrix: Expression = { kind: 'matrix', rows }
  if (began !== 'det') return matrix
  return rows.length === width ? call('det', matrix) : undefined
}

const isEnd = (reading: Reading): boolean => look(reading).kind === 'matrix' && look(reading).text.startsWith('\\end')

function rowOf(reading: Reading, rules: Rules): Expression[] | undefined {
  const row: Expression[] = []
  do {
    const entry = rules.expression()
    if (entry === undefined) return undefined
    row.push(entry)
  } while (takes(reading, '&'))
  return row
}
