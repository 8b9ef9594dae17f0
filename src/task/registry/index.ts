/**
 * registry: the tasks – which there are, which of them a user means, and their rows.
 *
 * In: names, globs, filters; a way to open data-set repositories. Out: task descriptions; texts, labels, gold scores,
 * judgements, chosen by name.
 * Never: a model, a score, a subset or column chosen because it came first, an empty result.
 */
export { membersOf, withMembers } from './aggregates.ts'
export { askingTask, sidesOf } from './asking-task.ts'
export { allBenchmarks, type Benchmark, benchmarkNamed } from './benchmarks.ts'
export type { DatasetFiles, OpenDataset } from './dataset.ts'
export { type AskedTexts, datasetTexts, type DatasetTexts } from './dataset-texts.ts'
export { globMatcher } from './glob.ts'
export { withPresets as expandTasks } from './presets.ts'
export { findTasks, type FoundTasks, type SkippedTask, type TaskFilters } from './find-tasks.ts'
export { type AskedTask, askTask, type TaskChoice } from './asked-task.ts'
export { loadAsked, type LoadOptions, loadTask } from './load-task.ts'
export type {
  BitextPart,
  ClassificationPart,
  ClusteringPart,
  ClusterSetsPart,
  Corpus,
  Labelled,
  LabelledPart,
  LoadedParts,
  LoadedTask,
  MissingPart,
  MultiLabelled,
  MultilabelPart,
  PairPart,
  PartOf,
  PartOfProtocol,
  Passages,
  RegressionPart,
  RetrievalPart,
  StsPart,
  SummarizationPart,
  TextGroup,
} from './loaded-task.ts'
export { chooseTasks, type ChosenTasks } from './own/choose-tasks.ts'
export { isTaskPath, type OwnTasks, readTaskFiles } from './own/read-task-files.ts'
export { isDivided } from './protocols/clustering-legacy.ts'
export { isClustering, hasShares, runsOn } from './protocols/table.ts'
export { sampledRows, undersample } from './protocols/undersample.ts'
export { splitSizes, taskSize, type TaskSize } from './sizes.ts'
export { type Profile, profiles } from './profiles.ts'
export type { TaskStep } from './steps/table.ts'
export { type TaskRow, type TaskRows, taskRows } from './task-rows.ts'
export type { Protocol, SpecificScores, TaskInfo, TaskParams, TaskSelection, TaskType } from './task.ts'
export { textBlocks, type TextList, type Texts, textsAt } from './text-list.ts'
export { type Validation, validationOf } from './validation.ts'
export type { Label } from './values.ts'
export { openWholeSplits, type WholeSplitOptions, type WholeSplits } from './whole-split.ts'
