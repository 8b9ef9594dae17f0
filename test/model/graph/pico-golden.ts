/** Golden files of shared/models/pico: what they hold, and how far a graph of ours is from them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { referenceIndex, type ModelSpec } from '#model/architectures'
import type { TensorSource } from '#core'
import { buildGraph, type Graph, type GraphOptions, type GraphRequest } from '#model/graph'
import { shared, sharedPath } from '../../shared.ts'
import { loadGraph, type Floats, type LoadedGraph } from './run-graph.ts'
import { readSafetensors, type FileTensor } from './safetensors-source.ts'

export const pico = (...parts: string[]): string => sharedPath('models', 'pico', ...parts)

/** Folders with a golden file. */
export const goldenFolders: readonly string[] =
  shared === undefined ? [] : readdirSync(pico()).filter((name) => existsSync(pico(name, 'golden.safetensors')))

/** Rows of the tables in SOURCE.md, cells as text; `\|` is no border. */
export function sourceRows(...parts: string[]): string[][] {
  if (shared === undefined) return []
  const lines = readFileSync(pico(...parts, 'SOURCE.md'), 'utf8').split('\n')
  return lines.filter((line) => line.startsWith('|')).map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
}

/**
 * Tolerance of each folder: six times the distance of the reference's own float32 run from float64, at least 1e-5
 * (SOURCE.md).
 */
export const tolerances: ReadonlyMap<string, number> = new Map(
  sourceRows()
    .filter((cells) => cells.length === 9 && Number.isFinite(Number(cells[7])))
    .map((cells) => [cells[1] ?? '', Number(cells[7])] as const),
)

export type Golden = ReadonlyMap<string, FileTensor>

/**
 * Runs a golden file holds: right-padded, left-padded with positions, and the same without (the reference's plain
 * call).
 */
export const runs = [
  ['padded on the right', ''],
  ['padded on the left, with positions', 'left.'],
  ['padded on the left, without positions', 'left_default.'],
] as const
export type Run = (typeof runs)[number][1]

export function runsOf(golden: Golden): (typeof runs)[number][] {
  const names = ['last_hidden_state', 'logits', 'hidden_states.0']
  return runs.filter(([, prefix]) => names.some((name) => golden.has(`${prefix}${name}`)))
}

export function readConfig(...parts: string[]): Record<string, unknown> {
  return JSON.parse(readFileSync(pico(...parts, 'config.json'), 'utf8')) as Record<string, unknown>
}

export interface Distance {
  /** Greatest over real tokens of everything compared; NaN counts as infinite. */
  readonly difference: number
  readonly at: string
  /** Root mean square of the differences over that of the reference, in the worst output. */
  readonly deviation: number
  /** Greatest difference over the greatest value of the reference, in the worst output. */
  readonly relative: number
  readonly compared: readonly string[]
}

