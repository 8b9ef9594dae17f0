/**
 * inspect: a look inside a model – which layers say the same, how good each is by itself.
 *
 * In: opened models, a corpus. Out: reports, and their folders.
 * Never: a task's score, a word on the console.
 */
export { type Corpus, readCorpus } from './corpus.ts'
export { inspectMetrics, type InspectMetricsOptions, type MetricsReport, writeMetrics } from './inspect-metrics.ts'
export { type Views } from './views.ts'
export { inspectSimilarity, type InspectSimilarityOptions, type SimilarityReport } from './inspect-similarity.ts'
export { type LayerMatrix, readLayerMatrix, readQuality } from './layer-matrix.ts'
export { type LayerRows, layerRows } from './layer-rows.ts'
export { readSimilarity } from './read-similarity.ts'
export { writeSimilarities } from './similarity-folder.ts'
