/**
 * runtime: graphs and dense kernels run on a device, off the main thread.
 *
 * In: ONNX bytes with the places of their weights, and tensors; or two dense matrices. Out: tensors, a matrix; the
 * devices and the speed of this machine.
 * Never: the meaning of a graph, a model family, a text, a second copy of the weights on disk.
 */
export type { DeviceMemory } from './cuda-library.ts'
export { cudaHome, enginePackage } from './cuda-places.ts'
export { type Engine, engineNames, type Precision, precisions } from './engine.ts'
export { estimateGemmPeak, measureGemmPeak } from './gemm-peak.ts'
export type { IntegerWeights } from './integer-weights.ts'
export { matmul, type Matmul, type MatmulOptions, openMatmul, type OpenMatmul } from './matmul.ts'
export { engineVersion } from './onnxruntime.ts'
export { openVinoHome } from './openvino-places.ts'
export { deviceMemory, devices, type DeviceState, type EngineState, engineStates } from './probe.ts'
export { openSession, type RunOptions, type Session, type SessionOptions } from './session.ts'
export type { Feed, Feeds, Output, Outputs, ValueInfo } from './tensors.ts'
export type { RunnableGraph } from './weights.ts'
