/**
 * similarity: how similar two representations of the same texts are.
 *
 * In: matrices [texts × width], rows aligned. Out: one number per pair of layers, with its spread over samples of the
 * texts.
 * Never: a model, a file, a task, a clock, an unseeded draw.
 */
export { similarityLaws } from './contract.ts'
export { defineSimilarity, type SimilarityDefinition } from './define.ts'
export { drawnRows, layerSimilarity, type LayerSimilarity, type Trials } from './layer-similarity.ts'
export type { Layers, Similarity } from './similarity.ts'
export { similarities, similaritiesNamed, type SimilarityName, addSimilarities, similarityTable } from './table.ts'
export { type Transform, transformed } from './transforms.ts'
