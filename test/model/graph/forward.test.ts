/** A small BERT and a small LLaMA against plain loops: states, padding, pooling, norms, heads. Needs no files. */
import { beforeAll, describe, expect, test } from 'vitest'
import { specOf, type ModelSpec } from '#model/architectures'
import { buildGraph, poolModes, type GraphRequest, type PoolMode } from '#model/graph'
import { bertConfig, llamaConfig } from '../architectures/small-configs.ts'
import {
  bertTensors,
  llamaFinalNorm,
  llamaTensors,
  plainBert,
  plainLlama,
  type PlainOutputs,
  type States,
} from './plain-forward.ts'
import { loadGraph, type Floats, type Integers } from './run-graph.ts'
import { memorySource } from './safetensors-source.ts'

/** Two layers in float32 against float64: a few units in the last place of values up to 10. */
const close = 5e-6

const texts = [[5, 3, 9, 1, 7], [2, 8], [4], [6, 6, 10, 3]] as const
const cols = 5

interface Batch {
  readonly ids: Integers
  readonly mask: Integers
  /** Column of each text's first token. */
  readonly start: readonly number[]
}

function batch(side: 'left' | 'right', rows: readonly (readonly number[])[] = texts): Batch {
  const start = rows.map((row) => (side === 'right' ? 0 : cols - row.length))
  const place = (values: (row: readonly number[]) => readonly number[]): number[] =>
    rows.flatMap((row, r) => {
      const line = Array.from({ length: cols }, () => 0)
      values(row).forEach((value, i) => (line[(start[r] ?? 0) + i] = value))
      return line
    })
  const dims = [rows.length, cols]
  return { ids: { dims, data: place((row) => row) }, mask: { dims, data: place((row) => row.map(() => 1)) }, start }
}

const models = {
  bert: { spec: specOf(bertConfig), tensors: bertTensors, plain: plainBert },
  llama: { spec: specOf(llamaConfig), tensors: llamaTensors, plain: plainLlama },
} as const

async function run(
  name: keyof typeof models,
  request: GraphRequest,
  feeds: Record<string, Integers>,
): Promise<ReadonlyMap<string, Floats>> {
  const { spec, tensors } = models[name]
  const session = await loadGraph(await buildGraph(spec, memorySource(tensors), request))
  const result = await session.run(feeds)
  await session.close()
  return result
}

/** Row r's real tokens of a [rows × cols × width] output. */
function tokensOf(output: Floats | undefined, r: number, from: number, count: number): States {
  const [, width = 1] = output?.dims.slice(1) ?? []
  return Array.from({ length: count }, (_, s) => rowOf(output, r * cols + from + s, width))
}

function rowOf(output: Floats | undefined, index: number, width: number): number[] {
  return Array.from(output?.data.subarray(index * width, (index + 1) * width) ?? [])
}

function apart(seen: States, wanted: States): number {
  expect(seen.length).toBe(wanted.length)
  return Math.max(
    0,
    ...wanted.flatMap((token, s) => token.map((value, i) => Math.abs(value - (seen[s]?.[i] ?? Number.NaN)))),
  )
}

describe.each(['bert', 'llama'] as const)('%s', (name) => {
  const wanted: PlainOutputs[] = texts.map((ids) => models[name].plain(ids))
  const layers = models[name].spec.layers

  // Learned positions count columns, so that BERT's left-padded texts stand elsewhere; rotary ones are relative.
  test.each(name === 'llama' ? (['right', 'left'] as const) : (['right'] as const))(
    'gives every text its own states, padded on the %s',
    async (side) => {
      const { ids, mask, start } = batch(side)
      const results = await run(
        name,
        { states: 'all', tokens: true, lastState: true },
        { input_ids: ids, attention_mask: mask },
      )
      texts.forEach((text, r) => {
        const seen = (output: string): States => tokensOf(results.get(output), r, start[r] ?? 0, text.length)
        for (let h = 0; h <= layers; h++) {
          const state = h === layers ? wanted[r]?.last : wanted[r]?.states[h]
          expect(apart(seen(`hidden_states.${h}`), state ?? [])).toBeLessThan(close)
        }
        expect(apart(seen('last_hidden_state'), wanted[r]?.last ?? [])).toBeLessThan(close)
      })
    },
  )

  test('positions given explicitly undo the padding on the left', async () => {
    const { ids, mask, start } = batch('left')
    const positions = {
      dims: ids.dims,
      data: texts.flatMap((_, r) => Array.from({ length: cols }, (_unused, s) => Math.max(0, s - (start[r] ?? 0)))),
    }
    const request = { lastState: true, inputs: ['position_ids'] } as const
    const results = await run(name, request, { input_ids: ids, attention_mask: mask, position_ids: positions })
    texts.forEach((text, r) =>
      expect(
        apart(tokensOf(results.get('last_hidden_state'), r, start[r] ?? 0, text.length), wanted[r]?.last ?? []),
      ).toBeLessThan(close),
    )
  })

  test.each(['int32', 'int64'] as const)('takes %s inputs', async (integers) => {
    const { ids, mask } = batch('right')
    const results = await run(name, { lastState: true, integers }, { input_ids: ids, attention_mask: mask })
    expect(apart(tokensOf(results.get('last_hidden_state'), 0, 0, 5), wanted[0]?.last ?? [])).toBeLessThan(close)
  })

  test('a row without any real token gives numbers, and a pooled mean of zeros', async () => {
    const empty = batch('right', [[5, 3], []])
    const results = await run(
      name,
      { states: 'all', tokens: true, pool: ['mean'], lastState: true },
      { input_ids: empty.ids, attention_mask: empty.mask },
    )
    for (const [, { data }] of results) expect(data.every(Number.isFinite)).toBe(true)
    expect(rowOf(results.get('pooled.last'), 1, models[name].spec.width)).toEqual(
      Array.from({ length: models[name].spec.width }, () => 0),
    )
  })

  test('blocks above the last state asked for are not built', async () => {
    const source = memorySource(
      Object.fromEntries(
        Object.entries(models[name].tensors).filter(([tensor]) => !/(?:layer|layers)\.1\./.test(tensor)),
      ),
    )
    const graph = await buildGraph(models[name].spec, source, { states: [1], pool: ['mean'], pooledLast: false })
    expect(graph.outputs.map((output) => output.name)).toEqual(['pooled.1'])
    await expect(buildGraph(models[name].spec, source, { states: [1], pool: ['mean'] })).rejects.toMatchObject({
      code: 'tensor.missing',
    })
  })
})

