/**
 * How alike two layers are: CKA, RSA, SVCCA, Procrustes and others, over matrices or over the layers of opened models.
 *
 * @module similarity
 */
export {
  layerSimilarity,
  type LayerSimilarity,
  type Layers,
  similarities,
  similaritiesNamed,
  type Similarity,
  type SimilarityName,
  type Transform,
  transformed,
  type Trials,
} from '#representation/similarity'
export {
  measureSimilarity,
  type MeasureSimilarityOptions,
  readSimilarity,
  type SimilarityReport,
  writeSimilarities,
} from '#experiment/similarity'