/** How far a model is from what a golden file holds for one run. `only` limits what is asked for. */
export async function distance(
  spec: ModelSpec,
  source: TensorSource,
  golden: Golden,
  prefix: Run,
  {
    request = {},
    options = {},
    load = loadGraph,
  }: { request?: GraphRequest; options?: GraphOptions; load?: (graph: Graph) => Promise<LoadedGraph> } = {},
): Promise<Distance> {
  const from = prefix === 'left_default.' ? 'left.' : prefix
  const input = (tensor: string): FileTensor | undefined => golden.get(`${from}${tensor}`)
  const wants = (tensor: string): boolean => golden.has(`${prefix}${tensor}`)
  const optional =
    prefix === 'left_default.'
      ? []
      : (['token_type_ids', 'position_ids'] as const).filter((tensor) => input(tensor) !== undefined)
  const graph = await buildGraph(
    spec,
    source,
    {
      states: wants('hidden_states.0') ? 'all' : [],
      tokens: true,
      // of a model that ends on pooled rows there is none with a row for every token
      lastState: spec.shorter?.kind !== 'pooled' || spec.shorter.joins !== undefined,
      pooler: wants('pooler_output'),
      logits: wants('logits') ? 'auto' : 'none',
      inputs: optional,
      ...request,
    },
    options,
  )
  const session = await load(graph)
  const feeds = ['input_ids', 'attention_mask', ...optional]
  const results = await session.run(
    Object.fromEntries(feeds.map((feed) => [feed, { dims: input(feed)?.shape ?? [], data: integers(input(feed)) }])),
  )
  await session.close()

  const mask = integers(input('attention_mask'))
  let [difference, at, deviation, relative] = [0, '', 0, 0]
  const compared: string[] = []
  for (const [name, result] of results) {
    for (const key of goldenNames(spec, name)) {
      const wanted = golden.get(`${prefix}${heldAs(spec, key)}`)
      if (wanted === undefined) continue
      expect({ key, dims: result.dims }).toEqual({ key, dims: wanted.shape })
      compared.push(key)
      const here = greatest(result, floats(wanted), mask)
      if (here > difference) [difference, at] = [here, key]
      deviation = Math.max(deviation, deviationOf(result, floats(wanted), mask))
      relative = Math.max(relative, here / greatest({ ...result, data: floats(wanted) }, nothing(wanted), mask))
    }
  }
  return { difference, at, deviation, relative, compared }
}

/**
 * The files were made with transformers 4.57, whose ModernBERT listed the raw last block; since 5.0 the normed state
 * stands there, and we follow that.
 */
function heldAs({ modelType, layers }: ModelSpec, key: string): string {
  return modelType === 'modernbert' && key === `hidden_states.${layers}` ? 'last_hidden_state' : key
}

/** What the golden file calls an output of ours: states stand where the reference's `hidden_states` has them. */
function goldenNames(spec: ModelSpec, name: string): readonly string[] {
  const h = /^hidden_states\.(\d+)$/.exec(name)?.[1]
  const state = name === 'last_hidden_state' ? 'last' : h === undefined ? undefined : Number(h)
  const index = state === undefined ? undefined : referenceIndex(spec, state)
  return [...(h === undefined ? [name] : []), ...(index === undefined ? [] : [`hidden_states.${index}`])]
}

function greatest({ dims, data }: Floats, wanted: Float32Array, mask: readonly number[]): number {
  const width = dims.at(-1) ?? 1
  const perToken = dims.length === 3
  let worst = 0
  for (let i = 0; i < data.length; i++) {
    if (perToken && mask[Math.floor(i / width)] !== 1) continue
    const difference = Math.abs((data[i] ?? Number.NaN) - (wanted[i] ?? Number.NaN))
    worst = Number.isNaN(difference) ? Infinity : Math.max(worst, difference)
  }
  return worst
}

function deviationOf({ dims, data }: Floats, wanted: Float32Array, mask: readonly number[]): number {
  const width = dims.at(-1) ?? 1
  const counts = (i: number): boolean => dims.length < 3 || mask[Math.floor(i / width)] === 1
  let [errors, squares] = [0, 0]
  data.forEach((value, i) => {
    if (!counts(i)) return
    errors += (value - (wanted[i] ?? NaN)) ** 2
    squares += (wanted[i] ?? NaN) ** 2
  })
  return Math.sqrt(errors / squares)
}

function nothing(tensor: FileTensor): Float32Array {
  return new Float32Array(tensor.byteLength / 4)
}

export function integers(tensor: FileTensor | undefined): number[] {
  return tensor === undefined ? [] : Array.from(new BigInt64Array(tensor.bytes.slice().buffer), Number)
}

export function floats(tensor: FileTensor): Float32Array {
  return new Float32Array(tensor.bytes.slice().buffer)
}

/** A golden file. */
export function readGolden(...parts: string[]): Golden {
  return readSafetensors(pico(...parts, 'golden.safetensors'))
}
