import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeTexts, encodeTextTokens, type TextRow } from '#experiment/encode'
import { openModel } from '#experiment/open'
import type { Model } from '#model/checkpoint'
import { openTensors, readFloat32 } from '#files/formats'
import { readColumns } from '#files/tables'
import { carriedModel, useCarriedHub } from '../../carried.ts'

const texts = ['A man is playing a guitar.', '', 'refund', 'How do I locate my card?', 'x'.repeat(3000), 'The weather is nice today!']
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

  test('an interrupted job goes on after its finished rows and gives the same file', async () => {
    const many = rows(Array.from({ length: 4096 + 40 }, (_, index) => `text number ${index % 50}`))
    const whole = join(folder, 'whole.npy')
    await encodeTexts(model, inBatches(many, 1000), { out: whole, states: [2] })
    const out = join(folder, 'cut.npy')
    async function* breaking(): AsyncGenerator<TextRow[]> {
      yield* inBatches(many.slice(0, 4100), 1000)
      throw new Error('the power went')
    }
    await expect(encodeTexts(model, breaking(), { out, states: [2] })).rejects.toThrow('the power went')
    expect(existsSync(out)).toBe(false)
    const { resumed, rows: all } = await encodeTexts(model, inBatches(many, 700), { out, states: [2] })
    expect([resumed, all]).toEqual([4096, 4136])
    expect(existsSync(`${out}.partial`)).toBe(false)
    expect(Buffer.compare(await readFile(out), await readFile(whole))).toBe(0)
  })

  test('going on with other texts is refused', async () => {
    const out = join(folder, 'other.npy')
    async function* breaking(): AsyncGenerator<TextRow[]> {
      yield* inBatches(rows(Array.from({ length: 4096 }, () => 'a')), 4096)
      throw new Error('stop')
    }
    await expect(encodeTexts(model, breaking(), { out, states: [0] })).rejects.toThrow('stop')
    const others = inBatches(rows(Array.from({ length: 5000 }, () => 'b')), 1000)
    await expect(encodeTexts(model, others, { out, states: [0] })).rejects.toMatchObject({ code: 'usage.conflict' })
  })

  test('no texts are an error, and so is an unknown format', async () => {
    await expect(encodeTexts(model, inBatches([], 1), { out: join(folder, 'none.npy'), states: [0] })).rejects.toMatchObject({ code: 'table.empty' })
    await expect(encodeTexts(model, inBatches(rows(texts), 1), { out: join(folder, 'x.xlsx'), states: [0] })).rejects.toMatchObject({ code: 'usage.value' })
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
