/** Where weights lie: in their files, in place, whatever their type; and what they take in memory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import type { Dtype, TensorSource } from '#core'
import { buildGraph, offers, planMemory } from '#model/graph'
import { bertConfig, llamaConfig } from '../architectures/small-configs.ts'
import { bertTensors, llamaTensors } from './plain-forward.ts'
import { loadGraph } from './run-graph.ts'
import { fileSource, memorySource } from './safetensors-source.ts'

const spec = specOf(bertConfig)
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-graph-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Tensors as one safetensors file whose data begin at an odd place. */
function write(
  name: string,
  tensors: Readonly<Record<string, { shape: readonly number[]; dtype: Dtype; bytes: Uint8Array }>>,
): string {
  let offset = 0
  const header = Object.fromEntries(
    Object.entries(tensors).map(([tensor, { shape, dtype, bytes }]) => {
      const begin = offset
      offset += bytes.length
      return [tensor, { dtype, shape, data_offsets: [begin, offset] }]
    }),
  )
  const json = Buffer.from(JSON.stringify(header))
  const padded = Buffer.concat([json, Buffer.alloc(json.length % 2 === 0 ? 1 : 0, ' ')])
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(padded.length))
  const path = join(folder, name)
  writeFileSync(path, Buffer.concat([length, padded, ...Object.values(tensors).map(({ bytes }) => bytes)]))
  return path
}

function bytesOf(data: Float32Array): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}

const plain = Object.fromEntries(
  Object.entries(bertTensors).map(([name, { shape, data }]) => [
    name,
    { shape, dtype: 'F32' as const, bytes: bytesOf(data) },
  ]),
)
/** Upper half of each float32: truncated to bfloat16. */
const halves = Object.fromEntries(
  Object.entries(bertTensors).map(([name, { shape, data }]) => {
    const upper = Uint16Array.from(
      new Uint32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)),
      (bits) => bits >>> 16,
    )
    return [name, { shape, dtype: 'BF16' as const, bytes: new Uint8Array(upper.buffer) }]
  }),
)
const ids = { dims: [1, 3], data: [4, 2, 7] }
const mask = { dims: [1, 3], data: [1, 1, 1] }

async function lastState(
  source: TensorSource,
  readFloat32?: (name: string) => Promise<Float32Array>,
): Promise<Float32Array> {
  const graph = await buildGraph(spec, source, { lastState: true }, readFloat32 === undefined ? {} : { readFloat32 })
  const session = await loadGraph(graph)
  const results = await session.run({ input_ids: ids, attention_mask: mask })
  await session.close()
  return results.get('last_hidden_state')?.data ?? new Float32Array()
}

describe('weights in a file', () => {
  test('stay there: the graph names the file and holds no copy', async () => {
    const path = write('plain.safetensors', plain)
    const graph = await buildGraph(spec, fileSource(path), { lastState: true })
    expect(graph.externals).toEqual([{ location: 'weights-0.bin', path }])
    expect(graph.inline).toEqual([])
    const model = Buffer.from(graph.model)
    expect(Object.values(plain).filter(({ bytes }) => model.includes(Buffer.from(bytes)))).toEqual([])
  })

  test('give what the same weights in memory give, bit for bit', async () => {
    expect(await lastState(fileSource(write('plain.safetensors', plain)))).toEqual(
      await lastState(memorySource(bertTensors)),
    )
  })

  test('of bfloat16 are widened exactly', async () => {
    const widened = Object.fromEntries(
      Object.entries(bertTensors).map(([name, { shape, data }]) => [
        name,
        {
          shape,
          data: data.map((value) => new Float32Array(new Uint32Array([bitsOf(value) & 0xffff0000]).buffer)[0] ?? 0),
        },
      ]),
    )
    expect(await lastState(fileSource(write('half.safetensors', halves)))).toEqual(
      await lastState(memorySource(widened)),
    )
  })
})

function bitsOf(value: number): number {
  return new Uint32Array(new Float32Array([value]).buffer)[0] ?? 0
}

