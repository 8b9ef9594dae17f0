/**
 * checkpoint: an opened checkpoint – every layer's pooled vectors of a text, token states, its head for classes, static
 * tables.
 *
 * In: a tensor source, the repository's config and tokenizer files. Out: matrices of vectors, cached on disk by
 * content.
 * Never: resolving a reference, a mix of layers, a task, a score, a result.
 */
export { chooseAdapter } from './adapter-choice.ts'
export { isBm25, openBm25 } from './bm25-model.ts'
export type { EncodeCall, Encoder, Ensured, Keep, LayerVectors, PromptedTexts } from './layer-vectors.ts'
export { ruleNotice } from './model-rules.ts'
export {
  type EmbedderOptions,
  languageModelOf,
  type Model,
  type ModelFacts,
  type ModelIdentity,
  requireSplade,
  type StateRows,
  type SlotPass,
  type States,
  openReranker,
  statesOf,
  tokensOf,
} from './model.ts'
export { type ModelUse, modelUses } from './model-uses.ts'
export { laterWidth, type ModulesSpec, type ModuleStep, readModules } from './modules.ts'
export { bodyOf, openModelParts } from './open.ts'
export type { ModelParts } from './parts.ts'
export type { PromptedRows } from './pooled-encoder.ts'
export { choosePrompt, type ChosenPrompt, explainPrompt, type PromptChoice } from './prompts.ts'
export { openVectorServer, type ServerModelOptions } from './server-model.ts'
export { assertDefault } from './reranker.ts'
export { stateName, type StateRepresentation, tokensName, type TokensRepresentation } from './state.ts'
export {
  stateOutput,
  type TokenBatch,
  type TokenOutput,
  type TokenRequest,
  type Tokens,
  type TokenStates,
} from './token-states.ts'
export { openVectorsModel, type RecordedText, type RecordedVectors } from './vectors-model.ts'
