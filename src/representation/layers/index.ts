/**
 * layers: a model seen through a representation – `default`, a hidden state, a mix of hidden states – by name, by file,
 * as an embedder.
 *
 * In: an opened checkpoint, names or representation files. Out: embedders and encoders; representation files.
 * Never: choosing a weight, a task, a score.
 */
export {
  type Basis,
  combinationOf,
  type CombinationRepresentation,
  type LayerNorm,
  layerNorms,
  layersOf,
  type Mix,
  type MixedBlock,
  mixer,
  normed,
} from './combination.ts'
export { commonDims, type GridAxes, type GridPoint, representationGrid, vectorBytes } from './grid.ts'
export {
  findSimilarity,
  openRepresentation,
  openSearcher,
  representationEncoder,
  representationOpener,
} from './open-representation.ts'
export { checkRepresentationName, representationsNamed, writeRepresentation } from './representation-file.ts'
export { roomBytes } from './remembering.ts'
export { openTokenRows, type TokenRows } from './token-rows.ts'
export {
  meansNamed,
  type Representation,
  representationKey,
  representationName,
  type SizedRepresentation,
  statesNamed,
  type WholeRepresentation,
  toWhole,
  withoutVector,
} from './representation.ts'
export {
  toCodes,
  extend,
  isPacked,
  isRanged,
  noRanges,
  packedWidth,
  type Ranges,
  typed,
  type VectorType,
} from './vector-type.ts'
