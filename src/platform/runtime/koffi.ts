/** The package that calls functions of C libraries: optional, loaded when a second engine is asked for. */
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
      hint: 'OpenVINO is called through this optional package: npm install koffi',
      cause: error,
    })
  }
}
