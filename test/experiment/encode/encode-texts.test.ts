import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { encodeLines, encodeTexts, encodeTextTokens, type TextRow } from '#experiment/encode'
import { openModel, type OpenModelOptions } from '#experiment/open'
import type { Model } from '#model/checkpoint'
import { openTensors, readFloat32 } from '#files/formats'
import { readColumns } from '#files/tables'
import { carriedModel, useCarriedHub } from '../../carried.ts'
import { scratchFolder } from '../../scratch.ts'
import { writeSmallModel } from './small-model.ts'

const texts = [
  'A man is playing a guitar.',
  '',
  'refund',
  'How do I locate my card?',
  'x'.repeat(3000),
  'The weather is nice today!',
]
const rows = (list: readonly string[]): TextRow[] => list.map((text, index) => ({ id: `t${index}`, text }))

async function* inBatches(list: readonly TextRow[], size: number): AsyncGenerator<TextRow[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}

describe('texts to a file', () => {
  let folder: string
  let model: Model
  let restore: () => void
  beforeAll(async () => {
    restore = useCarriedHub()
    folder = await mkdtemp(join(tmpdir(), 'strata-encode-'))
    model = await openModel(carriedModel)
  })
  afterAll(async () => {
    await model.close()
    restore()
    await rm(folder, { recursive: true, force: true })
  })
  const read = async (path: string, name: string): Promise<{ shape: readonly number[]; values: Float32Array }> => {
    const source = await openTensors(path)
    const values = await readFloat32(source, name)
    const shape = source.info(name)?.shape ?? []
    await source.close()
    return { shape, values }
  }

  test('safetensors holds one tensor a state, npy stacks them, both the same numbers', async () => {
    const [a, b] = [join(folder, 'a.safetensors'), join(folder, 'b.npy')]
    await encodeTexts(model, inBatches(rows(texts), 4), { out: a, states: [0, 3, 6] })
    await encodeTexts(model, inBatches(rows(texts), 2), { out: b, states: [0, 3, 6] })
    const stacked = await read(b, 'array')
    expect(stacked.shape).toEqual([3, 6, 384])
    for (const [index, h] of [0, 3, 6].entries()) {
      const one = await read(a, `hidden_states.${h}`)
      expect(one.shape).toEqual([6, 384])
      expect([...stacked.values.subarray(index * 6 * 384, (index + 1) * 6 * 384)]).toEqual([...one.values])
    }
  })

  test('tables name the text, its id and the layer; an empty text keeps its row', async () => {
    const out = join(folder, 'c.parquet')
    await encodeTexts(model, inBatches(rows(texts), 10), { out, states: [1, 2] })
    const { columns } = await readColumns([out], { place: out })
    expect(columns['id']).toEqual(texts.flatMap((_, index) => [`t${index}`, `t${index}`]))
    expect(columns['layer']).toEqual(texts.flatMap(() => ['h1', 'h2']))
    expect(columns['text']?.[2]).toBe('')
    const lines = join(folder, 'c.jsonl')
    await encodeTexts(model, inBatches(rows(texts), 10), { out: lines, states: [1, 2] })
    const [first] = (await readFile(lines, 'utf8')).split('\n')
    expect(Object.keys(JSON.parse(first ?? '') as object)).toEqual(['id', 'text', 'layer', 'vector'])
  })

  test('no texts are an error, and so is an unknown format', async () => {
    await expect(
      encodeTexts(model, inBatches([], 1), { out: join(folder, 'none.npy'), states: [0] }),
    ).rejects.toMatchObject({ code: 'table.empty' })
    await expect(
      encodeTexts(model, inBatches(rows(texts), 1), { out: join(folder, 'x.xlsx'), states: [0] }),
    ).rejects.toMatchObject({ code: 'usage.value' })
  })

  test('token states come with ids and mask, on the side that was asked for', async () => {
    const out = join(folder, 'tokens.safetensors')
    const { cols } = await encodeTextTokens(model, inBatches(rows(['a card', 'a much longer text about cards']), 1), {
      out,
      states: [6],
      tokens: true,
      logits: false,
      paddingSide: 'left',
    })
    const mask = await read(out, 'attention_mask')
    expect(mask.values[0]).toBe(0)
    expect((await read(out, 'hidden_states.6')).shape).toEqual([2, cols, 384])
    expect((await read(out, 'input_ids')).values[cols]).toBe(101)
  })
})

