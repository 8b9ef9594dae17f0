/**
 * Static tables from models: one vector per token, reduced, weighted and narrowed as model2vec does it.
 *
 * @module distill
 */
export { openTeacher, type Teacher } from '#experiment/open'
export {
  type CorpusPlan,
  type CorpusStep,
  type CorpusSteps,
  type Distillation,
  type Distilled,
  type DistilOptions,
  type DistilPlan,
  type DistilTexts,
  openDistillation,
  type TokenPooling,
} from '#experiment/write'
export {
  frequencyWeights,
  narrowTable,
  quantiseVocabulary,
  type QuantisedVocabulary,
  type ReducedTable,
  reduceTable,
  sifWeights,
  type TableDims,
  type TableDtype,
} from '#model/distill'
