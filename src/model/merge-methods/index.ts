/**
 * merge-methods: the arithmetic of each merge method, tensor by tensor.
 *
 * In: the same tensor of every input, parameters. Out: the merged values, block by block.
 * Never: a file, a recipe, a decision by the name of a tensor.
 */
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
export { type MergeMethodName, mergeMethods } from './table.ts'
