/** The worker's side of a session: the engine's session, its inputs and outputs, its runs. */
import type { OnnxValue, TypedTensor } from 'onnxruntime-node'
import { fault } from '#core'
import { createSession, loadEngine, runFault, type EngineOptions, type EngineSession } from './engine.ts'
import { transferable, type Feed, type Feeds, type Outputs, type ValueInfo } from './tensors.ts'
import type { PlacedGraph } from './weights.ts'

export interface OpenRequest extends EngineOptions {
  readonly placed: PlacedGraph
}

export interface RunRequest {
  readonly feeds: Feeds
  /** Undefined: all. */
  readonly outputs: readonly string[] | undefined
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

export async function openServer({ placed, ...options }: OpenRequest): Promise<Server> {
  const [{ Tensor }, session] = [await loadEngine(), await createSession(placed, options)]
  const description = { inputs: session.inputMetadata.map(describe), outputs: session.outputMetadata.map(describe) }
  return {
    description,
    async run({ feeds, outputs = session.outputNames }) {
      let results: Awaited<ReturnType<EngineSession['run']>>
      try {
        results = await session.run(
          Object.fromEntries(Object.entries(feeds).map(([name, { dtype, data, dims }]) => [name, new Tensor(dtype, data, dims)])),
          outputs,
        )
      } catch (error) {
        throw runFault(error)
      }
      const value: Outputs = Object.fromEntries(Object.entries(results).map(([name, result]) => [name, toOutput(result)]))
      return { value, transfer: transferable(Object.values(value)) }
    },
    release: () => session.release(),
  }
}

/** `describe` let only these three types in. */
function toOutput(result: OnnxValue): Feed {
  const { type: dtype, dims, data } = result as TypedTensor<Feed['dtype']>
  return { dtype, dims, data } as Feed
}

function describe(value: EngineSession['inputMetadata'][number]): ValueInfo {
  if (value.isTensor && (value.type === 'float32' || value.type === 'int32' || value.type === 'int64'))
    return { name: value.name, dtype: value.type, dims: value.shape }
  throw fault('engine.load', {
    place: value.name,
    what: 'input or output has a type that sessions do not carry',
    seen: value.isTensor ? value.type : 'no tensor',
    wanted: ['float32', 'int32', 'int64'],
  })
}
