/**
 * model: an opened checkpoint – every layer's vectors of a text, an embedder for any representation, token states, static tables.
 *
 * In: a tensor source, the repository's config and tokenizer files. Out: matrices of vectors, kept on disk by content.
 * Never: a reference to resolve, a task, a score, a result.
 */
export { bodyOf, openModelParts, type ModelParts } from './open.ts'
export type { Device, FinalNorm, Model, ModelFacts, ModelOptions, ModelSettings } from './model.ts'
export type { Encoder, EncodeCall, Ensured, LayerVectors } from './layer-vectors.ts'
export { choosePrompt, type PromptChoice } from './prompts.ts'
export { poolModes, poolingNamed, representationName, representationNamed, statesNamed, type PoolingName, type Representation } from './representation.ts'
export { openStore, type VectorStore } from './store/index.ts'
export type { TokenBatch, TokenOutput, TokenRequest, TokenStates } from './token-states.ts'
