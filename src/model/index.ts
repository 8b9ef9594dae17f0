/**
 * model: an opened checkpoint – every layer's vectors of a text, an embedder for any representation, token states, static tables.
 *
 * In: a tensor source, the repository's config and tokenizer files. Out: matrices of vectors, kept on disk by content.
 * Never: a reference to resolve, a task, a score, a result.
 */
export { bodyOf, openModelParts } from './open.ts'
export type { ModelParts } from './parts.ts'
export type { Model, ModelFacts } from './model.ts'
export type { Device, FinalNorm, ModelOptions, ModelSettings } from './options.ts'
export type { Encoder, EncodeCall, Ensured, LayerVectors } from './layer-vectors.ts'
export { ruleNotice } from './model-rules.ts'
export { choosePrompt, explainPrompt, type ChosenPrompt, type PromptChoice } from './prompts.ts'
export { poolingNamed, representationName, representationNamed, statesNamed, type PoolingName, type Representation } from './representation.ts'
export { openVectorsModel, type RecordedText, type RecordedVectors } from './vectors-model.ts'
export { keyTable, textKeys } from './store/keys.ts'
export { defaultLimitBytes, openStore, type VectorStore } from './store/index.ts'
export type { TokenBatch, TokenOutput, TokenRequest, TokenStates } from './token-states.ts'
