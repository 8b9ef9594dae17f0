/** The outcome as a value: task × method, with the significant differences, and one sentence that names the winner. */
import type { Recipe } from './candidates.ts'
import type { ReferenceDifference } from './references.ts'
import type { Aggregated } from './run-aggregate.ts'

export interface MethodCell {
  readonly task: string
  readonly method: string
  /** The setting that validation chose for the method. */
  readonly recipe: Recipe
  readonly representation: string
  /** Weights of a weighted sum, by hidden state. */
  readonly weights: readonly number[] | undefined
  readonly validation: number | null
  readonly test: number | null
  readonly held: readonly ReferenceDifference[]
}

export interface TaskReport {
  readonly task: string
  /** The rows used for its choices. */
  readonly validation: string | null
  readonly cells: readonly MethodCell[]
  /**
   * Chosen by validation: among everything, among mixes of more than one layer, and the single layer. Undefined where
   * there is no such candidate.
   */
  readonly chosen: MethodCell | undefined
  readonly mix: MethodCell | undefined
  readonly single: { readonly representation: string; readonly test: number | null } | undefined
  /** Best test score of all candidates: known only afterwards. */
  readonly hindsight:
    | { readonly representation: string; readonly recipe: Recipe | null; readonly test: number }
    | undefined
  readonly last: number | null
  readonly default: number | null
  /** The chosen mix against the chosen single layer. */
  readonly mixAgainstSingle: ReferenceDifference | undefined
}

export interface AggregateReport {
  readonly model: string
  readonly revision: string
  readonly pooling: string
  readonly tasks: readonly TaskReport[]
  /**
   * Mean difference between the mixes and the single layers over the tasks, in score, and its sign-flip p-value; null
   * where there is nothing to compare.
   */
  readonly overTasks: {
    readonly difference: number
    readonly p: number
    readonly better: number
    readonly worse: number
    readonly tasks: number
  } | null
  readonly sentence: string
  readonly passed: Aggregated['passed']
  readonly seconds: number
  readonly corpus: Aggregated['corpus']
}
