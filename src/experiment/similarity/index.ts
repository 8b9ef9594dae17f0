/**
 * similarity: how similar the layers of one or two models are, on a corpus.
 *
 * In: opened models, a corpus. Out: matrices of layers, and their folders.
 * Never: a task's score, console output.
 */
export { type LayerMatrix, readLayerMatrix, readQuality } from './layer-matrix.ts'
export type { MatrixOrigin } from './matrix-origin.ts'
export { measureSimilarity, type MeasureSimilarityOptions, type SimilarityReport } from './measure-similarity.ts'
export { readSimilarity } from './read-similarity.ts'
export { type GridEntry, writeGridSummary, writeSimilarities } from './similarity-folder.ts'
