/**
 * graph: a model's spec and tensors become an ONNX graph with every hidden state, pooled or token by token, pooler and
 * logits as outputs.
 *
 * In: a `ModelSpec`, a `TensorSource`, the requested outputs. Out: the graph's bytes, the places of its weights, its
 * inputs and outputs.
 * Never: running the graph, copying weights that are in a file, a branch on the name of a family.
 */
export { buildGraph, opsets } from './build.ts'
export type { Builder, Value } from './builder.ts'
export { type GraphPlan, planGraph } from './plan.ts'
export { type MemoryPlan, type MemoryPlanOptions, planMemory } from './memory.ts'
export { offers } from './offers.ts'
export {
  type Graph,
  type GraphInput,
  type GraphOptions,
  type GraphOutput,
  type GraphRequest,
  type OptionalInput,
  type OutputKind,
  type PoolMode,
  poolModes,
  type WordPooling,
} from './request.ts'
export { type StoredTie, storedTies } from './stored-ties.ts'
