/**
 * ONNX Runtime with its provider for CUDA, in a thread of its own sessions. Everything is opened by its full path: what
 * a library needs is then found under its name, and no environment has to be prepared before the process starts.
 */
import type * as OnnxRuntime from 'onnxruntime-node'
import Module, { createRequire } from 'node:module'
import { join } from 'node:path'
import { fault } from '#core'
import { cudaDriver, cudaFiles, cudaInstall, enginePackage, findCuda } from './cuda-places.ts'
import { keepLoaded, type Koffi, loadKoffi } from './koffi.ts'

/** Bytes of a device. */
export interface DeviceMemory {
  readonly free: number
  readonly total: number
}

/**
 * The package's program over the binding of the folder. In this thread it is the only ONNX Runtime from then on; other
 * threads keep theirs. Throws `engine.device` that names the missing part: the libraries, the driver, a library of the system.
 */
export async function loadCudaEngine(): Promise<typeof OnnxRuntime> {
  const koffi = await loadKoffi()
  // First, so that nobody fetches a gigabyte for a machine that cannot use it.
  open(koffi, cudaDriver, 'needs the NVIDIA driver, release 580 or later')
  const folder = findCuda()
  openLibraries(koffi, folder)
  const require = createRequire(import.meta.url)
  const { binding } = enginePackage()
  const addon = new Module(binding)
  process.dlopen(addon, join(folder, cudaFiles.binding))
  addon.loaded = true
  require.cache[binding] = addon
  return require('onnxruntime-node') as typeof OnnxRuntime
}

function openLibraries(koffi: Koffi, folder: string): void {
  // NVIDIA's libraries read it when they start: without it float32 products may be rounded to 10 bits of fraction.
  setVariable(koffi, 'NVIDIA_TF32_OVERRIDE', '0')
  const { runtime, others, library, binding } = cudaFiles
  // The provider itself is opened by its host, which first gives it what it asks for when it starts.
  for (const file of [runtime, ...others, library, binding]) open(koffi, join(folder, file), cudaInstall)
}

function open(koffi: Koffi, path: string, hint: string): void {
  const reason = keepLoaded(koffi, path)
  if (reason !== undefined) throw fault('engine.device', { place: 'cuda', what: reason, hint })
}

/** The process's own: `process.env` of a worker thread is a copy that libraries do not see. */
function setVariable(koffi: Koffi, name: string, value: string): void {
  const set = koffi.load(null).func('int setenv(const char *name, const char *value, int overwrite)') as (
    name: string,
    value: string,
    overwrite: number,
  ) => number
  set(name, value, 1)
}

/** Free memory of a device now; undefined where the runtime does not say. The libraries are loaded. */
export async function cudaMemory(index: number): Promise<DeviceMemory | undefined> {
  const koffi = await loadKoffi()
  const runtime = koffi.load(join(findCuda(), cudaFiles.runtime))
  const choose = runtime.func('int cudaSetDevice(int device)') as (device: number) => number
  const ask = runtime.func('int cudaMemGetInfo(_Out_ size_t *free, _Out_ size_t *total)') as (
    free: [bigint | number],
    total: [bigint | number],
  ) => number
  const [free, total]: [[bigint | number], [bigint | number]] = [[0], [0]]
  if (choose(index) !== 0 || ask(free, total) !== 0) return undefined
  return { free: Number(free[0]), total: Number(total[0]) }
}
