/**
 * transplant: a model with another model's vocabulary – which tokens have rows, how the others are approximated.
 *
 * In: two models by their headers and vocabularies. Out: a plan that can be printed, a tensor source.
 * Never: a tokenizer run, a file written.
 */
export { type Kind, type Vocabularies, vocabulariesOf } from './assign.ts'
export { transplantCard } from './card.ts'
export { trustedVocabularies } from './trusted-vocabularies.ts'
export { planTransplant, transplantDefaults, type TransplantOptions, type TransplantPlan } from './plan.ts'
export { approximations } from './table.ts'
export type { TokenTable } from './token-keys.ts'
export { transplantedConfig, transplantedGeneration } from './transplanted-config.ts'
export { transplantedSource } from './transplanted-source.ts'
