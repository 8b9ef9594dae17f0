/** Columns that are named one way here and another there: the first name under which a split has values. */
import { fault } from '#core'
import { eachSplit, type StepKind } from './step.ts'

/** Column of the task → names it goes by. */
export type FirstOf = Readonly<Record<string, readonly string[]>>

export const firstOf: StepKind<FirstOf> = {
  before: (wanted, names) => new Set([...wanted].filter((name) => !Object.hasOwn(names, name))),
  optional: (names) => Object.values(names).flat(),
  apply: (splits, names) =>
    eachSplit(splits, (rows) => {
      const found = Object.entries(names).map(([name, candidates]) => {
        const own = candidates.find((candidate) => rows.columns[candidate]?.some((value) => value !== null))
        if (own === undefined)
          throw fault('task.column', { place: rows.place, what: `no column ${name}`, wanted: candidates })
        return { name, own, values: rows.columns[own] ?? [] }
      })
      const others = Object.entries(rows.columns).filter(([name]) => !Object.values(names).flat().includes(name))
      return {
        ...rows,
        columns: Object.fromEntries([...others, ...found.map(({ name, values }) => [name, values] as const)]),
        classLabels: new Map(
          found.flatMap(({ name, own }) =>
            rows.classLabels.has(own) ? [[name, rows.classLabels.get(own) ?? []] as const] : [],
          ),
        ),
      }
    }),
}
