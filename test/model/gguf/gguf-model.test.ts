/**
 * GGUF files of tiny models against transformers: weights bit by bit, every hidden state, token ids; and files whose
 * metadata or tensors ask for anything else. `oracles/gguf_models.py` makes the former.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fault, type RepoFiles } from '#core'
import { openGguf, readFloat32 } from '#files/formats'
import { referenceIndex, specOf } from '#model/architectures'
import { ggufModel, type GgufModel } from '#model/gguf'
import { buildGraph } from '#model/graph'
import { loadTokenizer } from '#model/tokenizer'
import { goldenOf } from '../../golden-of.ts'
import { faultOf, temporaryFolder } from '../../files/formats/made-files.ts'
import { gguf, type MadeTensor, type MadeValue } from '../../files/formats/made-gguf.ts'
import { loadGraph } from '../graph/run-graph.ts'

interface GgufCase {
  readonly file: string
  readonly weights: Readonly<Record<string, string>>
  readonly ids: readonly (readonly number[])[]
  readonly states: readonly string[]
  readonly texts: Readonly<Record<string, readonly number[]>>
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

let counter = 0
async function opened(bytes: Uint8Array): Promise<GgufModel> {
  const path = join(folder.path, `${counter++}.gguf`)
  await writeFile(path, bytes)
  const file = await openGguf(path)
  return ggufModel(file).catch(async (error: unknown) => {
    await file.tensors.close()
    throw error
  })
}

function filesOf(texts: ReadonlyMap<string, string>): RepoFiles {
  const text = async (path: string): Promise<string> => {
    const found = texts.get(path)
    if (found === undefined) throw fault('file.missing', { place: path, what: 'no such file' })
    return found
  }
  return {
    name: 'made',
    revision: undefined,
    list: async () => [...texts.keys()],
    has: async (path) => texts.has(path),
    local: text,
    bytes: async (path) => Buffer.from(await text(path)),
    text,
  }
}

const configOf = ({ texts }: GgufModel): Record<string, unknown> =>
  JSON.parse(texts.get('config.json') ?? '') as Record<string, unknown>

describe.each(['llama', 'qwen2', 'qwen3', 'gemma2', 'gemma3', 'phi3', 'bert'])('%s', (name) => {
  const golden = goldenOf<GgufCase>('model/gguf', name)
  let model: GgufModel
  beforeAll(async () => {
    model = await opened(Buffer.from(golden.file, 'base64'))
  })
  afterAll(() => model.tensors.close())

  test('weights are those of the reference to the last bit', async () => {
    expect(Object.keys(golden.weights).length).toBeGreaterThan(1)
    for (const [tensor, data] of Object.entries(golden.weights)) {
      const values = await readFloat32(model.tensors, tensor)
      expect(Buffer.from(values.buffer).toString('base64')).toBe(data)
    }
  })

  test('every state is that of the reference', async () => {
    const spec = specOf(configOf(model))
    const graph = await buildGraph(spec, model.tensors, { states: 'all', tokens: true, lastState: true })
    expect(graph.notes).toEqual([])
    const session = await loadGraph(graph)
    const dims = [golden.ids.length, golden.ids[0]?.length ?? 0]
    const results = await session.run({
      input_ids: { dims, data: golden.ids.flat() },
      attention_mask: { dims, data: golden.ids.flat().map(() => 1) },
    })
    await session.close()
    let compared = 0
    for (const [output, { data }] of results) {
      const layer = /^hidden_states\.(\d+)$/.exec(output)?.[1]
      const index = referenceIndex(spec, layer === undefined ? 'last' : Number(layer))
      const wanted = index === undefined ? undefined : golden.states[index]
      if (wanted === undefined) continue
      compared++
      const values = new Float32Array(new Uint8Array(Buffer.from(wanted, 'base64')).buffer)
      const most = values.reduce((top, value) => Math.max(top, Math.abs(value)), 0)
      expect(data.length).toBe(values.length)
      expect(data.reduce((top, value, i) => Math.max(top, Math.abs(value - values[i]!)), 0)).toBeLessThan(1e-5 * most)
    }
    expect(compared).toBeGreaterThanOrEqual(golden.states.length)
  })

  test('token ids are those of the reference', async () => {
    const tokenizer = await loadTokenizer(filesOf(model.texts))
    const texts = Object.keys(golden.texts)
    const encoded = await tokenizer.encodeBatch(texts)
    expect(Object.fromEntries(texts.map((text, i) => [text, Array.from(encoded[i]!.ids)]))).toEqual(golden.texts)
  })
})

test('a pooling becomes modules of sentence-transformers', async () => {
  const { texts, tensors } = await opened(Buffer.from(goldenOf<GgufCase>('model/gguf', 'bert').file, 'base64'))
  expect(JSON.parse(texts.get('1_Pooling/config.json') ?? '')).toMatchObject({
    pooling_mode_cls_token: true,
    pooling_mode_mean_tokens: false,
  })
  await tensors.close()
})

type Pairs = Readonly<Record<string, MadeValue>>

const sizes: Pairs = {
  'general.architecture': { text: 'llama' },
  'llama.block_count': { u32: 1 },
  'llama.context_length': { u32: 16 },
  'llama.embedding_length': { u32: 8 },
  'llama.feed_forward_length': { u32: 8 },
  'llama.attention.head_count': { u32: 2 },
}
const matrix = (name: string, ...shape: number[]): MadeTensor => ({
  name,
  shape,
  type: 0,
  bytes: new Uint8Array(shape.reduce((product, size) => product * size, 4)),
})
const floats = (name: string, values: readonly number[]): MadeTensor => ({
  name,
  shape: [values.length],
  type: 0,
  bytes: new Uint8Array(Float32Array.from(values).buffer),
})

const made = (pairs: Pairs, tensors: readonly MadeTensor[] = []): Buffer =>
  gguf({ pairs: Object.entries({ ...sizes, ...pairs }), tensors: [matrix('token_embd.weight', 4, 8), ...tensors] })

test("Llama 3's factors become its rotary scaling", async () => {
  const smooth = (wavelength: number): number => Math.min(1, Math.max(0, (8192 / wavelength - 1) / 3))
  const factors = [0, 1, 2, 3].map((i) => {
    const share = smooth(2 * Math.PI * 500_000 ** (i / 4))
    return 1 / ((1 - share) / 8 + share)
  })
  const base: Pairs = { 'llama.rope.freq_base': { f32: 500_000 } }
  const model = await opened(
    made({ ...base, 'llama.attention.key_length': { u32: 8 } }, [floats('rope_freqs.weight', factors)]),
  )
  expect(configOf(model)['rope_scaling']).toMatchObject({ rope_type: 'llama3', factor: 8, low_freq_factor: 1 })
  await model.tensors.close()
  const fault = await faultOf(() => opened(made(base, [floats('rope_freqs.weight', [2, 3])])))
  expect(fault).toMatchObject({ code: 'config.unsupported' })
})

test('linear scaling and a tied head are in the config', async () => {
  const pairs: Pairs = { 'llama.rope.scaling.type': { text: 'linear' }, 'llama.rope.scaling.factor': { f32: 4 } }
  const model = await opened(made(pairs))
  expect(configOf(model)).toMatchObject({
    rope_scaling: { rope_type: 'linear', factor: 4 },
    tie_word_embeddings: true,
    head_dim: 4,
  })
  await model.tensors.close()
})

const tokens: Pairs = { 'tokenizer.ggml.tokens': { texts: ['a', 'b', 'c', 'd'] } }

test.each<[string, Pairs, readonly MadeTensor[], string, string]>([
  [
    'an architecture that is not read',
    { 'general.architecture': { text: 'mamba' } },
    [],
    'config.family',
    'mamba, wanted llama',
  ],
  ['no architecture', { 'general.architecture': { u32: 1 } }, [], 'config.value', 'general.architecture'],
  ['a file in parts', { 'split.count': { u32: 3 } }, [], 'config.unsupported', 'in several parts'],
  ['an adapter', { 'general.type': { text: 'adapter' } }, [], 'config.unsupported', 'an adapter'],
  ['experts', { 'llama.expert_count': { u32: 8 } }, [], 'config.unsupported', 'a mixture of experts'],
  ['a key that nobody reads', { 'llama.attention.clamp_kqv': { f32: 8 } }, [], 'config.unsupported', 'clamp_kqv'],
  ['heads that do not divide', { 'llama.attention.head_count': { u32: 3 } }, [], 'tensor.shape', 'token table'],
  ['no heads', { 'llama.attention.head_count': { u32: 0 } }, [], 'tensor.shape', 'token table'],
  ['another width', { 'llama.embedding_length': { u32: 16 } }, [], 'tensor.shape', 'token table'],
  ['a count that is a text', { 'llama.block_count': { text: '1' } }, [], 'config.value', 'block_count'],
  [
    'values per layer',
    { 'llama.attention.head_count_kv': { ints: [2, 1] } },
    [],
    'config.value',
    'the same for all layers',
  ],
  [
    'positions on a part',
    { 'llama.rope.dimension_count': { u32: 2 } },
    [],
    'config.unsupported',
    'a part of each head',
  ],
  [
    'values of another width',
    { 'llama.attention.value_length': { u32: 2 } },
    [],
    'config.unsupported',
    'another width',
  ],
  ['unknown scaling', { 'llama.rope.scaling.type': { text: 'ntk' } }, [], 'config.unsupported', 'ntk'],
  ['a pooling that ranks', { 'llama.pooling_type': { u32: 4 } }, [], 'config.unsupported', 'pooling'],
  ['a tensor without a place', {}, [matrix('blk.0.ffn_gate_exps.weight', 2, 8)], 'config.unsupported', 'ffn_gate_exps'],
  ['a head without a place', {}, [matrix('cls.weight', 2, 8)], 'config.unsupported', 'cls.weight'],
  ['half of the biases', {}, [floats('blk.0.attn_q.bias', [1])], 'config.unsupported', 'others none'],
  ['rows that are not pairs', {}, [matrix('blk.0.attn_q.weight', 7, 8)], 'tensor.shape', 'two per head'],
  ['too few factors', {}, [floats('rope_freqs.weight', [1])], 'tensor.shape', 'a factor per pair'],
  ['an unknown tokenizer', { ...tokens, 'tokenizer.ggml.model': { text: 'rwkv' } }, [], 'config.unsupported', 'rwkv'],
  [
    'an unknown way to cut',
    { ...tokens, 'tokenizer.ggml.model': { text: 'gpt2' }, 'tokenizer.ggml.pre': { text: 'porridge' } },
    [],
    'config.unsupported',
    'porridge',
  ],
  [
    'no merges',
    { ...tokens, 'tokenizer.ggml.model': { text: 'gpt2' }, 'tokenizer.ggml.pre': { text: 'qwen2' } },
    [],
    'config.value',
    'merges: is missing',
  ],
  [
    'too few scores',
    { ...tokens, 'tokenizer.ggml.model': { text: 'llama' }, 'tokenizer.ggml.scores': { floats: [1] } },
    [],
    'config.value',
    'not a score per token',
  ],
  [
    'a special token that is not there',
    {
      ...tokens,
      'tokenizer.ggml.model': { text: 'llama' },
      'tokenizer.ggml.scores': { floats: [0, 0, 0, 0] },
      'tokenizer.ggml.bos_token_id': { u32: 9 },
    },
    [],
    'config.value',
    'not in the vocabulary',
  ],
])('%s is refused', async (_, pairs, tensors, code, words) => {
  const fault = await faultOf(() => opened(made(pairs, tensors)))
  expect(fault).toMatchObject({ code, message: expect.stringContaining(words) as string })
})

test('a file without a token table is refused', async () => {
  const fault = await faultOf(() => opened(gguf({ pairs: Object.entries(sizes) })))
  expect(fault).toMatchObject({ code: 'tensor.missing' })
})
