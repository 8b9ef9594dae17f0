/**
 * ask: run tasks of lm-evaluation-harness on a language model.
 *
 * In: a language model, the chosen tasks, the harness's settings. Out: scores of tasks and groups, documents, the files
 * that the harness writes.
 * Never: resolving a reference, a rule of a single task, console output.
 */
export { answeredTasks, type AnsweredOptions } from './answered-tasks.ts'
export { checkSampleNames, openData, openTaskIndex, openTasks, type OpenTasksOptions } from './open-tasks.ts'
export { openRecordedModel } from './recorded-model.ts'
export { harnessHome } from './task-roots.ts'
export { noticesFor } from './task-notices.ts'
export type { HarnessSettings } from './harness-settings.ts'
export { harnessCost } from './harness-cost.ts'
export { type HarnessRun, reasonsAgainst, runHarness, type RunOptions, type TaskRun } from './run-harness.ts'
export { type FolderOptions, type FolderRun, runIntoFolder } from './run-into-folder.ts'
