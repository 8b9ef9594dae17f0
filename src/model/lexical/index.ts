/**
 * lexical: search by counted words – BM25, its words, stop words and stems.
 *
 * In: texts of queries and documents, the language they are in. Out: scores of every document for every query.
 * Never: a tensor, a tokenizer of a checkpoint, a file, a task's score.
 */
export { bm25Defaults, bm25Searcher, bm25Version } from './bm25-searcher.ts'
export type { Bm25Settings } from './bm25-index.ts'
