/** strata-lm as a library: open a model, get vectors of any layer, score them on the field's tasks. */
export { Fault, type Embedder, type FaultCode, type Matrix, type Result, type TensorSource } from '#core'
export { aggregateReport, runAggregate } from '#experiment/aggregate'
export { encode, evaluate, layerVectors, planSweep, runSweep, type EvaluateOptions } from '#experiment/sweep'
export { exportModel, type ExportModelOptions } from '#experiment/write'
export { openModel, openVectors, type OpenModelOptions } from '#experiment/open'
export { type Model } from '#model/checkpoint'
export { openTensors, readFloat32 } from '#files/formats'
export { openRepo } from '#files/hub'
export { openStore } from '#platform/vectors'
export {
  type AggregationMethod,
  aggregationMethods,
  aggregationNamed,
  qualityOf,
  transformedQuality,
} from '#representation/aggregation'
export { type Metric, metrics, type MetricValue } from '#representation/metrics'
export { layerSimilarity, similarities, type Similarity } from '#representation/similarity'
export { evaluateTask } from '#task/protocols'
export { findTasks } from '#task/registry'
export { loadTask } from '#task/rows'
