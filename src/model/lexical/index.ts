/**
 * lexical: search by words – BM25 with its words, stop words and stems, and weights of words that a model gives.
 *
 * In: texts of queries and documents, the language they are in, or their weights. Out: scores of every document for every query.
 * Never: a tensor, a tokenizer of a checkpoint, a file, a task's score.
 */
export { bm25Defaults, bm25Searcher, bm25Version } from './bm25-searcher.ts'
export type { Bm25Settings } from './bm25-index.ts'
export { type SparseRow, sparseRow, type SparseRows, toDense, toSparse } from './sparse-rows.ts'
export { type SparseSearch, sparseSearcher } from './sparse-searcher.ts'
