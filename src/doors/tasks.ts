/**
 * The tasks and benchmarks of mteb, and your own: found by name, read, scored by the reference's protocols, swept over
 * representations.
 *
 * @module tasks
 */
export type { Embedder, Result, Scores, SequenceClassifier } from '#core'
export {
  allBenchmarks,
  type Benchmark,
  benchmarkNamed,
  chooseTasks,
  type ChosenTasks,
  findTasks,
  type FoundTasks,
  type OwnTasks,
  readTaskFiles,
  type TaskFilters,
  taskSize,
  type TaskSize,
} from '#task/registry'
export {
  type LoadedTask,
  type LoadOptions,
  loadTask,
  type TaskInfo,
  type TaskRow,
  taskRows,
  type TaskRows,
  type TaskType,
  taskTypes,
} from '#task/rows'
export {
  evaluateTask,
  type EvaluateOptions as EvaluateTaskOptions,
  type Evaluation,
  findLegacyScores,
  legacyScore,
  type LegacyScore,
  taskScore,
} from '#task/protocols'
export {
  evaluate,
  type EvaluateOptions,
  type Plan,
  planSweep,
  runSweep,
  type SweepOptions,
  type SweepResult,
} from '#experiment/sweep'
