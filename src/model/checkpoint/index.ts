/**
 * checkpoint: an opened checkpoint – every layer's vectors of a text, embedders for any representation, token states,
 * static tables.
 *
 * In: a tensor source, the repository's config and tokenizer files. Out: matrices of vectors, kept on disk by content.
 * Never: a reference to resolve, a task, a score, a result.
 */
export { type ComputeType, typesOf } from './arithmetic.ts'
export {
  type Basis,
  combinationOf,
  type CombinationRepresentation,
  type LayerNorm,
  layerNorms,
  layersOf,
  type Mix,
  type MixedBlock,
  mixing,
  normed,
} from './combination.ts'
export type { EncodeCall, Encoder, Ensured, Keep, LayerVectors, PromptedTexts } from './layer-vectors.ts'
export { ruleNotice } from './model-rules.ts'
export {
  type EmbedderOptions,
  languageModelOf,
  type Model,
  type ModelFacts,
  type ModelIdentity,
  type States,
  statesOf,
  tokensOf,
} from './model.ts'
export { openRepresentation, representationEncoder } from './open-representation.ts'
export { type ModulesSpec, type ModuleStep, readModules } from './modules.ts'
export { bodyOf, openModelParts } from './open.ts'
export type { LanguageModelOptions } from './language/open.ts'
export type { FinalNorm, ModelOptions, ModelSettings } from './options.ts'
export type { ModelParts } from './parts.ts'
export { choosePrompt, type ChosenPrompt, explainPrompt, type PromptChoice } from './prompts.ts'
export { type PoolingName, poolingNamed } from './pooling-name.ts'
export { meansNamed, type Representation, representationName, statesNamed } from './representation.ts'
export type { StateRepresentation } from './state.ts'
export { forecastTokens } from './token-forecast.ts'
export type { TokenBatch, TokenOutput, TokenRequest, Tokens, TokenStates } from './token-states.ts'
export { representationsNamed, writeRepresentation } from './representation-file.ts'
export { openVectorsModel, type RecordedText, type RecordedVectors } from './vectors-model.ts'
