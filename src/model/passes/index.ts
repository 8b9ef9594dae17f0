/**
 * passes: batches of texts through a graph – the settings of a pass, and how many tokens share one.
 *
 * In: a model's specification and weights, token ids. Out: tensors of each batch, with one batch in flight ahead; the
 * estimated time left.
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
export { forwardBatches, forwardPooled, forwardTokens, type PooledSlot, type TokenRow } from './forward.ts'
export { type Graphs, type Opened, openGraphs, requestOf } from './graphs.ts'
export { deviceBatchTokens } from './device-batches.ts'
export { inFlight } from './in-flight.ts'
export { inHalves } from './in-halves.ts'
export { type FinalNorm, finalNorms, type LateInteraction, type ModelOptions, type ModelSettings } from './options.ts'
export { type PoolingName, poolingNamed, poolings } from './pooling-name.ts'
export { lastShortLength, regimeOf } from './regime.ts'
export { type GraphFiles, openStoredGraph, type StoredGraph } from './stored-graph.ts'
export { textBlocks } from './text-blocks.ts'
export { forecastTokens } from './token-forecast.ts'
