/** A form in which results leave Strata: finished results in, files out. */
import type { StoredResult } from '#result/ledger'

/** A finished result with the names that it is filed under. */
export interface FinishedResult {
  readonly model: string
  readonly revision: string
  readonly representation: string
  readonly task: string
  readonly result: StoredResult
  /** Text of the `model_meta.json` next to it; undefined: there is none. */
  readonly meta: string | undefined
}

/** Facts of a task that other programs want next to its scores. */
export interface TaskFacts {
  readonly type: string
  /** Data set on the hub, and its commit. */
  readonly dataset: { readonly path: string; readonly revision?: string | undefined }
  readonly mainScore: string
  readonly splits: readonly string[]
  readonly subsets: readonly string[]
}

export interface ExportedFile {
  /** Below the output folder, with `/`. */
  readonly path: string
  readonly content: string | Uint8Array
}

export interface FormatContext {
  /** Undefined for a task that the registry does not know. */
  readonly taskFacts: (task: string) => TaskFacts | undefined
  /** The output folder as a `file:` address, without a slash at its end. */
  readonly address: string
}

export interface ResultFormat {
  /** The files describe one model, seen through one representation. */
  readonly isOfOneModel: boolean
  files(results: readonly FinishedResult[], context: FormatContext): ExportedFile[]
}

/** Scores of every split and subset that has one. */
export function scoredParts({
  scores = {},
}: Pick<StoredResult, 'scores'>): { split: string; subset: string; score: number }[] {
  return Object.entries(scores).flatMap(([split, parts]) =>
    parts.flatMap(({ hf_subset: subset, main_score: score }) => (score === null ? [] : [{ split, subset, score }])),
  )
}

/** Results with the same key, in order of first appearance. */
export function inGroups(
  results: readonly FinishedResult[],
  keyOf: (one: FinishedResult) => string,
): ReadonlyMap<string, readonly FinishedResult[]> {
  const groups = new Map<string, FinishedResult[]>()
  for (const one of results) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}
