/**
 * The seam of the engines: the requests to an engine and its results, in the calling thread. Only `server.ts` asks
 * which engine it is.
 */
import type { Device } from '#core'
import type { Feeds, Outputs, ValueInfo } from './tensors.ts'

export const engineNames = ['onnxruntime', 'openvino'] as const
export type Engine = (typeof engineNames)[number]

/** What products of matrices are computed in; inputs and outputs stay what the graph says. */
export const precisions = ['float32', 'bfloat16', 'float16'] as const
export type Precision = (typeof precisions)[number]

export interface EngineOptions {
  readonly threads: number
  readonly device: Device
  readonly precision: Precision
}

/** A graph that an engine has made ready. */
export interface OpenedGraph {
  readonly inputs: readonly ValueInfo[]
  readonly outputs: readonly ValueInfo[]
  /** Throws `engine.run`. The names are among `outputs`, the feeds fit `inputs`. */
  readonly run: (feeds: Feeds, outputs: readonly string[]) => Promise<Outputs>
  /** Frees all that the engine holds for this graph. */
  readonly close: () => Promise<void>
}
