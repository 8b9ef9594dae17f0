/** The package that calls functions of C libraries: optional, loaded for OpenVINO and for CUDA. */
import type koffi from 'koffi'
import { fault } from '#core'

export type Koffi = typeof koffi

/** Throws `engine.device` where it is not installed or has no binary. */
export async function loadKoffi(): Promise<Koffi> {
  try {
    return (await import('koffi')).default
  } catch (error) {
    throw fault('engine.device', {
      place: 'koffi',
      what: (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '',
      seen: `${process.platform}-${process.arch}`,
      hint: 'OpenVINO and CUDA are called through this optional package: npm install koffi',
      cause: error,
    })
  }
}

/**
 * Opens a library for good: when a thread ends its libraries are closed, and threads that they started would then run in
 * memory that is gone. Returns the reason of the system's loader where it cannot.
 */
export function keepLoaded(koffi: Koffi, path: string): string | undefined {
  if (process.platform === 'win32') return undefined
  const system = koffi.load(null)
  const open = system.func('void *dlopen(const char *path, int flags)') as (path: string, flags: number) => unknown
  const reason = system.func('const char *dlerror()') as () => string | null
  const now = 2
  return open(path, now) === null ? (reason() ?? 'no reason given') : undefined
}
