/** Strata as it was built: what the benches measure is what users run. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Core from '../../src/core/index.ts'
import type * as Harness from '../../src/task/harness/index.ts'
import type * as Templates from '../../src/task/harness/prompts/templates.ts'
import type * as Search from '../../src/task/protocols/search.ts'
import type * as Aggregate from '../../src/experiment/aggregate/layer-space.ts'
import type * as Workers from '../../src/experiment/workers/index.ts'
import type * as Write from '../../src/experiment/write/index.ts'
import type * as Open from '../../src/experiment/open/index.ts'
import type * as Portion from '../../src/experiment/probe/portion.ts'
import type * as ProbeVectors from '../../src/experiment/probe/probe-vectors.ts'
import type * as Formats from '../../src/files/formats/index.ts'
import type * as Hub from '../../src/files/hub/index.ts'
import type * as Architectures from '../../src/model/architectures/index.ts'
import type * as Arithmetic from '../../src/model/passes/arithmetic.ts'
import type * as Layers from '../../src/representation/layers/index.ts'
import type * as Graphs from '../../src/model/passes/graphs.ts'
import type * as Graph from '../../src/model/graph/index.ts'
import type * as MergeMethods from '../../src/model/merge-methods/index.ts'
import type * as Merge from '../../src/model/merge/index.ts'
import type * as Library from '../../src/index.ts'
import type * as Linalg from '../../src/platform/linalg/index.ts'
import type * as Probing from '../../src/task/probing/index.ts'
import type * as TrainProbe from '../../src/task/probing/train-probe.ts'
import type * as Metrics from '../../src/representation/metrics/index.ts'
import type * as Similarity from '../../src/representation/similarity/index.ts'
import type * as Runtime from '../../src/platform/runtime/index.ts'
import { root } from './places.ts'

const built = (path: string): string => pathToFileURL(join(root, 'dist', path)).href

export const { encode, findTasks, layerVectors, openModel, openStore } = (await import(
  built('index.js')
)) as typeof Library
export const { covarianceOf, fitLogisticEach, principalAxes, symmetricEigen } = (await import(
  built('platform/linalg/index.js')
)) as typeof Linalg
export const { devices, engineStates, engineVersion, measureGemmPeak, openMatmul, openSession } = (await import(
  built('platform/runtime/index.js')
)) as typeof Runtime
export const { parseDevice } = (await import(built('core/index.js'))) as typeof Core
export const { metrics } = (await import(built('representation/metrics/index.js'))) as typeof Metrics
export const { similarities } = (await import(built('representation/similarity/index.js'))) as typeof Similarity
export const { createNpyWriter, openTensors, readFloat32, widen64 } = (await import(
  built('files/formats/index.js')
)) as typeof Formats
export const { hubSettings, openPull, planPush, push } = (await import(built('files/hub/index.js'))) as typeof Hub
export const { compareWithGolden, openMergeFile, openTransplant } = (await import(
  built('experiment/open/index.js')
)) as typeof Open
export const { exportModel, writeMerge, writeTransplant } = (await import(
  built('experiment/write/index.js')
)) as typeof Write
export const { specOf } = (await import(built('model/architectures/index.js'))) as typeof Architectures
export const { buildGraph } = (await import(built('model/graph/index.js'))) as typeof Graph
export const { parseRecipes } = (await import(built('model/merge/index.js'))) as typeof Merge
export const { mergeMethods } = (await import(built('model/merge-methods/index.js'))) as typeof MergeMethods
export const { searchCorpus } = (await import(built('task/protocols/search.js'))) as typeof Search
export const { requestOf } = (await import(built('model/passes/graphs.js'))) as typeof Graphs
export const { settleArithmetic, typesOf } = (await import(built('model/passes/arithmetic.js'))) as typeof Arithmetic
export const { combinationOf, writeRepresentation } = (await import(
  built('representation/layers/index.js')
)) as typeof Layers
export const { queue, slurmScript, submit, work } = (await import(
  built('experiment/workers/index.js')
)) as typeof Workers
export const { openLayerSpace } = (await import(built('experiment/aggregate/layer-space.js'))) as typeof Aggregate
export const { openProbeData, rowsOf } = (await import(built('task/probing/index.js'))) as typeof Probing
export const { trainProbe } = (await import(built('task/probing/train-probe.js'))) as typeof TrainProbe
export const { openProbeVectors } = (await import(built('experiment/probe/probe-vectors.js'))) as typeof ProbeVectors
export const { portionOf } = (await import(built('experiment/probe/portion.js'))) as typeof Portion
export const { chooseTasks, indexTasks, isFunctionReference, tasksOf } = (await import(
  built('task/harness/index.js')
)) as typeof Harness
export const { renderTemplate } = (await import(built('task/harness/prompts/templates.js'))) as typeof Templates
