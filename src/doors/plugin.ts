/**
 * Definitions of your own for `--plugin`: merge methods, by the interfaces of Strata's own.
 *
 * @module plugin
 */
export { type CallOptions, fault, type Floats, type Matrix, type Matrix64 } from '#core'
export {
  type Block,
  defineMergeMethod,
  type Kernel,
  type MergeMethod,
  type MergeMethodDefinition,
  type ParameterSpec,
  type ParameterValue,
  type TensorTask,
} from '#model/merge-methods'
