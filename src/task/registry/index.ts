/**
 * registry: the list of all tasks, and the choice of a user.
 *
 * In: names, globs, filters, benchmarks, task files. Out: task descriptions.
 * Never: a row of a data set, a model, a score.
 */
export { membersOf, withMembers } from './aggregates.ts'
export { allBenchmarks, type Benchmark, benchmarkNamed } from './benchmarks.ts'
export { findTasks, type FoundTasks, type SkippedTask, type TaskFilters } from './find-tasks.ts'
export { chooseTasks, type ChosenTasks } from './own/choose-tasks.ts'
export { isTaskPath, type OwnTasks, readTaskFiles } from './own/read-task-files.ts'
export { withPresets as expandTasks } from './presets.ts'
export { splitSizes, taskSize, type TaskSize } from './sizes.ts'
