/**
 * Several layers as one vector space: methods that weigh or project layers, tried on tasks, and whether any beats the
 * best single layer.
 *
 * @module aggregation
 */
export {
  type AggregationMethod,
  aggregationMethods,
  aggregationNamed,
  type AggregationName,
  type AggregationOptions,
  type Combination,
  type Known,
  qualityOf,
  type QualityTransforms,
  transformedQuality,
} from '#representation/aggregation'
export {
  type Aggregated,
  type AggregateOptions,
  type AggregateReport,
  aggregateReport,
  mixMemory,
  runAggregate,
  truncate,
  type Truncation,
} from '#experiment/aggregate'