describe('a small model', () => {
  const { path } = scratchFolder()
  const short = ['a', 'b a', 'a b b']
  async function opened(options: OpenModelOptions = {}, more?: Readonly<Record<string, object>>): Promise<Model> {
    const model = await openModel(await writeSmallModel(path('model'), more), options)
    onTestFinished(() => model.close())
    return model
  }
  const numbersOf = async (file: string, name: string): Promise<number[]> => {
    const source = await openTensors(file)
    return [...(await readFloat32(source, name).finally(() => source.close()))]
  }

  test('an interrupted job goes on after its finished rows and gives the same file', async () => {
    const model = await opened()
    const many = rows(Array.from({ length: 4096 + 40 }, (_, i) => `${'a '.repeat(i % 7)}${'b '.repeat(i % 5)}a`))
    const whole = path('whole.npy')
    await encodeTexts(model, inBatches(many, 1000), { out: whole, states: [1] })
    const out = path('cut.npy')
    async function* breaking(): AsyncGenerator<TextRow[]> {
      yield* inBatches(many.slice(0, 4100), 1000)
      throw new Error('the power went')
    }
    await expect(encodeTexts(model, breaking(), { out, states: [1] })).rejects.toThrow('the power went')
    expect(existsSync(out)).toBe(false)
    const { resumed, rows: all } = await encodeTexts(model, inBatches(many, 700), { out, states: [1] })
    expect([resumed, all]).toEqual([4096, 4136])
    expect(existsSync(`${out}.partial`)).toBe(false)
    expect(Buffer.compare(await readFile(out), await readFile(whole))).toBe(0)
  })

  test('going on with other texts is refused', async () => {
    const model = await opened()
    const out = path('other.npy')
    async function* breaking(): AsyncGenerator<TextRow[]> {
      yield* inBatches(rows(Array.from({ length: 4096 }, () => 'a')), 4096)
      throw new Error('stop')
    }
    await expect(encodeTexts(model, breaking(), { out, states: [0] })).rejects.toThrow('stop')
    const others = inBatches(rows(Array.from({ length: 5000 }, () => 'b')), 1000)
    await expect(encodeTexts(model, others, { out, states: [0] })).rejects.toMatchObject({ code: 'usage.conflict' })
  })

  test('is asked with its prompt, in files, in lines and token by token', async () => {
    const [prompted, plain] = [await opened({ prompt: 'b a ' }), await opened()]
    const worded = rows(short.map((text) => `b a ${text}`))
    const file = async (model: Model, list: readonly TextRow[]): Promise<number[]> => {
      await encodeTexts(model, inBatches(list, 2), { out: path('v.safetensors'), states: [0, 1] })
      return [
        ...(await numbersOf(path('v.safetensors'), 'hidden_states.0')),
        ...(await numbersOf(path('v.safetensors'), 'hidden_states.1')),
      ]
    }
    expect(await file(prompted, rows(short))).toEqual(await file(plain, worded))
    const lines = async (model: Model, list: readonly TextRow[]): Promise<unknown[]> => {
      const found = []
      for await (const line of encodeLines(model, inBatches(list, 2), { states: [1] }))
        found.push((JSON.parse(line) as { vector: number[] }).vector)
      return found
    }
    expect(await lines(prompted, rows(short))).toEqual(await lines(plain, worded))
    const tokens = async (model: Model, list: readonly TextRow[]): Promise<number[]> => {
      await encodeTextTokens(model, inBatches(list, 2), {
        out: path('t.safetensors'),
        states: [1],
        tokens: true,
        logits: false,
      })
      return [
        ...(await numbersOf(path('t.safetensors'), 'input_ids')),
        ...(await numbersOf(path('t.safetensors'), 'hidden_states.1')),
      ]
    }
    expect(await tokens(prompted, rows(short))).toEqual(await tokens(plain, worded))
  })

  test.each([1, 2, 3, 5])('is asked the first %i texts and no more', async (limit) => {
    const model = await opened()
    const wanted = Math.min(limit, short.length)
    expect((await encodeTexts(model, inBatches(rows(short), 2), { out: path('l.npy'), states: [1], limit })).rows).toBe(
      wanted,
    )
    const options = { out: path('l.safetensors'), states: [1], tokens: true, logits: false, limit }
    expect((await encodeTextTokens(model, inBatches(rows(short), 2), options)).rows).toBe(wanted)
    let seen = 0
    for await (const _ of encodeLines(model, inBatches(rows(short), 2), { states: [1], limit })) seen++
    expect(seen).toBe(wanted)
  })

  describe('that was interrupted', () => {
    const many = rows(Array.from({ length: 4100 }, (_, i) => short[i % 3] ?? ''))
    const job = { out: path('cut.jsonl'), states: [0] }
    async function* breaking(): AsyncGenerator<TextRow[]> {
      yield many
      throw new Error('the power went')
    }
    const interrupted = async (): Promise<void> => {
      await rm(`${job.out}.partial`, { recursive: true, force: true })
      await expect(encodeTexts(await opened(), breaking(), job)).rejects.toThrow('the power went')
      expect(existsSync(`${job.out}.partial`)).toBe(true)
    }
    const config = { 'config.json': { layer_norm_eps: 0.1 } }
    const weights = { 'model.safetensors': { 'embeddings.LayerNorm.bias': { shape: [4], values: [1, 2, 3, 4] } } }
    test.each<[string, () => Promise<unknown>]>([
      ['another prompt', async () => encodeTexts(await opened({ prompt: 'b ' }), inBatches(many, 1000), job)],
      ['another state', async () => encodeTexts(await opened(), inBatches(many, 1000), { ...job, states: [1] })],
      ['a longest input', async () => encodeTexts(await opened({ maxLength: 2 }), inBatches(many, 1000), job)],
      ['another pooling', async () => encodeTexts(await opened({ pooling: 'cls' }), inBatches(many, 1000), job)],
      ['another config.json', async () => encodeTexts(await opened({}, config), inBatches(many, 1000), job)],
      ['other weights', async () => encodeTexts(await opened({}, weights), inBatches(many, 1000), job)],
      [
        'fewer texts than are finished',
        async () => encodeTexts(await opened(), inBatches(many.slice(0, 4000), 1000), job),
      ],
      [
        'other ids',
        async () =>
          encodeTexts(
            await opened(),
            inBatches(
              many.map(({ id, text }) => ({ id: `${id}x`, text })),
              1000,
            ),
            job,
          ),
      ],
    ])('does not go on with %s', async (_, again) => {
      await interrupted()
      await expect(again()).rejects.toMatchObject({ code: 'usage.conflict' })
      expect((await encodeTexts(await opened(), inBatches(many, 1000), job)).resumed).toBe(4096)
    })
  })
})
