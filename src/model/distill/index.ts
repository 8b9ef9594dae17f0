/**
 * distill: vectors of tokens as a static table – shared rows, principal axes, weights, narrow numbers, sizes.
 *
 * In: one vector per token. Out: the table as model2vec stores it.
 * Never: a forward pass, a text, a file.
 */
export { narrowTable, type TableDtype } from './narrow-table.ts'
export { quantiseVocabulary, type QuantisedVocabulary } from './quantise-vocabulary.ts'
export { onAxes, type ReducedTable, reduceTable, type TableDims } from './reduce-table.ts'
export { frequencyWeights, sifWeights, weighRows } from './sif-weights.ts'
export { type Agreement, agreement, pairCosines } from './agreement.ts'
export { fitRows } from './fit-rows.ts'
export { type Sharing, textRows, textVectors } from './text-rows.ts'
export { type TablePlan, planTable } from './plan-table.ts'
