/**
 * ask: tasks of lm-evaluation-harness asked of a language model.
 *
 * In: a language model, chosen tasks, the harness's settings. Out: scores of tasks and groups, documents, the files
 * that the harness writes.
 * Never: a reference to resolve, a rule of a task's own, a word on the console.
 */
export { openData, openTaskIndex, openTasks, type OpenTasksOptions } from './open-tasks.ts'
export { openRecordedModel } from './recorded-model.ts'
export {
  type HarnessRun,
  type HarnessSettings,
  reasonsAgainst,
  runHarness,
  type RunOptions,
  type TaskRun,
} from './run-harness.ts'
export { type FolderOptions, type FolderRun, runIntoFolder } from './run-into-folder.ts'
export { noticesFor } from './task-notices.ts'
export { harnessHome } from './task-roots.ts'
