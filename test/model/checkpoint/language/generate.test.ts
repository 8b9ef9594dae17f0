/** Greedy texts of every decoder, token by token with what is kept, against transformers (bench/golden/greedy.py). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import type { Tokenizer } from '#model/tokenizer'
import { openGraphs } from '../../../../src/model/checkpoint/graphs.ts'
import { generateTexts } from '../../../../src/model/checkpoint/language/generate.ts'
import { shared } from '../../../shared.ts'
import { pico, readConfig } from '../../graph/pico-golden.ts'
import { fileSource } from '../../graph/safetensors-source.ts'

interface Case {
  readonly prompt: readonly number[]
  readonly written: readonly number[]
}
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'golden', 'greedy.json'), 'utf8')) as { models: Record<string, readonly Case[]> }
const cases = Object.entries(recorded.models)

/** The models are random, and have no tokenizer of theirs: ids as words. */
const asWords: Pick<Tokenizer, 'decode'> = { decode: async (ids) => Array.from(ids).join(' ') }

describe.skipIf(shared === undefined)('greedy texts', () => {
  test.each(cases)('%s: three prompts at once are gone on with as one by one', async (name, own) => {
    const spec = specOf(readConfig(name), { place: name })
    const graphs = openGraphs(spec, fileSource(pico(name, 'model.safetensors')), { engine: 'onnxruntime', type: 'float32', threads: 1, device: 'cpu' })
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
