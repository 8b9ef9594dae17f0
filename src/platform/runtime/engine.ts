/** The engine itself, loaded on first use: its sessions, its version, its first line of complaint. */
import { open } from 'node:fs/promises'
import type * as OnnxRuntime from 'onnxruntime-node'
import { asFault, fault, type Fault } from '#core'
import type { FileRange, PlacedGraph } from './weights.ts'

export type Engine = typeof OnnxRuntime
export type EngineSession = OnnxRuntime.InferenceSession

export const deviceNames = ['cpu', 'webgpu', 'cuda'] as const
export type Device = (typeof deviceNames)[number]

export interface EngineOptions {
  readonly threads: number
  readonly device: Device
}

let engine: Promise<Engine> | undefined

/** Throws `engine.device` when the package has no binary for this platform. */
export function loadEngine(): Promise<Engine> {
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
export async function createSession(placed: PlacedGraph, options: EngineOptions): Promise<EngineSession> {
  const { InferenceSession } = await loadEngine()
  const externalData = await Promise.all(
    placed.memory.map(async ({ location, data }) => ({ path: location, data: data instanceof Uint8Array ? data : await readRange(data) })),
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
          // By default the engine's threads go on spinning for milliseconds after their work: a core taken from the tokenizer, and on a busy machine a third of the speed.
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

/** The engine's messages carry C++ frames below their first line, and a source path with the broken condition in front of it. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return (message.split('\n').find((line) => line.trim() !== '') ?? 'no reason given').replace(/^\S*\/onnxruntime_src\/\S+ (?:.* was false\. )?/, '').trim()
}

export function runFault(error: unknown): Fault {
  return fault('engine.run', { place: 'engine', what: firstLine(error), cause: error })
}

async function readRange({ path, offset, byteLength }: FileRange): Promise<Uint8Array> {
  try {
    const file = await open(path)
    try {
      const bytes = new Uint8Array(byteLength)
      for (let at = 0; at < byteLength;) {
        // One read of the system ends at 2 GiB.
        const { bytesRead } = await file.read(bytes, at, Math.min(byteLength - at, 1 << 30), offset + at)
        if (bytesRead === 0) throw fault('file.unreadable', { place: path, what: 'file became shorter while it was read' })
        at += bytesRead
      }
      return bytes
    } finally {
      await file.close()
    }
  } catch (error) {
    throw asFault(error, 'file.unreadable', path)
  }
}
