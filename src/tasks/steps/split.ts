/** Split asked for → split read. */
import type { StepKind } from './step.ts'

export const split: StepKind<Readonly<Record<string, string>>> = {
  before: (wanted) => wanted,
  apply: (splits) => splits,
  splitRead: (name, names) => names[name] ?? name,
}
