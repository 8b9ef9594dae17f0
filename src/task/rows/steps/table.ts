/**
 * The vocabulary of steps: what the registry may say about the rows between a data set and its task. A kind of step =
 * its file + one line here.
 */
import { Fault, fault } from '#core'
import { codeBy } from './code-by.ts'
import { concat } from './concat.ts'
import { config } from './config.ts'
import { count } from './count.ts'
import { cut } from './cut.ts'
import { digest } from './digest.ts'
import { divide } from './divide.ts'
import { draw } from './draw.ts'
import { encode } from './encode.ts'
import { explode } from './explode.ts'
import { filter } from './filter.ts'
import { firstOf } from './first-of.ts'
import { head } from './head.ts'
import { item } from './item.ts'
import { keepSplits } from './keep-splits.ts'
import { labelNames } from './label-names.ts'
import { latest } from './latest.ts'
import { melt } from './melt.ts'
import { multiHot } from './multi-hot.ts'
import { number } from './number.ts'
import { pair } from './pair.ts'
import { parts } from './parts.ts'
import { permute } from './permute.ts'
import { pythonSample } from './python-sample.ts'
import { rank } from './rank.ts'
import { relabel } from './relabel.ts'
import { rename } from './rename.ts'
import { repeated } from './repeated.ts'
import { running } from './running.ts'
import { sampleLists } from './sample-lists.ts'
import { sets } from './sets.ts'
import { shared } from './shared.ts'
import { shuffle } from './shuffle.ts'
import { softLabel } from './soft-label.ts'
import { split } from './split.ts'
import { splitBy } from './split-by.ts'
import { splitName } from './split-name.ts'
import { stack } from './stack.ts'
import type { ConfigPart, Splits, StepKind, StepScope } from './step.ts'
import { subsample } from './subsample.ts'
import { unique } from './unique.ts'
import { uniteConfigs } from './unite-configs.ts'
import { unite } from './unite.ts'
import { unroll } from './unroll.ts'
import { write } from './write.ts'

const kinds = {
  codeBy,
  concat,
  config,
  count,
  cut,
  digest,
  divide,
  draw,
  encode,
  explode,
  filter,
  firstOf,
  head,
  item,
  keepSplits,
  labelNames,
  latest,
  melt,
  multiHot,
  number,
  pair,
  parts,
  permute,
  pythonSample,
  rank,
  relabel,
  rename,
  repeated,
  running,
  sampleLists,
  sets,
  shared,
  shuffle,
  softLabel,
  split,
  splitBy,
  splitName,
  stack,
  subsample,
  unique,
  unite,
  uniteConfigs,
  unroll,
  write,
}

/** Words of the vocabulary, and `bySubset`, which holds steps of single subsets. */
export const stepNames: readonly string[] = [...Object.keys(kinds), 'bySubset']

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

/** Columns of the data set that the steps take where they exist. */
export function rawOptional(steps: readonly TaskStep[], scope: StepScope): string[] {
  return stepsOf(scope, steps).flatMap((step) => withKind(step, (kind, spec) => kind.optional?.(spec) ?? []))
}

/**
 * Raw splits that must be read so that the steps can end in `wanted`, in the data set's order (`all`); names it does
 * not have come last.
 * `declared` are its columns of class labels.
 */
export function rawSplits(
  wanted: readonly string[],
  steps: readonly TaskStep[],
  { all, declared = new Set(), ...scope }: StepScope & { all: readonly string[]; declared?: ReadonlySet<string> },
): string[] {
  const own = stepsOf(scope, steps)
  const needed = own.reduceRight<ReadonlySet<string>>((names, step, at) => {
    const isDeclared = (column: string): boolean =>
      rawColumns([column], own.slice(0, at), scope).every((raw) => declared.has(raw))
    return withKind(step, (kind, spec) => kind.splitsBefore?.(names, spec, all, isDeclared) ?? names)
  }, new Set(wanted))
  return [...all.filter((name) => needed.has(name)), ...[...needed].filter((name) => !all.includes(name))]
}

/**
 * The config that a subset is read from: `{ name }`, undefined within for the standard one; undefined when no step
 * says.
 */
export function rawConfig(
  scope: StepScope,
  steps: readonly TaskStep[],
): { readonly name: string | undefined } | undefined {
  for (const step of stepsOf(scope, steps)) {
    const found = withKind(step, (kind, spec) => kind.configRead && { name: kind.configRead(scope.subset, spec) })
    if (found !== undefined) return found
  }
  return undefined
}

/** The configs that a split is put together from; undefined when it is read from one. */
export function rawConfigs(
  split: string,
  steps: readonly TaskStep[],
  scope: StepScope,
): readonly ConfigPart[] | undefined {
  for (const step of stepsOf(scope, steps)) {
    const found = withKind(step, (kind, spec) => kind.configsRead?.(spec, split))
    if (found !== undefined) return found
  }
  return undefined
}

/** Runs the steps over the splits of one subset. */
export function applySteps(splits: Splits, steps: readonly TaskStep[], scope: StepScope): Splits {
  return stepsOf(scope, steps).reduce(
    (current, step) => withKind(step, (kind, spec) => kind.apply(current, spec, scope)),
    splits,
  )
}

function stepsOf({ subset }: StepScope, steps: readonly TaskStep[]): PlainStep[] {
  return steps.flatMap((step) => ('bySubset' in step ? (step.bySubset[subset] ?? []) : [step]))
}

function withKind<Result>(step: PlainStep, use: <Spec>(kind: StepKind<Spec>, spec: Spec) => Result): Result {
  const [name, spec] = Object.entries(step)[0] as [keyof Kinds, never]
  try {
    return use(kinds[name] as StepKind<never>, spec)
  } catch (error) {
    if (error instanceof Fault) throw error
    // the registry's steps are checked by the compiler; a user's are not
    throw fault('usage.value', {
      place: `step ${name}`,
      what: 'cannot be done as it is written',
      seen: spec,
      hint: 'docs/recipes/own-data.md shows steps',
      cause: error,
    })
  }
}
