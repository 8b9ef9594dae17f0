/** Graphs of one model, opened in the engine when they are first run, once for each request, and shared. */
import type { TensorSource } from '#core'
import type { ModelSpec } from '#model/architectures'
import { readFloat32 } from '#files/formats'
import { buildGraph, type Graph, type GraphOutput, type GraphRequest, planGraph } from '#model/graph'
import { type Engine, openSession, type Session } from '#platform/runtime'
import type { Arithmetic } from './arithmetic.ts'
import type { ModelOptions } from './options.ts'

export interface Opened {
  readonly graph: Graph
  readonly session: Session
}

/** Graphs of one model. */
export interface Graphs {
  /** What a graph would give, from headers alone. */
  outputs(request: GraphRequest): readonly GraphOutput[]
  /** Opens the graph in the engine, once for each request. */
  open(request: GraphRequest): Promise<Opened>
  close(): Promise<void>
}

/** Forms of the graph that an engine needs. OpenVINO fuses attention itself where it is in one piece, and takes T5's conditional one for something else. */
const formsOf = {
  onnxruntime: {},
  openvino: { rotary: 'plain', blockScores: Infinity },
} as const satisfies Record<Engine, GraphRequest>

/** What a graph is asked for beside its outputs. */
export function requestOf({ engine, integerWeights }: Pick<Arithmetic, 'engine' | 'integerWeights'>): GraphRequest {
  return { ...formsOf[engine], ...(integerWeights === undefined ? {} : { products: integerWeights }) }
}

export function openGraphs(
  spec: ModelSpec,
  tensors: TensorSource,
  { threads, device, engine, type, integerWeights }: Pick<ModelOptions, 'threads' | 'device'> & Arithmetic,
): Graphs {
  const opened = new Map<string, Promise<Opened>>()
  const openNew = async (request: GraphRequest): Promise<Opened> => {
    const graph = await buildGraph(
      spec,
      tensors,
      { ...request, ...requestOf({ engine, integerWeights }) },
      { readFloat32: (name) => readFloat32(tensors, name) },
    )
    return { graph, session: await openSession(graph, { threads, device, engine, precision: type === 'int8' ? 'float32' : type }) }
  }
  return {
    outputs: (request) => planGraph(spec, tensors, request).outputs,
    open(request) {
      const key = JSON.stringify(request)
      const known = opened.get(key) ?? openNew(request)
      opened.set(key, known)
      // What failed is not remembered: the next call may find what was missing.
      known.catch(() => opened.delete(key))
      return known
    },
    async close() {
      const all = await Promise.allSettled(opened.values())
      opened.clear()
      await Promise.all(all.flatMap((one) => (one.status === 'fulfilled' ? [one.value.session.close()] : [])))
    },
  }
}
