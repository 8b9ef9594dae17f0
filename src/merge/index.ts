/**
 * merge: several models' tensors → one model's – methods, mergekit's configuration language, alignment of names and layers, plans, output.
 *
 * In: a recipe, tensor sources with their configs. Out: a plan that can be printed, a tensor source, a folder on disk.
 * Never: a network, a forward pass, a byte written before the plan has been checked, an input changed.
 */
export { type Block, type Compat, compats, type Kernel, type MergeMethod, type ParameterSpec, type TensorTask } from './method.ts'
export { mergeMethods, type MergeMethodName } from './methods/table.ts'
