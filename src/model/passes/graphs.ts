/** Graphs of one model, opened in the engine when they are first run, once for each request, and shared. */
import { deviceName, type TensorSource } from '#core'
import type { ModelSpec } from '#model/architectures'
import { readFloat32 } from '#files/formats'
import { buildGraph, type Graph, type GraphOutput, type GraphRequest, planGraph, planMemory } from '#model/graph'
import { type Engine, openSession, type Session } from '#platform/runtime'
import { threadBudget } from '#platform/threads'
import type { Arithmetic } from './arithmetic.ts'
import type { ModelOptions } from './options.ts'
import { separateHeads } from './separate-heads.ts'
import { weightsFile, type WeightsFile } from './weights-file.ts'

export interface Opened {
  /** Without its bytes, which are the engine's by now. */
  readonly graph: Omit<Graph, 'model' | 'externals' | 'inline'>
  readonly session: Session
  /** Batches that are computed at the same time. */
  readonly workers: number
}

/** Graphs of one model. */
export interface Graphs {
  /** What a graph would give, from headers alone. */
  outputs(request: GraphRequest): readonly GraphOutput[]
  /**
   * Opens the graph in the engine, once for each request. `batches`: that many will come at a time, and it is their sum
   * that takes time.
   */
  open(request: GraphRequest, options?: { readonly batches?: number }): Promise<Opened>
  /** How many of such batches are computed at the same time. */
  workersFor(request: GraphRequest): number
  close(): Promise<void>
}

/**
 * Forms of the graph that an engine needs. OpenVINO fuses attention itself where it is in one piece, and takes T5's
 * conditional one for something else.
 */
const formsOf = {
  onnxruntime: {},
  openvino: { rotary: 'plain', blockScores: Infinity, blockLogits: Infinity },
} as const satisfies Record<Engine, GraphRequest>

/** The part of a graph's request besides its outputs. */
export function requestOf({ engine, type, integerWeights }: Arithmetic): GraphRequest {
  return { ...formsOf[engine], ...productsOf({ engine, type, integerWeights }) }
}

/** ONNX Runtime computes what the graph says; OpenVINO is asked for a type, and rounds by itself. */
function productsOf({ engine, type, integerWeights }: Arithmetic): Pick<GraphRequest, 'products'> {
  if (type === 'int8') return integerWeights === undefined ? {} : { products: integerWeights }
  return engine === 'onnxruntime' && type !== 'float32' ? { products: type } : {}
}

/**
 * A small model is computed faster as two halves of the threads with a batch each than with all threads on one batch:
 * its threads wait for each other less. With OpenVINO each half holds the weights, so of larger models there is one.
 */
const twiceUpTo = 256 * 2 ** 20

/** Batches from which on two halves pay: ONNX Runtime computes one or two sooner than it opens another session. */
const fewest = { onnxruntime: 3, openvino: 1 } as const satisfies Record<Engine, number>

export function openGraphs(
  spec: ModelSpec,
  tensors: TensorSource,
  {
    threads,
    device,
    engine,
    type,
    integerWeights,
    onNotice,
  }: Pick<ModelOptions, 'threads' | 'device' | 'onNotice'> & Arithmetic,
): Graphs {
  let separated: Promise<TensorSource> | undefined
  const sourceFor = (request: GraphRequest): TensorSource | Promise<TensorSource> =>
    readsVocabulary(request) ? (separated ??= separateHeads(spec, tensors, onNotice)) : tensors
  const opened = new Map<string, ReturnType<typeof openNew>>()
  const allThreads = threads ?? threadBudget()
  /** Halves of the threads help on the processor alone. */
  const halves = deviceName(device ?? 'cpu') === 'cpu' && allThreads % 2 === 0
  // planning takes milliseconds, and a server asks for one graph again and again
  const workersFor = onceEach((request): number =>
    halves && planMemory(spec, tensors, { batchTokens: 1, request }).weights <= twiceUpTo ? 2 : 1,
  )
  const openNew = async (request: GraphRequest, workers: number): Promise<Opened & { readonly file: WeightsFile }> => {
    const file = weightsFile()
    try {
      const graph = await buildGraph(
        spec,
        await sourceFor(request),
        { ...request, ...requestOf({ engine, type, integerWeights }) },
        { readFloat32: (name) => readFloat32(tensors, name), putInFile: file.add },
      )
      const precision = type === 'int8' || engine === 'onnxruntime' ? 'float32' : type
      const session = await openSession(graph, {
        threads: workers === 1 ? threads : allThreads >> 1,
        workers,
        device,
        engine,
        precision,
      })
      const { inputs, outputs, notes } = graph
      return { graph: { inputs, outputs, notes }, session, workers, file }
    } finally {
      await file.remove()
    }
  }
  return {
    outputs: onceEach((request) => planGraph(spec, tensors, request).outputs),
    workersFor,
    async open(request, { batches = 0 } = {}) {
      const workers = batches >= fewest[engine] ? workersFor(request) : 1
      const key = JSON.stringify([request, workers])
      const before = opened.get(key)
      // A session whose workers died is opened anew: one run without memory is not the end of all others.
      if (
        before !== undefined &&
        (await before.catch(() => undefined))?.session.lost === true &&
        opened.get(key) === before
      )
        opened.delete(key)
      const known = opened.get(key) ?? openNew(request, workers)
      opened.set(key, known)
      // A failure is not remembered: the next call may find the missing part.
      known.catch(() => opened.delete(key))
      return known
    },
    async close() {
      const all = await Promise.allSettled(opened.values())
      opened.clear()
      await Promise.all(all.flatMap((one) => (one.status === 'fulfilled' ? [closeOne(one.value)] : [])))
    },
  }
}

/** Plans are kept: a model is asked for few graphs. */
function onceEach<Plan>(make: (request: GraphRequest) => Plan): (request: GraphRequest) => Plan {
  const made = new Map<string, { readonly plan: Plan }>()
  return (request) => {
    const key = JSON.stringify(request)
    const found = made.get(key) ?? { plan: make(request) }
    made.set(key, found)
    return found.plan
  }
}

async function closeOne({ session, file }: { readonly session: Session; readonly file: WeightsFile }): Promise<void> {
  await session.close()
  // where the system does not remove files that are open
  await file.remove()
}

/** Whether it may have a head over the vocabulary. */
function readsVocabulary({ picked, words, logits = 'none' }: GraphRequest): boolean {
  return picked !== undefined || words !== undefined || (logits !== 'none' && logits !== 'sequence')
}
