/**
 * Merges of models: mergekit's recipes, planned from headers, read as tensors without being written, or written as a
 * folder that others can load; LoRA adapters taken from a fine-tune; models with another model's vocabulary.
 *
 * @module merge
 */
export type { ModelHeaders, TensorSource } from '#core'
export { diagonalFisher, type FisherText, type FisherLabels, type FisherOptions, writeFisher } from '#model/gradient'
export {
  type MergePlan,
  mergedSource,
  planBytes,
  planMerge,
  type PlannedTensor,
  type PlanOptions,
  parseRecipes,
  type Recipe,
} from '#model/merge'
export { type MergeMethod, type MergeMethodName, mergeMethods, type ParameterSpec } from '#model/merge-methods'
export { openMergeFile, type OpenedMerge, type OpenedTransplant, openTransplant, sourcesOf } from '#experiment/open'
export {
  describeMerge,
  type MergeDescription,
  type OpenedExtraction,
  openExtraction,
  writeExtraction,
  writeMerge,
  type WriteMergeOptions,
  writeTransplant,
  type WriteTransplantOptions,
  type WrittenAdapter,
  type WrittenMerge,
  type WrittenTransplant,
} from '#experiment/write'
