/**
 * static: tables of one vector per token, read the same way as in model2vec and sentence-transformers.
 *
 * In: a table, its tokenizer. Out: vectors of texts.
 * Never: a layer, a cache.
 */
export { type EmbedOptions, openStatic } from './static-table.ts'
