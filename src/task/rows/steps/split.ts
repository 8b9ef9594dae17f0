/** Split asked for → split read. */
import type { StepKind } from './step.ts'

export const split: StepKind<Readonly<Record<string, string>>> = {
  before: (wanted) => wanted,
  splitsBefore: (wanted, names) => new Set([...wanted].map((name) => names[name] ?? name)),
  apply(splits, names) {
    const renamed = Object.entries(names).flatMap(([name, read]) => {
      const rows = splits.get(read)
      return rows === undefined ? [] : [[name, rows] as const]
    })
    return new Map([...splits, ...renamed])
  },
}
