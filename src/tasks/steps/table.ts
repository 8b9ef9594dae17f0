/** The vocabulary of steps: what the registry may say about the rows between a data set and its task. A kind of step = its file + one line here. */
import { concat } from './concat.ts'
import { config } from './config.ts'
import { draw } from './draw.ts'
import { encode } from './encode.ts'
import { explode } from './explode.ts'
import { gold } from './gold.ts'
import { head } from './head.ts'
import { item } from './item.ts'
import { keepSplits } from './keep-splits.ts'
import { number } from './number.ts'
import { pair } from './pair.ts'
import { parts } from './parts.ts'
import { pythonSample } from './python-sample.ts'
import { relabel } from './relabel.ts'
import { rename } from './rename.ts'
import { repeated } from './repeated.ts'
import { sampleLists } from './sample-lists.ts'
import { sets } from './sets.ts'
import { shuffle } from './shuffle.ts'
import { split } from './split.ts'
import { splitBy } from './split-by.ts'
import { stack } from './stack.ts'
import type { Splits, StepKind, StepScope } from './step.ts'
import { subsample } from './subsample.ts'
import { unique } from './unique.ts'
import { unite } from './unite.ts'

const kinds = {
  concat,
  config,
  draw,
  encode,
  explode,
  gold,
  head,
  item,
  keepSplits,
  number,
  pair,
  parts,
  pythonSample,
  relabel,
  rename,
  repeated,
  sampleLists,
  sets,
  shuffle,
  split,
  splitBy,
  stack,
  subsample,
  unique,
  unite,
}

type Kinds = typeof kinds
type SpecOf<Kind> = Kind extends StepKind<infer Spec> ? Spec : never

/** A change to the rows: one key, the kind; its value says how. */
type PlainStep = { readonly [Name in keyof Kinds]: { readonly [Key in Name]: SpecOf<Kinds[Name]> } }[keyof Kinds]

/** A step of every subset, or steps of single ones. */
export type TaskStep = PlainStep | { readonly bySubset: Readonly<Record<string, readonly PlainStep[]>> }

/** Raw columns that must be read so that the steps can end in `wanted`. */
export function rawColumns(wanted: readonly string[], steps: readonly TaskStep[], scope: StepScope): string[] {
  return [
    ...stepsOf(scope, steps).reduceRight<ReadonlySet<string>>(
      (needed, step) => withKind(step, (kind, spec) => kind.before(needed, spec, scope)),
      new Set(wanted),
    ),
  ]
}

/** Raw splits that must be read so that the steps can end in `wanted`, in the data set's order (`all`); names it does not have come last. */
export function rawSplits(wanted: readonly string[], steps: readonly TaskStep[], { all, ...scope }: StepScope & { all: readonly string[] }): string[] {
  const needed = stepsOf(scope, steps).reduceRight<ReadonlySet<string>>(
    (names, step) => withKind(step, (kind, spec) => kind.splitsBefore?.(names, spec, all) ?? names),
    new Set(wanted),
  )
  return [...all.filter((name) => needed.has(name)), ...[...needed].filter((name) => !all.includes(name))]
}

/** The config that a subset is read from: `{ name }`, undefined within for the standard one; undefined when no step says. */
export function rawConfig(scope: StepScope, steps: readonly TaskStep[]): { readonly name: string | undefined } | undefined {
  for (const step of stepsOf(scope, steps)) {
    const found = withKind(step, (kind, spec) => kind.configRead && { name: kind.configRead(scope.subset, spec) })
    if (found !== undefined) return found
  }
  return undefined
}

/** Runs the steps over the splits of one subset. */
export function applySteps(splits: Splits, steps: readonly TaskStep[], scope: StepScope): Splits {
  return stepsOf(scope, steps).reduce((current, step) => withKind(step, (kind, spec) => kind.apply(current, spec, scope)), splits)
}

function stepsOf({ subset }: StepScope, steps: readonly TaskStep[]): PlainStep[] {
  return steps.flatMap((step) => ('bySubset' in step ? (step.bySubset[subset] ?? []) : [step]))
}

function withKind<Result>(step: PlainStep, use: <Spec>(kind: StepKind<Spec>, spec: Spec) => Result): Result {
  const [name, spec] = Object.entries(step)[0] as [keyof Kinds, never]
  return use(kinds[name] as StepKind<never>, spec)
}
