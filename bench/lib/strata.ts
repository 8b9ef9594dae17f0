/** Strata as it was built: what the benches measure is what users run. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Library from '../../src/index.ts'
import type * as Runtime from '../../src/runtime/index.ts'
import { root } from './places.ts'

const built = (path: string): string => pathToFileURL(join(root, 'dist', path)).href

export const { encode, layerVectors, openModel } = (await import(built('index.js'))) as typeof Library
export const { engineVersion, measureGemmPeak } = (await import(built('runtime/index.js'))) as typeof Runtime
