/**
 * passes: batches of texts through a graph – what a model is run with, and how many tokens share a pass.
 *
 * In: a model's specification and weights, token ids. Out: tensors of each batch, in flight one ahead; how long the
 * rest will take.
 * Never: a repository's own settings, a prompt, a cache.
 */
export {
  type Arithmetic,
  type ComputeType,
  computeTypes,
  type EngineChoice,
  engineChoices,
  settleArithmetic,
  shortNames,
  typesOf,
} from './arithmetic.ts'
export { planBatches } from './batches.ts'
export { forwardPooled, type PooledSlot, type TokenRow } from './forward.ts'
export { type Graphs, type Opened, openGraphs, requestOf } from './graphs.ts'
export { inFlight } from './in-flight.ts'
export { type FinalNorm, finalNorms, type ModelOptions, type ModelSettings } from './options.ts'
export { type PoolingName, poolingNamed, poolings } from './pooling-name.ts'
export { lastShortLength, regimeOf } from './regime.ts'
export { textBlocks } from './text-blocks.ts'
export { forecastTokens } from './token-forecast.ts'
