/**
 * protocols: how a task is scored – one file per task type, each following mteb's protocol, in the profiles of its two
 * major versions.
 *
 * In: a loaded task and an embedder. Out: scores in mteb's shape, scores of single items, failed parts with their
 * reason.
 * Never: the inside of a model, a file, a data set, a result on disk, a NaN.
 */
export type { Checkpoints } from './checkpoints.ts'
export { taskProtocolLaws } from './contract.ts'
export {
  addTaskProtocols,
  defineTaskProtocol,
  type ProtocolScores,
  type ScoringContext,
  type TaskProtocolDefinition,
} from './define.ts'
export { findLegacyScores, legacyScore, type LegacyScore } from './contrast-legacy.ts'
export {
  type Subject,
  type EvaluateOptions,
  evaluateTask,
  type Evaluation,
  type FailedPart,
  type ItemScores,
  taskScore,
} from './evaluate-task.ts'
export type { ItemColumns, Reranking } from './part-scores.ts'
export { headNames } from './sequence-classification.ts'
export { implausible, type Watch, watched } from './plausibility.ts'
