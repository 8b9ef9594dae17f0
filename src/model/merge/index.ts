/**
 * merge: the tensors of several models → those of one model – mergekit's configuration language, alignment of names and
 * layers, plans, output.
 *
 * In: a recipe, tensor sources with their configs. Out: a printable plan, a tensor source, a folder on disk.
 * Never: a network, a forward pass, a byte written before the plan is checked, a change to an input.
 */
export { measureMerge } from './engine/measure-merge.ts'
export { mergedSource, mergeIdentity } from './engine/merged-source.ts'
export type { TensorOutcome } from './engine/run-tensor.ts'
export { sourceReader } from './engine/source-reader.ts'
export { type TaskVectorOptions, taskVectorCosines } from './engine/task-vectors.ts'
export { planMemory } from './engine/tensor-jobs.ts'
export { isUnfinishedMerge } from './engine/unfinished.ts'
export { writeSource } from './engine/write-source.ts'
export { type WriteOptions, writeTensors, type WrittenPlan, type WrittenTensors } from './engine/write-tensors.ts'
export {
  conditionNumbers,
  embeddingGates,
  type Gates,
  hiddenGates,
  type PromptVectors,
  randomGates,
} from './moe/gates.ts'
export { memorySource, type MemoryTensor } from './moe/memory-source.ts'
export {
  type Expert,
  type GateMode,
  isMoeRecipe,
  type MoeRecipe,
  parseMoeRecipe,
  readsPrompts,
} from './moe/moe-recipe.ts'
export { gateTensors, missingBiases, type MoeOutline, outlineMoe, planMoe } from './moe/plan-moe.ts'
export { chatTemplateOf } from './plan/chat-template.ts'
export { outputConfig } from './plan/config-json.ts'
export { type JoinedVocabulary, joinVocabularies } from './plan/join-vocabularies.ts'
export { layoutOf, type OutputLayout } from './plan/layout.ts'
export { modelCard } from './plan/model-card.ts'
export { type MergePlan, planBytes, planMerge, type PlannedTensor, type PlanOptions } from './plan/plan.ts'
export { renumbered } from './plan/special-ids.ts'
export { parseRecipes, type Recipe, type TokenizerRecipe } from './recipe/recipe.ts'
