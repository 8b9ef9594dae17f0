/**
 * language: a checkpoint as a language model – log-likelihoods, rolling log-likelihoods, generated texts.
 *
 * In: graphs with a head for the next token, requests. Out: scores and texts, as lm-evaluation-harness's `hf` backend
 * answers them.
 * Never: a task, a score of one, a reference to resolve.
 */
export { type LanguageModelOptions, type LanguageModelParts, openLanguageModel } from './open.ts'
