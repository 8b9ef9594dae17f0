/**
 * gradient: exact gradients of sequence classifiers – the diagonal of the Fisher information – and the Gram matrices of
 * what their linear layers read.
 *
 * In: a config, tensors, texts as token ids. Out: one non-negative number per parameter, or one matrix per linear layer, by the name of its tensor; files of them.
 * Never: a tokenizer, a step of training, finite differences.
 */
export { diagonalFisher, type FisherOptions } from './diagonal-fisher.ts'
export type { FisherLabels } from './logit-gradients.ts'
export type { FisherText } from './text-pack.ts'
export { gramMatrices, type GramOptions } from './gram-matrices.ts'
export { writeFisher } from './write-fisher.ts'
export { writeGrams } from './write-grams.ts'
