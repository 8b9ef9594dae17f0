/**
 * runtime: runs a graph or a dense kernel on a device, off the main thread.
 *
 * In: ONNX bytes with the places of their weights, and tensors; or two dense matrices. Out: tensors, a matrix; the devices and the speed of this machine.
 * Never: what a graph means, a model family, a text, a copy of the weights on disk.
 */
export { devices, type DeviceState } from './probe.ts'
export { engineVersion, type Device } from './engine.ts'
export { measureGemmPeak } from './gemm-peak.ts'
export { matmul, openMatmul, type Dense, type Matmul, type MatmulOptions, type OpenMatmul } from './matmul.ts'
export { openSession, type RunOptions, type Session, type SessionOptions } from './session.ts'
export { serveThread, type Reply, type Stop } from './serve-thread.ts'
export type { Feed, Feeds, Output, Outputs, ValueInfo } from './tensors.ts'
export { startThread, type Thread } from './thread.ts'
export type { RunnableGraph } from './weights.ts'
