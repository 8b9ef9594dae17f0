/** ONNX Runtime, loaded on first use: its sessions, its version, its first line of complaint. */
import type * as OnnxRuntime from 'onnxruntime-node'
import { type Device, deviceIndex, deviceName, fault, type Fault } from '#core'
import { loadCudaEngine } from './cuda-library.ts'
import type { EngineOptions, OpenedGraph } from './engine.ts'
import { carriedType, type Feed, type ValueInfo } from './tensors.ts'
import { bytesOf, type PlacedGraph } from './weights.ts'

export type EngineSession = OnnxRuntime.InferenceSession

let engine: Promise<typeof OnnxRuntime> | undefined
let cuda: Promise<typeof OnnxRuntime> | undefined

/**
 * The engine that has a device. A thread that works on CUDA has no other. Throws `engine.device` when the package has
 * no binary for this platform, or the libraries for CUDA are missing.
 */
export function loadEngine(device: Device = 'cpu'): Promise<typeof OnnxRuntime> {
  return deviceName(device) === 'cuda' ? (cuda ??= loadCudaEngine().then(quiet)) : (engine ??= loadPackage())
}

function loadPackage(): Promise<typeof OnnxRuntime> {
  return import('onnxruntime-node').then(quiet, (error: unknown) => {
    throw fault('engine.device', {
      place: 'onnxruntime-node',
      what: firstLine(error),
      seen: `${process.platform}-${process.arch}`,
      hint: 'install it again on this machine: npm install onnxruntime-node',
      cause: error,
    })
  })
}

/** The engine would print every error it also throws. */
function quiet(loaded: typeof OnnxRuntime): typeof OnnxRuntime {
  loaded.env.logLevel = 'fatal'
  return loaded
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
  const { InferenceSession } = await loadEngine(options.device)
  const externalData = await Promise.all(
    placed.memory.map(async ({ location, data }) => ({ path: location, data: await bytesOf(data) })),
  )
  try {
    return await InferenceSession.create(placed.model, {
      ...providerFor(options.device),
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

/** CoreML's newer form of a model keeps float32; the older one computes in float16. DirectML takes no other order. */
const mlProgram = 0x10

function providerFor(device: Device): OnnxRuntime.InferenceSession.SessionOptions {
  const name = deviceName(device)
  switch (name) {
    case 'cpu':
    case 'webgpu':
      return { executionProviders: [name] }
    case 'cuda':
      return { executionProviders: [{ name, deviceId: deviceIndex(device) }] }
    case 'coreml':
      return { executionProviders: [{ name, coreMlFlags: mlProgram }] }
    case 'dml':
      return { executionProviders: [name], enableMemPattern: false, executionMode: 'sequential' }
    default:
      return name satisfies never
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
  const [{ Tensor }, session] = [await loadEngine(options.device), await createSession(placed, options)]
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
 * of it; those of CUDA have their reason behind the frames, and the place in the source behind that.
 */
export function firstLine(error: unknown): string {
  const message = messageOf(error)
  const [, device] = /(CUDA failure \d+: .*?)\s*; GPU=/.exec(message) ?? []
  if (device !== undefined) return device
  return (message.split('\n').find((line) => line.trim() !== '') ?? 'no reason given')
    .replace(/^\S*\/onnxruntime_src\/\S+ (?:.* was false\. )?/, '')
    .trim()
}

/** What the engine says where a batch does not fit: its own allocator, the runtime of CUDA, and cuBLAS. */
const outOfMemory =
  /Failed to allocate memory for requested buffer|Available memory of \d+ is smaller than requested bytes|CUDA failure 2:|CUBLAS_STATUS_ALLOC_FAILED/

/** `engine.memory` where fewer texts at a time would do; otherwise `engine.run`. */
export function runFault(error: unknown): Fault {
  const parts = { place: 'engine', what: firstLine(error), cause: error }
  return outOfMemory.test(messageOf(error))
    ? fault('engine.memory', { ...parts, hint: 'lower --batch-tokens, or --max-length where one text is too long' })
    : fault('engine.run', parts)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