describe('heads', () => {
  test('the pooler takes the first real token on either side', async () => {
    for (const side of ['right', 'left'] as const) {
      const { ids, mask, start } = batch(side)
      const positions = {
        dims: ids.dims,
        data: texts.flatMap((_, r) => Array.from({ length: cols }, (_unused, s) => Math.max(0, s - (start[r] ?? 0)))),
      }
      const results = await run(
        'bert',
        { pooler: true, inputs: ['position_ids'] },
        { input_ids: ids, attention_mask: mask, position_ids: positions },
      )
      texts.forEach((text, r) =>
        expect(apart([rowOf(results.get('pooler_output'), r, 8)], plainBert(text).head)).toBeLessThan(close),
      )
    }
  })

  test('causal logits are of the normed last state', async () => {
    const { ids, mask } = batch('right')
    const results = await run('llama', { logits: 'auto' }, { input_ids: ids, attention_mask: mask })
    texts.forEach((text, r) =>
      expect(apart(tokensOf(results.get('logits'), r, 0, text.length), plainLlama(text).head)).toBeLessThan(close),
    )
  })

  test('a head the family lacks is refused, naming those it has', async () => {
    await expect(buildGraph(models.llama.spec, memorySource(llamaTensors), { logits: 'masked' })).rejects.toMatchObject(
      {
        code: 'config.unsupported',
        message: expect.stringContaining('causal') as string,
      },
    )
  })
})

describe('final norm', () => {
  test('always: every state of a pre-norm model has it once', async () => {
    const { ids, mask } = batch('right')
    const results = await run(
      'llama',
      { states: 'all', tokens: true, finalNorm: 'always' },
      { input_ids: ids, attention_mask: mask },
    )
    texts.forEach((text, r) => {
      plainLlama(text).states.forEach((state, h) =>
        expect(
          apart(tokensOf(results.get(`hidden_states.${h}`), r, 0, text.length), llamaFinalNorm(state)),
        ).toBeLessThan(close),
      )
    })
  })

  test('always changes nothing in a post-norm model', async () => {
    const { ids, mask } = batch('right')
    const [native, always] = await Promise.all(
      (['native', 'always'] as const).map((finalNorm) =>
        run('bert', { states: 'all', tokens: true, finalNorm }, { input_ids: ids, attention_mask: mask }),
      ),
    )
    for (const [name, { data }] of native ?? []) expect(always?.get(name)?.data).toEqual(data)
  })
})

