/**
 * The same weights in the forms checkpoints come in: half precision, shards, pickles, old names, other prefixes,
 * adapters.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { Fault, type TensorSource } from '#core'
import { applyLora } from '#model/adapters'
import { openTensorSet, readFloat32 } from '#files/formats'
import { buildGraph } from '#model/graph'
import { folderFiles } from '../../files/formats/folder-files.ts'
import { shared } from '../../shared.ts'
import { distance, pico, readConfig, readGolden } from './pico-golden.ts'
import { renamed } from './safetensors-source.ts'

const variant = (...parts: string[]): string => pico('variants', ...parts)

/**
 * Golden files of half precision are of the rounded weights, so 1e-5 stays; the adapters' f32–f64 column asks for six
 * times 1.5e-5 (variants/SOURCE.md).
 */
const tolerance = { plain: 1e-5, adapter: 9e-5 }

const base: Record<string, string> = { bert: 'bert', llama: 'llama', gpt2: 'gpt2', t5: 't5-encoder' }
const whole = [
  'bert-bf16',
  'bert-bin',
  'bert-bin-legacy',
  'bert-bin-sharded',
  'bert-bin-views',
  'bert-f16',
  'bert-mixed-dtypes',
  'bert-prefixed-old-names',
  'bert-sharded',
  'gpt2-hub-layout',
  'llama-tied',
  't5-full',
]
/** Folders whose file has no head: everything but logits is compared. */
const headless = ['llama-head-missing', 'llama-base-names']

const goldenOf = (name: string): ReturnType<typeof readGolden> =>
  existsSync(variant(name, 'golden.safetensors'))
    ? readGolden('variants', name)
    : readGolden(base[name.split('-')[0] ?? ''] ?? '')

/** The limit of ../llama and ../gpt2 where a folder has their golden values. */
const limits: Record<string, number> = { 'gpt2-hub-layout': 3e-5, 'llama-tied': 3e-5 }

async function withTensors<Result>(folder: string, use: (source: TensorSource) => Promise<Result>): Promise<Result> {
  const source = await openTensorSet(folderFiles(folder))
  try {
    return await use(source)
  } finally {
    await source.close()
  }
}

describe.skipIf(shared === undefined)('storage variants', () => {
  test.each(whole)('%s gives the golden values', async (name) => {
    const result = await withTensors(variant(name), (source) =>
      distance(specOf(readConfig('variants', name), { place: name }), source, goldenOf(name), '', {
        options: { readFloat32: (tensor) => readFloat32(source, tensor) },
      }),
    )
    expect(result.compared).toContain('last_hidden_state')
    expect(result).toSatisfy(({ difference }) => difference <= (limits[name] ?? tolerance.plain))
  })

  test.each(headless)('%s gives hidden states and refuses logits', async (name) => {
    await withTensors(variant(name), async (source) => {
      const spec = specOf(readConfig('variants', name), { place: name })
      const result = await distance(spec, source, goldenOf(name), '', { request: { logits: 'none' } })
      expect(result.compared).toContain('hidden_states.3')
      expect(result).toSatisfy(({ difference }) => difference <= tolerance.plain)
      await expect(buildGraph(spec, source, { logits: 'causal' })).rejects.toMatchObject({
        code: 'tensor.missing',
        message: expect.stringContaining('lm_head.weight') as string,
      })
    })
  })

  test.each(['llama-lora', 'llama-rslora'])('%s over its base gives the merged values', async (name) => {
    const config = JSON.parse(readFileSync(variant(name, 'adapter_config.json'), 'utf8')) as {
      base_model_name_or_path: string
    }
    const baseFolder = join(variant(name), config.base_model_name_or_path)
    await withTensors(baseFolder, (weights) =>
      withAdapter(name, async (adapter) => {
        const source = applyLora(weights, adapter, { config, place: name })
        const spec = specOf(JSON.parse(readFileSync(join(baseFolder, 'config.json'), 'utf8')))
        const inputs = new Map(
          [...readGolden('llama')].filter(([key]) => key.endsWith('input_ids') || key.endsWith('mask')),
        )
        const result = await distance(spec, source, new Map([...inputs, ...readGolden('variants', name)]), '', {
          options: { readFloat32: (tensor) => readFloat32(source, tensor) },
        })
        expect(result.compared).toContain('logits')
        expect(result).toSatisfy(({ difference }) => difference <= tolerance.adapter)
      }),
    )
  })

  test('tensors of a decoder and buffers of old releases are no obstacle; the former are named', async () => {
    const notes = async (name: string): Promise<readonly string[]> =>
      withTensors(
        variant(name),
        async (source) => (await buildGraph(specOf(readConfig('variants', name)), source, { lastState: true })).notes,
      )
    expect(await notes('gpt2-hub-layout')).toEqual([])
    expect(await notes('bert-bin')).toEqual([])
    expect(await notes('t5-full')).toEqual([expect.stringMatching(/^\d+ tensors are not used: .*decoder\./)])
  })

  test.each(['module.', 'encoder.auto_model.'])('a wrapper prefix %s is found by itself', async (prefix) => {
    await withTensors(pico('bert-seqcls'), async (source) => {
      const result = await distance(
        specOf(readConfig('bert-seqcls')),
        renamed(source, (name) => prefix + name),
        readGolden('bert-seqcls'),
        '',
      )
      expect(result.compared).toContain('logits')
      expect(result).toSatisfy(({ difference }) => difference <= tolerance.plain)
    })
  })

  test('a config of another family is explained by what the file holds', async () => {
    await withTensors(pico('gpt2'), async (source) => {
      const error: unknown = await buildGraph(specOf(readConfig('bert')), source, { lastState: true }).catch(
        (fault: unknown) => fault,
      )
      expect(error).toBeInstanceOf(Fault)
      expect(error).toMatchObject({ code: 'tensor.missing', hint: expect.stringContaining('transformer.') as string })
    })
  })
})

async function withAdapter(name: string, use: (source: TensorSource) => Promise<void>): Promise<void> {
  const file = variant(name, 'adapter_model.safetensors')
  const files = folderFiles(dirname(file))
  const source = await openTensorSet(files, { weights: 'adapter_model.safetensors' })
  try {
    await use(source)
  } finally {
    await source.close()
  }
}
