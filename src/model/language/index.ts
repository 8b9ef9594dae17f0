/**
 * language: a checkpoint as a language model – log-likelihoods, rolling log-likelihoods, generated texts.
 *
 * In: graphs with a head for the next token, requests. Out: scores and texts, equal to those of lm-evaluation-harness's
 * `hf` backend.
 * Never: a task, the score of a task, resolving a reference.
 */
export { type LanguageModelOptions, type LanguageModelParts, openLanguageModel } from './open.ts'
