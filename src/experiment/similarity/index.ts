/**
 * similarity: how similar the layers of one or two models are, on a corpus, and how similar whole models are.
 *
 * In: opened models, a corpus; references of models. Out: matrices of layers, and their folders; tables of models.
 * Never: a task's score, console output.
 */
export { type LayerMatrix, readLayerMatrix, readQuality } from './layer-matrix.ts'
export type { MatrixOrigin } from './matrix-origin.ts'
export { measureSimilarity, type MeasureSimilarityOptions, type SimilarityReport } from './measure-similarity.ts'
export { hiddenStateTable, type HiddenStateTableOptions } from './hidden-state-table.ts'
export type { ModelTable, ModelTableOptions } from './model-table.ts'
export { taskVectorTable, type TaskVectorTableOptions } from './task-vector-table.ts'
export { readSimilarity } from './read-similarity.ts'
export { type GridEntry, writeGridSummary, writeSimilarities } from './similarity-folder.ts'
