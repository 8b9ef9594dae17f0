/**
 * A model and its layers: opened by reference, seen through `default`, a hidden state (`h3`) or a mix of them, asked
 * for vectors, exported as a model of its own.
 *
 * @module layers
 */
export type { Embedder, Matrix } from '#core'
export { type Model, type States, statesOf } from '#model/checkpoint'
export {
  combinationOf,
  type CombinationRepresentation,
  type LayerNorm,
  type Mix,
  openRepresentation,
  type Representation,
  representationName,
  representationsNamed,
  writeRepresentation,
} from '#representation/layers'
export { openModel, type OpenModelOptions, openVectors, type RecordedFiles } from '#experiment/open'
export { encode, layerVectors } from '#experiment/sweep'
export { exportModel, type ExportModelOptions } from '#experiment/write'
