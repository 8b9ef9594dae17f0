/**
 * rows: the rows of a task – data sets in the layout of their repositories, steps that change rows, tables of
 * retrieval, and a reader per protocol.
 *
 * In: a task's description, a way to open data-set repositories. Out: texts, labels, gold scores, judgements, chosen by
 * name.
 * Never: a list of all tasks, a model, a subset or column chosen because it came first, an empty result.
 */
export { askingTask, sidesOf } from './asking-task.ts'
export { type DatasetConfig, type DatasetLayout, exportLayout, readLayout } from './dataset-layout.ts'
export { datasetTexts, type DatasetTexts, type TextsRequest } from './dataset-texts.ts'
export type { DatasetFiles, OpenDataset } from './dataset.ts'
export { globMatcher, isGlob } from './glob.ts'
export { chooseLanguages, languageNames, speaks } from './languages.ts'
export { type LoadOptions, loadRequested, loadTask } from './load-task.ts'
export type {
  BitextPart,
  ClassificationPart,
  ClusteringPart,
  ClusterSetsPart,
  ContrastPart,
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
export { type PluginProtocol, protocolTable } from './own-protocols.ts'
export { parquetBranch } from './open-dataset.ts'
export { localFiles, ownConfig, ownLayout } from './local-files.ts'
export { type Profile, profileNames, profiles } from './profiles.ts'
export { isDivided } from './readers/clustering-legacy.ts'
export { hasShares, isClustering, readers, runsOn } from './readers/table.ts'
export { sampledRows, undersample } from './readers/undersample.ts'
export { rowFiles } from './split-files.ts'
export { stepNames, type TaskStep } from './steps/table.ts'
export type { RetrievalTables } from './tables/tables.ts'
export { requestTask, type TaskChoice, type TaskRequest } from './task-request.ts'
export { shareOfRows } from './share-of-rows.ts'
export { type TaskRow, type TaskRows, taskRows } from './task-rows.ts'
export {
  type Protocol,
  protocols,
  type SpecificScores,
  type TaskInfo,
  type TaskParams,
  type TaskSelection,
  type TaskType,
  taskTypes,
} from './task.ts'
export { textBlocks, type TextList, type Texts, textsAt } from './text-list.ts'
export { type Validation, validationOf } from './validation.ts'
export type { Label } from './values.ts'
export { openWholeSplits, type WholeSplitOptions, type WholeSplits } from './whole-split.ts'
