/**
 * merge-methods: the arithmetic of each merge method, tensor by tensor.
 *
 * In: the same tensor of every input, parameters. Out: the merged values, block by block.
 * Never: a file, a recipe, a decision by the name of a tensor.
 */
export { mergeMethodLaws } from './contract.ts'
export { defineMergeMethod, type MergeMethodDefinition } from './define.ts'
export type {
  Block,
  Compat,
  Kernel,
  MergeMethod,
  ParameterSpec,
  ParameterValue,
  StoredMix,
  TensorTask,
} from './method.ts'
export { addMergeMethods, mergeMethodNamed, type MergeMethodName, mergeMethods, mergeMethodTable } from './table.ts'
