/**
 * tasks: what is asked – the registry of tasks, which of them a user means, and their rows.
 *
 * In: names, globs, filters; a way to open data-set repositories. Out: task descriptions; texts, labels, gold scores, judgements, chosen by name.
 * Never: a model, a score, a subset or column taken because it came first, an empty result.
 */
export { findTasks, type FoundTasks, type TaskFilters } from './find-tasks.ts'
export type { OpenDataset } from './dataset.ts'
export type { ClassificationPart, Labelled, LoadedParts, LoadedTask, MissingPart, PartOf, Passages, RetrievalPart, StsPart, TextGroup } from './loaded-task.ts'
export { chooseSubsets, type LoadOptions, loadTask, sampledRows } from './load-task.ts'
export { type TaskInfo, type TaskParams, type TaskStep, type TaskType, taskTypes } from './task.ts'
export { undersample } from './undersample.ts'
export type { Label } from './values.ts'
