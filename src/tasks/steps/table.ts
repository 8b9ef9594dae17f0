/** The vocabulary of steps: what the registry may say about the rows between a data set and its task. A kind of step = its file + one line here. */
import { encode } from './encode.ts'
import { number } from './number.ts'
import { relabel } from './relabel.ts'
import { rename } from './rename.ts'
import { split } from './split.ts'
import type { Splits, StepKind } from './step.ts'
import { subsample } from './subsample.ts'

const kinds = { encode, number, relabel, rename, split, subsample }

type Kinds = typeof kinds
type SpecOf<Kind> = Kind extends StepKind<infer Spec> ? Spec : never

/** A change to the rows, in the order of the list: one key, the kind; its value says how. */
export type TaskStep = { readonly [Name in keyof Kinds]: { readonly [Key in Name]: SpecOf<Kinds[Name]> } }[keyof Kinds]

/** Raw columns that must be read so that the steps can end in `wanted`. */
export function rawColumns(wanted: readonly string[], steps: readonly TaskStep[]): string[] {
  return [...steps.reduceRight<ReadonlySet<string>>((needed, step) => withKind(step, (kind, spec) => kind.before(needed, spec)), new Set(wanted))]
}

/** The split to read for the split that is asked for. */
export function rawSplit(name: string, steps: readonly TaskStep[]): string {
  return steps.reduce((known, step) => withKind(step, (kind, spec) => kind.splitRead?.(known, spec) ?? known), name)
}

/** Runs the steps over the splits of one subset. */
export function applySteps(splits: Splits, steps: readonly TaskStep[]): Splits {
  return steps.reduce((current, step) => withKind(step, (kind, spec) => kind.apply(current, spec)), splits)
}

function withKind<Result>(step: TaskStep, use: <Spec>(kind: StepKind<Spec>, spec: Spec) => Result): Result {
  const [name, spec] = Object.entries(step)[0] as [keyof Kinds, never]
  return use(kinds[name] as StepKind<never>, spec)
}
