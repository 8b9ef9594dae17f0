/**
 * transplant: a model with the vocabulary of another model – which tokens have rows, and approximations of the other
 * rows.
 *
 * In: two models by their headers and vocabularies. Out: a printable plan, a tensor source.
 * Never: running a tokenizer, writing a file.
 */
export { type Kind, type Vocabularies, vocabulariesOf } from './assign.ts'
export { transplantCard } from './card.ts'
export { trustedVocabularies } from './trusted-vocabularies.ts'
export { planTransplant, transplantDefaults, type TransplantOptions, type TransplantPlan } from './plan.ts'
export { approximations } from './table.ts'
export type { TokenTable } from './token-keys.ts'
export { transplantedConfig, transplantedGeneration } from './transplanted-config.ts'
export { transplantedSource } from './transplanted-source.ts'
