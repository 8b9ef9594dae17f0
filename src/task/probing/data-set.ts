/** A probing data set: what a probe is to read off the vectors of a text, and of which parts of it. */

/** Holmes's kinds of input. `BI`: each text passes the model alone; `CROSS`: both as one. */
export const taskTypes = [
  'SENTENCE',
  'SENTENCE_TOKENS',
  'SENTENCE_SPANS',
  'SENTENCE_PAIR_BI',
  'SENTENCE_PAIR_CROSS',
  'SENTENCE_PAIR_TOKENS_BI',
  'SENTENCE_PAIR_TOKENS_CROSS',
] as const
export type TaskType = (typeof taskTypes)[number]

export type ProbeSplit = 'train' | 'dev' | 'test'

/** A text, or a part of one of the instance's contexts. */
export interface ProbeInput {
  readonly text: string
  /** Which context, and from which character to which, in code points. */
  readonly span?: { readonly context: number; readonly start: number; readonly end: number } | undefined
  /** Inputs of one slot are averaged; slots stand side by side. Default: each input is a slot of its own. */
  readonly slot?: number | undefined
}

export interface ProbeInstance {
  readonly id: string
  readonly inputs: readonly ProbeInput[]
  readonly contexts: readonly string[]
  /** A class, or a number. */
  readonly label: number
  readonly split: ProbeSplit
}

export interface ProbeDataSet {
  /** As in results: `blimp-adjunct_island`. */
  readonly name: string
  readonly taskType: TaskType
  /** Names of the classes where they are known; empty for a number. */
  readonly labels: readonly string[]
  /** 1 for a number. */
  readonly classes: number
  readonly instances: readonly ProbeInstance[]
  /** Where it stands in Holmes's taxonomy, as far as its source says. */
  readonly subfield?: string | undefined
  readonly phenomenon?: string | undefined
}

/**
 * Positions of the instances of one split, in their order.
 *
 * @example
 * ```ts
 * import { openProbeData, rowsOf } from 'strata-lm/probing'
 *
 * for await (const dataSet of (await openProbeData('blimp:blimp')).dataSets())
 *   console.log((['train', 'dev', 'test'] as const).map((split) => rowsOf(dataSet, split).length)) // → [ 28, 4, 8 ]
 * ```
 */
export function rowsOf({ instances }: ProbeDataSet, split: ProbeSplit): Int32Array {
  return Int32Array.from(instances.flatMap((one, row) => (one.split === split ? [row] : [])))
}
