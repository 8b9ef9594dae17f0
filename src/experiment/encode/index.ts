/**
 * encode: texts or ids become vectors or token states, in files or layer by layer.
 *
 * In: an opened model, rows of texts. Out: one file, complete or absent (an interrupted run resumes); matrices of every
 * layer.
 * Never: a task, a score.
 */
export { checkFinite } from './check-finite.ts'
export { type Corpus, readCorpus } from './corpus.ts'
export { type Encoded, encodeLines, encodeTexts, type TextRow } from './encode-texts.ts'
export { type EncodedTokens, encodeIds, encodeTextTokens } from './encode-tokens.ts'
export { type LayerRows, layerRows } from './layer-rows.ts'
export { tokenBatches } from './token-batches.ts'
