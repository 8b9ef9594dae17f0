/** Only rows whose value is shared by enough rows: a class of one row can be neither stratified nor clustered. */
import { columnOf, eachSplit, pickRows, type StepKind } from './step.ts'

/** The column whose values occur at least twice, or `least` times, in their split. */
export type Repeated = string | { readonly column: string; readonly least: number }

export const repeated: StepKind<Repeated> = {
  before: (wanted, spec) => new Set([...wanted, columnAndLeast(spec).column]),
  apply: (splits, spec) =>
    eachSplit(splits, (rows) => {
      const { column, least } = columnAndLeast(spec)
      const values = columnOf(rows, column)
      const counts = new Map<unknown, number>()
      for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
      return pickRows(
        rows,
        values.flatMap((value, i) => ((counts.get(value) ?? 0) >= least ? [i] : [])),
      )
    }),
}

function columnAndLeast(spec: Repeated): { column: string; least: number } {
  return typeof spec === 'string' ? { column: spec, least: 2 } : spec
}
