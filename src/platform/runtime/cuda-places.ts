/**
 * Where CUDA's libraries lie: one folder for each release of ONNX Runtime, in which `strata doctor --install cuda` puts
 * the provider, a copy of the package's own binding, and the libraries of NVIDIA that they need.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fault } from '#core'

type Environment = Readonly<Record<string, string | undefined>>

/** The files of such a folder that are opened by name. NVIDIA's stand in the order in which they need each other. */
export const cudaFiles = {
  binding: 'onnxruntime_binding.node',
  /**
   * The release's library as it is built for CUDA. It bears a name of its own, because the loader would take the
   * package's library, which the process may have opened, for one that is asked for by the same name.
   */
  library: 'libonnxruntime-gpu1',
  shared: 'libonnxruntime_providers_shared.so',
  provider: 'libonnxruntime_providers_cuda.so',
  runtime: 'libcudart.so.13',
  others: ['libcublasLt.so.13', 'libcublas.so.13', 'libcurand.so.10', 'libnvrtc.so.13', 'libcudnn.so.9'],
} as const

/** The driver's library, which comes with the driver alone. */
export const cudaDriver = 'libcuda.so.1'

export const cudaInstall = 'fetch the libraries with strata doctor --install cuda'

/** Where `strata doctor --install cuda` puts one folder for each release. */
export function cudaHome(env: Environment = process.env): string {
  return join(resolve(env['STRATA_CACHE'] ?? join(homedir(), '.cache', 'strata')), 'cuda')
}

export interface EnginePackage {
  readonly version: string
  /** The addon that the package loads. */
  readonly binding: string
  /** What its library is called where it is built for CUDA. */
  readonly cudaLibrary: string
}

/** ONNX Runtime as it is installed with Strata. Throws `engine.device` where it is not. */
export function enginePackage(): EnginePackage {
  try {
    const file = createRequire(import.meta.url).resolve('onnxruntime-node/package.json')
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
    const own = join('bin', 'napi-v6', process.platform, process.arch, cudaFiles.binding)
    return { version, binding: join(dirname(file), own), cudaLibrary: cudaFiles.library }
  } catch (cause) {
    throw fault('engine.device', {
      place: 'onnxruntime-node',
      what: 'the package cannot be found',
      hint: 'install it again on this machine: npm install onnxruntime-node',
      cause,
    })
  }
}

/** The folder for the engine's release. Throws `engine.device` that names the missing part. */
export function findCuda(env: Environment = process.env): string {
  const folder = join(cudaHome(env), enginePackage().version)
  if (!existsSync(folder))
    throw fault('engine.device', {
      place: 'cuda',
      what: 'the libraries for CUDA are not on this machine',
      seen: `looked in ${folder}`,
      hint: cudaInstall,
    })
  const { others, ...named } = cudaFiles
  const missing = [...Object.values(named), ...others].filter((file) => !existsSync(join(folder, file)))
  if (missing.length > 0)
    throw fault('engine.device', {
      place: folder,
      what: 'libraries are missing',
      seen: missing,
      hint: 'remove the folder, then strata doctor --install cuda',
    })
  return folder
}
