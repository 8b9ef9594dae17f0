/**
 * Static tables from models: one vector per token, reduced, weighted and narrowed as model2vec does it.
 *
 * @module distill
 */
export { openTeacher, type Teacher } from '#experiment/open'
export {
  type Distillation,
  type Distilled,
  type DistilOptions,
  type DistilPlan,
  openDistillation,
  type TokenPooling,
} from '#experiment/write'
export {
  narrowTable,
  quantiseVocabulary,
  type QuantisedVocabulary,
  type ReducedTable,
  reduceTable,
  sifWeights,
  type TableDims,
  type TableDtype,
} from '#model/distill'
