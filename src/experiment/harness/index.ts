/**
 * harness: runs of lm-evaluation-harness tasks on a language model.
 *
 * In: a language model, chosen tasks, the harness's settings. Out: scores of tasks and groups, documents, the files that the harness writes.
 * Never: a reference to resolve, a rule of a task's own, a word on the console.
 */
export { type Answers, openAnswers } from './answers.ts'
export type { KeptAnswer } from './ask-model.ts'
export { noticesOf, resultsDocument } from './results-document.ts'
export { type HarnessRun, type HarnessSettings, runHarness, type TaskRun } from './run-harness.ts'
export { type OutputPlace, outputPlace, writeResults, writeSamples } from './write-files.ts'
export { taskRoots } from './task-roots.ts'
export { sampleRows, type SampleRow, taskHash } from './sample-rows.ts'
