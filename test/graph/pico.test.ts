/** Every pico model against the reference implementation's own numbers: each folder with a golden file is a test. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { specOf, type ModelSpec } from '../../src/architectures/index.ts'
import { buildGraph, type GraphRequest } from '../../src/graph/index.ts'
import { shared, sharedPath } from '../shared.ts'
import { loadGraph, type Floats } from './run-graph.ts'
import { fileSource, readSafetensors, type FileTensor } from './safetensors-source.ts'

const root = (...parts: string[]): string => sharedPath('models', 'pico', ...parts)
const folders = shared === undefined ? [] : readdirSync(root()).filter((name) => existsSync(root(name, 'golden.safetensors')))

/** From SOURCE.md's table of models: six times the distance of the reference's own float32 run, at least 1e-5. */
const tolerances = new Map(
  (shared === undefined ? '' : readFileSync(root('SOURCE.md'), 'utf8'))
    .split('\n')
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter((cells) => cells.length === 9 && Number.isFinite(Number(cells[7])))
    .map((cells) => [cells[1] ?? '', Number(cells[7])] as const),
)

type Golden = ReadonlyMap<string, FileTensor>

describe.skipIf(shared === undefined)('pico models agree with transformers', () => {
  test('every folder has a tolerance', () => {
    expect(folders.filter((name) => !tolerances.has(name))).toEqual([])
  })

  describe.each(folders)('%s', (name) => {
    const golden = readSafetensors(root(name, 'golden.safetensors'))
    const prefixes = ['', 'left.', 'left_default.'].filter((prefix) => [...golden.keys()].some((key) => key.startsWith(`${prefix}last_hidden_state`)))
    test.each(prefixes.map((prefix) => [prefix || 'right-padded', prefix]))('%s', async (_title, prefix) => {
      const spec = specOf(JSON.parse(readFileSync(root(name, 'config.json'), 'utf8')), { place: name })
      const worst = await compare(spec, root(name, 'model.safetensors'), golden, prefix)
      expect(worst.count).toBeGreaterThan(0)
      expect(worst).toSatisfy(({ difference }) => difference <= (tolerances.get(name) ?? 0))
    })
  })
})

/** Greatest difference over real tokens of everything the golden file holds under a prefix. */
async function compare(spec: ModelSpec, weights: string, golden: Golden, prefix: string): Promise<{ difference: number; at: string; count: number }> {
  // The default run of the left-padded batch shares its inputs, without positions.
  const from = prefix === 'left_default.' ? 'left.' : prefix
  const input = (tensor: string): FileTensor | undefined => golden.get(`${from}${tensor}`)
  const wants = (tensor: string): boolean => golden.has(`${prefix}${tensor}`)
  const optional = (['token_type_ids', 'position_ids'] as const).filter((tensor) => input(tensor) !== undefined && prefix !== 'left_default.')
  const graph = await buildGraph(spec, fileSource(weights), {
    states: wants('hidden_states.0') ? 'all' : [],
    tokens: true,
    lastState: true,
    pooler: wants('pooler_output'),
    logits: wants('logits') ? 'auto' : 'none',
    inputs: optional,
  } satisfies GraphRequest)

  const session = await loadGraph(graph)
  const feeds = ['input_ids', 'attention_mask', ...optional]
  const results = await session.run(Object.fromEntries(feeds.map((feed) => [feed, { dims: input(feed)?.shape ?? [], data: integers(input(feed)) }])))
  await session.close()

  const mask = integers(input('attention_mask'))
  let worst = { difference: 0, at: '', count: 0 }
  for (const [name, result] of results) {
    const wanted = golden.get(`${prefix}${name}`)
    if (wanted === undefined) continue
    expect({ name, dims: result.dims }).toEqual({ name, dims: wanted.shape })
    const difference = greatest(result, floats(wanted), mask)
    worst = { difference: Math.max(difference, worst.difference), at: difference > worst.difference ? name : worst.at, count: worst.count + 1 }
  }
  return worst
}

/** NaN counts as infinitely far. */
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

function integers(tensor: FileTensor | undefined): number[] {
  return tensor === undefined ? [] : Array.from(new BigInt64Array(tensor.bytes.slice().buffer), Number)
}

function floats(tensor: FileTensor): Float32Array {
  return new Float32Array(tensor.bytes.slice().buffer)
}
