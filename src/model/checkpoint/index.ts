/**
 * checkpoint: an opened checkpoint – every layer's vectors of a text, an embedder for any representation, token states, static tables.
 *
 * In: a tensor source, the repository's config and tokenizer files. Out: matrices of vectors, kept on disk by content.
 * Never: a reference to resolve, a task, a score, a result.
 */
export type { EncodeCall, Encoder, Ensured, LayerVectors } from './layer-vectors.ts'
export { ruleNotice } from './model-rules.ts'
export type { Model, ModelFacts } from './model.ts'
export { bodyOf, openModelParts } from './open.ts'
export type { FinalNorm, ModelOptions, ModelSettings } from './options.ts'
export type { ModelParts } from './parts.ts'
export { choosePrompt, type ChosenPrompt, explainPrompt, type PromptChoice } from './prompts.ts'
export { type PoolingName, poolingNamed, type Representation, representationName, representationNamed, statesNamed } from './representation.ts'
export type { TokenBatch, TokenOutput, TokenRequest, TokenStates } from './token-states.ts'
export { openVectorsModel, type RecordedText, type RecordedVectors } from './vectors-model.ts'
