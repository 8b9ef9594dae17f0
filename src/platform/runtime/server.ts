/** The worker's side of a session: a graph opened on the engine asked for, its inputs and outputs, its runs. */
import type { Engine, EngineOptions, OpenedGraph } from './engine.ts'
import { openOnnxRuntime } from './onnxruntime.ts'
import { openOpenVino } from './openvino.ts'
import { transferable, type Feeds, type Outputs, type ValueInfo } from './tensors.ts'
import type { PlacedGraph } from './weights.ts'

export interface OpenRequest extends EngineOptions {
  readonly engine: Engine
  readonly placed: PlacedGraph
}

export interface RunRequest {
  readonly feeds: Feeds
  /** Undefined: all. */
  readonly outputs: readonly string[] | undefined
  readonly handBack: readonly string[] | undefined
}

export interface Description {
  readonly inputs: readonly ValueInfo[]
  readonly outputs: readonly ValueInfo[]
}

export interface Server {
  readonly description: Description
  run(request: RunRequest): Promise<{ value: Outputs; transfer: ArrayBuffer[] }>
  release(): Promise<void>
}

export async function openServer(request: OpenRequest): Promise<Server> {
  const { inputs, outputs, run, close } = await openGraph(request)
  const all = outputs.map(({ name }) => name)
  return {
    description: { inputs, outputs },
    async run({ feeds, outputs: wanted = all, handBack = [] }) {
      const value = await run(feeds, wanted)
      for (const name of handBack) if (feeds[name] !== undefined) value[name] = feeds[name]
      return { value, transfer: transferable(Object.values(value)) }
    },
    release: close,
  }
}

function openGraph({ engine, placed, ...options }: OpenRequest): Promise<OpenedGraph> {
  switch (engine) {
    case 'onnxruntime':
      return openOnnxRuntime(placed, options)
    case 'openvino':
      return openOpenVino(placed, options)
    default:
      return engine satisfies never
  }
}
