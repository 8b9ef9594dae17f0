/**
 * gradient: exact gradients of sequence classifiers – the diagonal of the Fisher information.
 *
 * In: a config, tensors, texts as token ids. Out: one non-negative number per parameter, by the name of its tensor; a file of them.
 * Never: a tokenizer, a step of training, finite differences.
 */
export { diagonalFisher, type FisherOptions } from './diagonal-fisher.ts'
export type { FisherLabels } from './logit-gradients.ts'
export type { FisherText } from './text-pack.ts'
export { writeFisher } from './write-fisher.ts'
