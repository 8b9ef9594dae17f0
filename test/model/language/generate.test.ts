/** Greedy texts of every decoder, token by token with what is kept, against transformers (oracles/greedy.py). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import type { Tokenizer } from '#model/tokenizer'
import { openGraphs } from '../../../src/model/passes/graphs.ts'
import { generateTexts } from '../../../src/model/language/generate.ts'
import { shared } from '../../shared.ts'
import { pico, readConfig } from '../graph/pico-golden.ts'
import { fileSource } from '../graph/safetensors-source.ts'

interface Case {
  readonly prompt: readonly number[]
  readonly written: readonly number[]
}
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'golden', 'greedy.json'), 'utf8')) as {
  models: Record<string, readonly Case[]>
}
const cases = Object.entries(recorded.models)

/** The models are random, and have no tokenizer of theirs: ids as words. */
const asWords: Pick<Tokenizer, 'decode'> = { decode: async (ids) => Array.from(ids).join(' ') }

describe.skipIf(shared === undefined)('greedy texts', () => {
  test.each(cases)('%s: three prompts at once are gone on with as one by one', async (name, own) => {
    const spec = specOf(readConfig(name), { place: name })
    const graphs = openGraphs(spec, fileSource(pico(name, 'model.safetensors')), {
      engine: 'onnxruntime',
      type: 'float32',
      threads: 1,
      device: 'cpu',
    })
    try {
      const parts = { spec, graphs, tokenizer: asWords as Tokenizer, window: 64, budget: 4096, ends: [], name }
      const written = await generateTexts(
        own.map(({ prompt }) => Int32Array.from(prompt)),
        parts,
        { maxTokens: 14 },
      )
      expect(written.map(({ text }) => text)).toEqual(own.map((one) => one.written.join(' ')))
    } finally {
      await graphs.close()
    }
  })
})

/** More columns than room is made for at once, thrice. */
const long = 150

const folders: Readonly<Record<string, string>> = {
  stories260K: join(import.meta.dirname, '..', '..', '..', 'assets', 'models', 'stories260K'),
  ...(shared !== undefined &&
    Object.fromEntries(['bloom', 'gemma2', 'mamba', 'mistral', 'phi3-longrope'].map((name) => [name, pico(name)]))),
}

describe.each(Object.entries(folders))('%s', (name, folder) => {
  const spec = specOf(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')), { place: name })
  const graphs = openGraphs(spec, fileSource(join(folder, 'model.safetensors')), {
    engine: 'onnxruntime',
    type: 'float32',
    threads: 1,
    device: 'cpu',
  })
  afterAll(() => graphs.close())
  const prompts = [[3], Array.from({ length: 70 }, (_, i) => (i * 7) % 50), [9, 4, 1, 8, 2]]
  const write = async (
    from: readonly (readonly number[])[],
    maxTokens: number,
    ends: readonly number[] = [],
  ): Promise<number[][]> => {
    const parts = { spec, graphs, tokenizer: asWords as Tokenizer, window: 512, budget: 4096, ends, name }
    const written = await generateTexts(
      from.map((ids) => Int32Array.from(ids)),
      parts,
      { maxTokens },
    )
    return written.map(({ text }) => text.split(' ').filter(Boolean).map(Number))
  }
  const together = write(prompts, long)

  test(`${long} tokens with what is kept are what reading all again and again writes`, async () => {
    const again: number[][] = prompts.map(() => [])
    while (again[0]?.length !== long)
      for (const [row, ids] of (
        await write(
          prompts.map((prompt, row) => [...prompt, ...(again[row] ?? [])]),
          15,
        )
      ).entries())
        again[row]?.push(...ids)
    expect(await together).toEqual(again)
  })

  test('a row that ends leaves the others as they are', async () => {
    const whole = await together
    const end = whole[1]?.[80] ?? NaN
    const cut = whole.map((ids) => (ids.includes(end) ? ids.slice(0, ids.indexOf(end)) : ids))
    expect(await write(prompts, long, [end])).toEqual(cut)
  })
})
