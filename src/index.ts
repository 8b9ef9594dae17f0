/** strata-lm as a library: open a model, get vectors of any layer, score them on the field's tasks. */
export { Fault, type Embedder, type FaultCode, type Matrix, type Result, type TensorSource } from './core/index.ts'
export {
  encode,
  evaluate,
  layerVectors,
  openModel,
  openVectors,
  planSweep,
  runSweep,
  type EvaluateOptions,
  type Model,
  type OpenModelOptions,
} from './experiment/index.ts'
export { openTensors, readFloat32 } from './formats/index.ts'
export { openRepo } from './hub/index.ts'
export { openStore } from './model/index.ts'
export { evaluateTask } from './evaluate/index.ts'
export { findTasks, loadTask } from './tasks/index.ts'
