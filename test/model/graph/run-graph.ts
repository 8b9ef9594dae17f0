/** Runs a graph of ours once in ONNX Runtime, weights given from memory. */
import { readFileSync } from 'node:fs'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { Graph } from '#model/graph'
import { type Engine, type Precision, openSession } from '#platform/runtime'

export interface Integers {
  readonly dims: readonly number[]
  readonly data: ArrayLike<number>
}

export interface Floats {
  readonly dims: readonly number[]
  readonly data: Float32Array
}

export interface LoadedGraph {
  run(feeds: Readonly<Record<string, Integers>>): Promise<ReadonlyMap<string, Floats>>
  close(): Promise<void>
}

export async function loadGraph(graph: Graph, threads = 1): Promise<LoadedGraph> {
  const externalData = [
    ...graph.externals.map(({ location, path }) => ({ path: location, data: new Uint8Array(readFileSync(path)) })),
    ...graph.inline.map(({ location, data }) => ({ path: location, data })),
  ]
  const session = await InferenceSession.create(graph.model, {
    graphOptimizationLevel: 'basic',
    intraOpNumThreads: threads,
    logSeverityLevel: 3,
    externalData,
  })
  return {
    async run(feeds) {
      const tensors = graph.inputs.map(({ name, dtype }) => {
        const { dims = [], data = [] } = feeds[name] ?? {}
        const values =
          dtype === 'int64'
            ? BigInt64Array.from(Array.from(data, BigInt))
            : dtype === 'int32'
              ? Int32Array.from(data)
              : Float32Array.from(data)
        return [name, new Tensor(dtype, values, dims)] as const
      })
      const results = await session.run(Object.fromEntries(tensors))
      return new Map(
        Object.entries(results).map(([name, { dims, data }]) => [name, { dims, data: data as Float32Array }]),
      )
    },
    close: () => session.release(),
  }
}

/** The same through a session, which any engine may serve. */
export async function openGraph(graph: Graph, engine: Engine, precision?: Precision): Promise<LoadedGraph> {
  const session = await openSession(graph, { engine, precision, threads: 1 })
  return {
    async run(feeds) {
      const tensors = graph.inputs.map(({ name, dtype }) => {
        const { dims = [], data = [] } = feeds[name] ?? {}
        if (dtype === 'float32') return [name, { dtype, dims, data: Float32Array.from(data) }] as const
        const feed =
          dtype === 'int32'
            ? { dtype, dims, data: Int32Array.from(data) }
            : { dtype, dims, data: BigInt64Array.from(Array.from(data, BigInt)) }
        return [name, feed] as const
      })
      const results = await session.run(Object.fromEntries(tensors))
      return new Map(
        Object.entries(results).map(([name, { dims, data }]) => [name, { dims, data: data as Float32Array }]),
      )
    },
    close: () => session.close(),
  }
}
