/**
 * encode: texts or ids become files of vectors or token states.
 *
 * In: an opened model, rows of texts. Out: one file, whole or not at all; an interrupted run resumes.
 * Never: a task, a score.
 */
export { checkFinite } from './check-finite.ts'
export { type Encoded, encodeLines, encodeTexts, type TextRow } from './encode-texts.ts'
export { type EncodedTokens, encodeIds, encodeTextTokens } from './encode-tokens.ts'