describe('types the engine does not read', () => {
  const doubles = Object.fromEntries(
    Object.entries(bertTensors).map(([name, { shape, data }]) => [
      name,
      { shape, dtype: 'F64' as const, bytes: new Uint8Array(Float64Array.from(data).buffer) },
    ]),
  )
  const readFloat32 = (name: string): Promise<Float32Array> =>
    Promise.resolve(bertTensors[name]?.data ?? new Float32Array())

  test('are widened by the caller', async () => {
    const source = fileSource(write('double.safetensors', doubles))
    expect(await lastState(source, readFloat32)).toEqual(await lastState(memorySource(bertTensors)))
    const graph = await buildGraph(spec, source, { lastState: true }, { readFloat32 })
    expect(graph.externals).toEqual([])
    expect(graph.inline.length).toBeGreaterThan(10)
  })

  test('are refused without that', async () => {
    await expect(
      buildGraph(spec, fileSource(write('double.safetensors', doubles)), { lastState: true }),
    ).rejects.toMatchObject({ code: 'tensor.dtype' })
  })
})

describe('memory', () => {
  const elements = Object.entries(bertTensors).filter(([name]) => !name.startsWith('pooler'))

  test('weights are counted as float32, embedding tables as stored', () => {
    const source = fileSource(write('half.safetensors', halves))
    const expected = elements.reduce(
      (sum, [name, { data }]) => sum + data.length * (name.endsWith('embeddings.weight') ? 2 : 4),
      0,
    )
    expect(planMemory(spec, source, { batchTokens: 64 }).weights).toBe(expected)
  })

  test('a half-precision table that is the head too is there twice', () => {
    const [table, hidden] = ['embeddings.word_embeddings.weight', bertConfig.hidden_size] as const
    const masked = specOf({ ...bertConfig, architectures: ['BertForMaskedLM'] })
    const head = Object.fromEntries(
      [
        ...['dense.weight', 'dense.bias', 'LayerNorm.weight', 'LayerNorm.bias'].map((part) => `transform.${part}`),
        'bias',
      ].map((part) => {
        const shape = part === 'bias' ? [11] : part === 'transform.dense.weight' ? [hidden, hidden] : [hidden]
        const count = shape.reduce((a, b) => a * b, 1)
        return [`cls.predictions.${part}`, { shape, dtype: 'BF16' as const, bytes: new Uint8Array(2 * count) }]
      }),
    )
    const source = fileSource(write('masked.safetensors', { ...halves, ...head }))
    const without = planMemory(masked, source, { batchTokens: 64 }).weights
    const withHead = planMemory(masked, source, {
      batchTokens: 64,
      request: { lastState: true, logits: 'masked' },
    }).weights
    const headElements = Object.values(head).reduce((sum, { bytes }) => sum + bytes.length / 2, 0)
    expect(withHead - without).toBe(4 * (headElements + (bertTensors[table]?.data.length ?? 0)))
  })

  test('activations grow with the budget, and with what leaves the graph', () => {
    const source = memorySource(bertTensors)
    const small = planMemory(spec, source, { batchTokens: 64 })
    const large = planMemory(spec, source, { batchTokens: 128, cols: 16 })
    const leaving = planMemory(spec, source, { batchTokens: 64, request: { states: 'all', tokens: true } })
    expect(large.activations).toBeGreaterThan(small.activations)
    expect(leaving.activations - small.activations).toBe(64 * 4 * 8 * 2)
    expect(small.total).toBe(small.weights + small.activations)
  })
})

describe('offers', () => {
  test('says whether a head is there', () => {
    const { 'pooler.dense.weight': _, ...headless } = bertTensors
    expect(offers(spec, memorySource(bertTensors), { pooler: true })).toBe(true)
    expect(offers(spec, memorySource(headless), { pooler: true })).toBe(false)
    expect(offers(specOf(llamaConfig), memorySource(llamaTensors), { pooler: true })).toBe(false)
  })

  test('throws what is wrong otherwise', () => {
    const wrong = { ...bertTensors, 'pooler.dense.weight': { shape: [1], data: new Float32Array(1) } }
    expect(() => offers(spec, memorySource(wrong), { pooler: true })).toThrow(
      expect.objectContaining({ code: 'tensor.shape' }) as Error,
    )
  })
})
