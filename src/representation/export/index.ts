/**
 * export: a representation as a model of its own – for sentence-transformers, for transformers, as ONNX.
 *
 * In: an opened checkpoint, one of its representations, scores to quote. Out: a folder, complete or absent, that gives
 * the same vectors.
 * Never: an approximation, resolving a reference, a forward pass, computing a score.
 */
export type { QuotedScore } from './card.ts'
export { type Exportable, type Exported, type ExportOptions, exportTo } from './export-to.ts'
export { type ExportForm, type StoredType } from './forms.ts'
