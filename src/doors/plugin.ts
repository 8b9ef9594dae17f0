/**
 * Definitions of your own for `--plugin`: merge methods, ways to combine layers, metrics, similarities and task
 * protocols, by the interfaces of Strata's own.
 *
 * @module plugin
 */
export { type CallOptions, fault, type Floats, type Matrix, type Matrix64 } from '#core'
export {
  type Block,
  defineMergeMethod,
  type Kernel,
  type MergeMethod,
  type MergeMethodDefinition,
  type ParameterSpec,
  type ParameterValue,
  type TensorTask,
} from '#model/merge-methods'
export {
  type AggregationDefinition,
  type AggregationMethod,
  type AggregationOptions,
  type Combination,
  defineAggregationMethod,
  type Known,
} from '#representation/aggregation'
export { defineMetric, type Metric, type MetricDefinition, type MetricValue } from '#representation/metrics'
export { defineSimilarity, type Similarity, type SimilarityDefinition } from '#representation/similarity'
export {
  defineTaskProtocol,
  type ProtocolScores,
  type ScoringContext,
  type TaskProtocolDefinition,
} from '#task/protocols'
