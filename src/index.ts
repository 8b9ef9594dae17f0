/**
 * strata-lm as a library: open a model, get vectors of any layer, score them on the field's tasks, merge models, search,
 * report. The rest is under `strata-lm/<door>`.
 *
 * @module strata-lm
 */
export { Fault, type Embedder, type FaultCode, type Matrix, type Result, type TensorSource } from '#core'
export { aggregateReport, runAggregate } from '#experiment/aggregate'
export { runHarness } from '#experiment/ask'
export {
  planExperiment,
  readExperiment,
  runExperiment,
  type RunExperimentOptions,
  type Experiment,
  type ExperimentPlan,
} from '#experiment/run'
export { runSearch } from '#experiment/search'
export { encode, evaluate, layerVectors, planSweep, runSweep, type EvaluateOptions } from '#experiment/sweep'
export { exportModel, type ExportModelOptions } from '#experiment/write'
export { openMergeFile, openModel, openVectors, type OpenModelOptions } from '#experiment/open'
export { type Model } from '#model/checkpoint'
export { parseRecipes, planMerge } from '#model/merge'
export { openTensors, readFloat32 } from '#files/formats'
export {
  type OpenedRepo,
  openRepo,
  type OpenRepoOptions,
  planPush,
  push,
  type Pushed,
  type PushOptions,
  type PushPlan,
} from '#files/hub'
export { openStore, type VectorStore } from '#platform/vectors'
export {
  type AggregationMethod,
  aggregationMethods,
  aggregationNamed,
  qualityOf,
  transformedQuality,
} from '#representation/aggregation'
export { type Metric, metrics, type MetricValue } from '#representation/metrics'
export { layerSimilarity, similarities, type Similarity } from '#representation/similarity'
export { renderReport, reportOf } from '#result/report'
export { evaluateTask } from '#task/protocols'
export { findTasks } from '#task/registry'
export { loadTask } from '#task/rows'
