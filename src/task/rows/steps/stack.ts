/** Several columns of texts stacked into one; the other columns are repeated for each. */
import { columnOf, eachSplit, type StepKind } from './step.ts'

export interface Stack {
  readonly columns: readonly string[]
  readonly as: string
}

export const stack: StepKind<Stack> = {
  before: (wanted, { columns, as }) => new Set([...[...wanted].filter((name) => name !== as), ...columns]),
  apply: (splits, { columns: names, as }) =>
    eachSplit(splits, (rows) => {
      const others = Object.entries(rows.columns).filter(([name]) => !names.includes(name))
      const repeated = others.map(([name, values]) => [name, names.flatMap(() => values)] as const)
      return {
        ...rows,
        rows: rows.rows * names.length,
        columns: { ...Object.fromEntries(repeated), [as]: names.flatMap((name) => columnOf(rows, name)) },
      }
    }),
}
