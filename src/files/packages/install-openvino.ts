/** OpenVINO's libraries out of its wheel. */
import { basename } from 'node:path'
import { fault } from '#core'
import { type Installed, installWheel, type InstallOptions, type Wheel } from './install-wheel.ts'
import { isNeeded, openVinoVersion, openVinoWheels } from './openvino-wheels.ts'

export interface OpenVinoOptions extends InstallOptions {
  /** What to fetch; default: the one for this platform. */
  wheel?: Wheel | undefined
}

/**
 * Puts the libraries into a folder of their own below `home`, unless it is there. Throws `engine.device` where no wheel
 * is published, and what `installWheel` throws.
 */
export async function installOpenVino(
  home: string,
  { wheel = openVinoWheels[`${process.platform}-${process.arch}`], ...options }: OpenVinoOptions = {},
): Promise<Installed> {
  if (wheel === undefined) {
    const [seen, wanted] = [`${process.platform}-${process.arch}`, Object.keys(openVinoWheels)]
    throw fault('engine.device', { place: 'openvino', what: 'nothing is published for this platform', seen, wanted })
  }
  const placeOf = (member: string): string | undefined => (isNeeded(member) ? basename(member) : undefined)
  return installWheel(
    home,
    { name: 'openvino', version: openVinoVersion, wheel, placeOf, needs: /openvino_c\./ },
    options,
  )
}
