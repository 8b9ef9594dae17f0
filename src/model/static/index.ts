/**
 * static: tables of one vector per token, read as model2vec and sentence-transformers read them.
 *
 * In: a table, its tokenizer. Out: vectors of texts.
 * Never: a layer, a cache.
 */
export { openStatic } from './static-table.ts'
