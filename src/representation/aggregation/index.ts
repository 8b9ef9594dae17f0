/**
 * aggregation: several layers as one vector space – weighted sums, and projections of layers side by side.
 *
 * In: the similarity of layers, the quality of each, a price of redundancy. Out: weights, or blocks to be projected.
 * Never: a text, a task, a score that is not given, a draw.
 */
export { aggregationLaws } from './contract.ts'
export { defineAggregationMethod, type AggregationDefinition } from './define.ts'
export {
  type AggregationMethod,
  type AggregationOptions,
  type Block,
  type Combination,
  defaults,
  type Known,
  type Notes,
} from './method.ts'
export { qualityOf, type QualityTransforms, transformedQuality } from './quality.ts'
export {
  aggregationMethods,
  type AggregationName,
  aggregationNamed,
  addAggregationMethods,
  aggregationTable,
} from './table.ts'