describe('pooling', () => {
  /** As sentence-transformers' Pooling module computes it, with column weights for weightedmean. */
  const plain: Record<PoolMode, (states: States, columns: readonly number[]) => number[]> = {
    mean: (states) =>
      combine(
        states,
        states.map(() => 1 / states.length),
      ),
    mean_sqrt_len_tokens: (states) =>
      combine(
        states,
        states.map(() => 1 / Math.sqrt(states.length)),
      ),
    weightedmean: (states, columns) =>
      combine(
        states,
        columns.map((column) => (column + 1) / columns.reduce((total, c) => total + c + 1, 0)),
      ),
    max: (states) => (states[0] ?? []).map((_, i) => Math.max(...states.map((token) => token[i] ?? Number.NaN))),
    cls: (states) => [...(states[0] ?? [])],
    lasttoken: (states) => [...(states.at(-1) ?? [])],
  }
  const combine = (states: States, weights: readonly number[]): number[] =>
    (states[0] ?? []).map((_, i) => states.reduce((total, token, s) => total + (weights[s] ?? 0) * (token[i] ?? 0), 0))

  test.each(poolModes.flatMap((mode) => (['right', 'left'] as const).map((side) => [mode, side] as const)))(
    '%s, padded on the %s',
    async (mode, side) => {
      const { ids, mask, start } = batch(side)
      const results = await run('llama', { states: 'all', pool: [mode] }, { input_ids: ids, attention_mask: mask })
      texts.forEach((text, r) => {
        const columns = text.map((_, s) => (start[r] ?? 0) + s)
        const { states, last } = plainLlama(text)
        expect(apart([rowOf(results.get('pooled.1'), r, 16)], [plain[mode](states[1] ?? [], columns)])).toBeLessThan(
          close,
        )
        expect(apart([rowOf(results.get('pooled.last'), r, 16)], [plain[mode](last, columns)])).toBeLessThan(close)
      })
    },
  )

  test('modes stand side by side in the order given', async () => {
    const { ids, mask } = batch('right')
    const graph = await buildGraph(models.llama.spec, memorySource(llamaTensors), { pool: ['max', 'mean'] })
    expect(graph.outputs).toEqual([{ name: 'pooled.last', kind: 'pooled-last', width: 32, per: 'text' }])
    const results = await run('llama', { pool: ['max', 'mean'] }, { input_ids: ids, attention_mask: mask })
    const { last } = plainLlama(texts[0])
    expect(
      apart([rowOf(results.get('pooled.last'), 0, 32)], [[...plain.max(last, []), ...plain.mean(last, [])]]),
    ).toBeLessThan(close)
  })

  test('a pooling mask leaves tokens out that attention still sees; the first token stays the first', async () => {
    const { ids, mask } = batch('right')
    const pool = { dims: mask.dims, data: Array.from(mask.data, (value, i) => (i % cols === 0 ? 0 : value)) }
    const results = await run(
      'llama',
      { pool: ['mean', 'cls', 'lasttoken'], inputs: ['pool_mask'] },
      { input_ids: ids, attention_mask: mask, pool_mask: pool },
    )
    texts.forEach((text, r) => {
      const { last } = plainLlama(text)
      const rest = last.slice(1)
      const nothing = last[0]?.map(() => 0) ?? []
      const wanted =
        rest.length === 0
          ? [nothing, plain.cls(last, []), nothing]
          : [plain.mean(rest, []), plain.cls(last, []), plain.lasttoken(rest, [])]
      expect(apart([rowOf(results.get('pooled.last'), r, 48)], [wanted.flat()])).toBeLessThan(close)
    })
  })
})

describe('what a graph says about itself', () => {
  let spec: ModelSpec
  beforeAll(() => {
    spec = models.llama.spec
  })

  test('inputs the model has no use for are left out and noted', async () => {
    const graph = await buildGraph(spec, memorySource(llamaTensors), {
      lastState: true,
      inputs: ['token_type_ids', 'pool_mask', 'position_ids'],
    })
    expect(graph.inputs.map((input) => input.name)).toEqual(['input_ids', 'attention_mask', 'position_ids'])
    expect(graph.notes.join()).toMatch(/token_type_ids.*pool_mask/)
  })

  test('tensors the family has no place for are named', async () => {
    const extra = { ...llamaTensors, 'model.vision.weight': { shape: [1], data: new Float32Array(1) } }
    const graph = await buildGraph(
      spec,
      memorySource({
        ...extra,
        'model.layers.0.self_attn.rotary_emb.inv_freq': { shape: [2], data: new Float32Array(2) },
      }),
      { lastState: true },
    )
    expect(graph.notes).toEqual(['1 tensor is not used: model.vision.weight'])
  })

  test('missing tensors are listed', async () => {
    const { 'model.norm.weight': _, ...rest } = llamaTensors
    await expect(buildGraph(spec, memorySource(rest), { lastState: true })).rejects.toMatchObject({
      code: 'tensor.missing',
      message: expect.stringContaining('model.norm.weight') as string,
    })
  })

  test('a config of far more layers than the file has is refused before it is wired', async () => {
    const deep = specOf({ ...llamaConfig, num_hidden_layers: 2000 })
    await expect(buildGraph(deep, memorySource(llamaTensors), { lastState: true })).rejects.toMatchObject({
      code: 'tensor.missing',
      message: expect.stringContaining('lacks 500 or more tensors') as string,
    })
  })

  test('a shape that does not fit is refused with both shapes', async () => {
    const wrong = { ...llamaTensors, 'model.norm.weight': { shape: [7], data: new Float32Array(7) } }
    await expect(buildGraph(spec, memorySource(wrong), { lastState: true })).rejects.toMatchObject({
      code: 'tensor.shape',
      message: expect.stringMatching(/model\.norm\.weight.*\[7\], wanted \[16\]/) as string,
    })
  })

  test.each([[[3]], [[-1]], [[0.5]]])('hidden state %j does not exist', async (states) => {
    await expect(buildGraph(spec, memorySource(llamaTensors), { states, tokens: true })).rejects.toMatchObject({
      code: 'usage.value',
    })
  })

  test('nothing asked for is refused', async () => {
    await expect(buildGraph(spec, memorySource(llamaTensors), {})).rejects.toMatchObject({ code: 'usage.value' })
  })
})
