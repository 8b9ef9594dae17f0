/** Strata as it was built: what the benches measure is what users run. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Search from '../../src/evaluate/search.ts'
import type * as Experiment from '../../src/experiment/index.ts'
import type * as Formats from '../../src/formats/index.ts'
import type * as Hub from '../../src/hub/index.ts'
import type * as Merge from '../../src/merge/index.ts'
import type * as Library from '../../src/index.ts'
import type * as Runtime from '../../src/runtime/index.ts'
import { root } from './places.ts'

const built = (path: string): string => pathToFileURL(join(root, 'dist', path)).href

export const { encode, findTasks, layerVectors, openModel } = (await import(built('index.js'))) as typeof Library
export const { engineVersion, measureGemmPeak } = (await import(built('runtime/index.js'))) as typeof Runtime
export const { createNpyWriter, openTensors, widen64 } = (await import(built('formats/index.js'))) as typeof Formats
export const { hubSettings, openPull, planPush, push } = (await import(built('hub/index.js'))) as typeof Hub
export const { openMergeFile, openTransplant, writeMerge, writeTransplant } = (await import(built('experiment/index.js'))) as typeof Experiment
export const { mergeMethods, parseRecipes } = (await import(built('merge/index.js'))) as typeof Merge
export const { searchCorpus } = (await import(built('evaluate/search.js'))) as typeof Search
