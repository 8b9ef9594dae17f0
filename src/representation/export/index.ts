/**
 * export: a representation as a model of its own – for sentence-transformers, for transformers, as ONNX.
 *
 * In: an opened checkpoint, one of its representations, scores to be quoted. Out: a folder, whole or not at all, that
 * gives the same vectors.
 * Never: an approximation, a reference to resolve, a forward pass, a score computed.
 */
export type { QuotedScore } from './card.ts'
export { type Exportable, type Exported, type ExportOptions, exportTo } from './export-to.ts'
export { type ExportForm, type StoredType } from './forms.ts'
