/** Forgets all splits but these: what follows – the names of labels above all – no longer sees the others. */
import type { StepKind } from './step.ts'

export const keepSplits: StepKind<readonly string[]> = {
  before: (wanted) => wanted,
  splitsBefore: (wanted, names) => new Set(names.filter((name) => wanted.has(name))),
  apply: (splits, names) => new Map([...splits].filter(([split]) => names.includes(split))),
}
