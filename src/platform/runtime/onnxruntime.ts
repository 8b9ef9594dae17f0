/** ONNX Runtime, loaded on first use: its sessions, its version, its first line of complaint. */
import type * as OnnxRuntime from 'onnxruntime-node'
import { fault, type Fault } from '#core'
import type { EngineOptions, OpenedGraph } from './engine.ts'
import { carriedType, type Feed, type ValueInfo } from './tensors.ts'
import { bytesOf, type PlacedGraph } from './weights.ts'

export type EngineSession = OnnxRuntime.InferenceSession

let engine: Promise<typeof OnnxRuntime> | undefined

/** Throws `engine.device` when the package has no binary for this platform. */
export function loadEngine(): Promise<typeof OnnxRuntime> {
  engine ??= import('onnxruntime-node').then(
    (loaded) => {
      // The engine would print every error it also throws.
      loaded.env.logLevel = 'fatal'
      return loaded
    },
    (error: unknown) => {
      throw fault('engine.device', {
        place: 'onnxruntime-node',
        what: firstLine(error),
        seen: `${process.platform}-${process.arch}`,
        hint: 'install it again on this machine: npm install onnxruntime-node',
        cause: error,
      })
    },
  )
  return engine
}

/** Version of the engine, e.g. `1.30.0`. */
export async function engineVersion(): Promise<string> {
  const { env } = await loadEngine()
  return env.versions.node ?? env.versions.common
}

/** Throws `engine.load` or `engine.device` with the engine's first line. */
export async function createSession(
  placed: PlacedGraph,
  options: Pick<EngineOptions, 'threads' | 'device'>,
): Promise<EngineSession> {
  const { InferenceSession } = await loadEngine()
  const externalData = await Promise.all(
    placed.memory.map(async ({ location, data }) => ({ path: location, data: await bytesOf(data) })),
  )
  try {
    return await InferenceSession.create(placed.model, {
      executionProviders: [options.device],
      intraOpNumThreads: options.threads,
      // Higher levels fuse Add + LayerNormalization into SkipLayerNormalization, which is slower than the two.
      graphOptimizationLevel: 'basic',
      logSeverityLevel: 4,
      ...(externalData.length > 0 ? { externalData } : {}),
      extra: {
        session: {
          // By default the engine's threads keep spinning for milliseconds after their work: a core taken from the
          // tokenizer, and on a busy machine a third of the speed.
          intra_op: { spin_duration_us: '50' },
          // Repacked copies of the weights double a session's memory and win nothing at the sizes of one batch.
          disable_prepacking: '1',
          ...(placed.folder === undefined ? {} : { model_external_initializers_file_folder_path: placed.folder }),
        },
      },
    })
  } catch (error) {
    throw fault('engine.load', { place: 'engine', what: firstLine(error), cause: error })
  }
}

/** Throws `engine.load` or `engine.device`, also for inputs and outputs that sessions do not carry. */
export async function openOnnxRuntime(placed: PlacedGraph, options: EngineOptions): Promise<OpenedGraph> {
  if (options.precision !== 'float32') {
    const hint = 'another engine may have it: openvino'
    throw fault('engine.device', {
      place: 'precision',
      what: 'ONNX Runtime does not have it',
      seen: options.precision,
      wanted: ['float32'],
      hint,
    })
  }
  const [{ Tensor }, session] = [await loadEngine(), await createSession(placed, options)]
  return {
    inputs: session.inputMetadata.map(describe),
    outputs: session.outputMetadata.map(describe),
    async run(feeds, outputs) {
      const tensors = Object.entries(feeds).map(
        ([name, { dtype, data, dims }]) => [name, new Tensor(dtype, data, dims)] as const,
      )
      try {
        const results = await session.run(Object.fromEntries(tensors), outputs)
        return Object.fromEntries(Object.entries(results).map(([name, result]) => [name, toOutput(result)]))
      } catch (error) {
        throw runFault(error)
      }
    },
    close: () => session.release(),
  }
}

/** `describe` let only the types in that sessions carry. */
function toOutput(result: OnnxRuntime.OnnxValue): Feed {
  const { type: dtype, dims, data } = result as OnnxRuntime.TypedTensor<Feed['dtype']>
  return { dtype, dims, data } as Feed
}

function describe(value: EngineSession['inputMetadata'][number]): ValueInfo {
  const dtype = carriedType(value.name, value.isTensor ? value.type : 'no tensor')
  return { name: value.name, dtype, dims: value.isTensor ? value.shape : [] }
}

/**
 * The engine's messages carry C++ frames below their first line, and a source path with the broken condition in front
 * of it.
 */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return (message.split('\n').find((line) => line.trim() !== '') ?? 'no reason given')
    .replace(/^\S*\/onnxruntime_src\/\S+ (?:.* was false\. )?/, '')
    .trim()
}

export function runFault(error: unknown): Fault {
  return fault('engine.run', { place: 'engine', what: firstLine(error), cause: error })
}
