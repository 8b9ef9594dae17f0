/**
 * merge: several models' tensors → one model's – methods, mergekit's configuration language, alignment of names and layers, plans, output.
 *
 * In: a recipe, tensor sources with their configs. Out: a plan that can be printed, a tensor source, a folder on disk.
 * Never: a network, a forward pass, a byte written before the plan has been checked, an input changed.
 */
export type { MergeInput } from './align.ts'
export { chatTemplateOf } from './chat-template.ts'
export { outputConfig } from './config-json.ts'
export { inputFiles } from './input-files.ts'
export { layoutOf, type OutputLayout } from './layout.ts'
export { adapterCard } from './lora/adapter-card.ts'
export { adapterConfig } from './lora/adapter-config.ts'
export { type ExtractedTensors, extractTensors } from './lora/extract-tensors.ts'
export { type FactorOptions, type Factors, loraFactors } from './lora/factors.ts'
export { type ExtractionOptions, type ExtractionPlan, planExtraction } from './lora/plan-extraction.ts'
export { mergedSource } from './merged-source.ts'
export { type Block, type Compat, type Kernel, type MergeMethod, type ParameterSpec, type TensorTask } from './method.ts'
export { mergeMethods, type MergeMethodName } from './methods/table.ts'
export { modelCard } from './model-card.ts'
export { openOutputFolder, type OutputFolder } from './output-folder.ts'
export { conditionNumbers, embeddingGates, type Gates, hiddenGates, type PromptVectors, randomGates } from './moe/gates.ts'
export { type MadeTensor, madeSource } from './moe/made-source.ts'
export { type Expert, type GateMode, isMoeRecipe, type MoeRecipe, parseMoeRecipe, readsPrompts } from './moe/moe-recipe.ts'
export { gateTensors, missingBiases, type MoeOutline, outlineMoe, planMoe } from './moe/plan-moe.ts'
export { type MergePlan, planBytes, type PlannedTensor, planMerge, type PlanOptions, vocabularyRows } from './plan.ts'
export { parseRecipes, type Recipe } from './recipe.ts'
export { type JoinedVocabulary, joinVocabularies } from './join-vocabularies.ts'
export type { TensorOutcome } from './run-tensor.ts'
export { isUnfinishedMerge } from './unfinished.ts'
export { planMemory, type WriteOptions, writeTensors, type WrittenTensors } from './write-tensors.ts'
