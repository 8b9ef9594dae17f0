import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMergeFile, openModel } from '#experiment/open'
import { tokensOf } from '#model/checkpoint'
import { type TestTensor, writeRepo } from '../../model/checkpoint/made-repo.ts'
import golden from './golden/tied-adapters.json' with { type: 'json' }

// PEFT 0.21.2 on transformers 5.24.0, live and not merged, by oracles/tied_adapters.py: a Llama of one block whose
// head is tied to its token table.

interface Adapter {
  readonly config: Readonly<Record<string, unknown>>
  readonly tensors: Readonly<Record<string, TestTensor>>
  readonly ids: readonly number[]
  readonly logits: readonly (readonly number[])[]
}

const adapters = Object.entries(golden.adapters as unknown as Readonly<Record<string, Adapter>>)
const folderOf = (name: string): string => name.replaceAll(/\W+/g, '-')
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-adapters-'))
  const { config, tensors } = golden.base
  await writeRepo(join(folder, 'base'), { 'config.json': config, 'model.safetensors': tensors })
  for (const [name, { config: settings, tensors: values }] of adapters)
    await writeRepo(join(folder, folderOf(name)), {
      'adapter_config.json': settings,
      'adapter_model.safetensors': values,
    })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function logitsOf(reference: string, ids: readonly number[]): Promise<{ data: Float32Array; notices: string[] }> {
  const notices: string[] = []
  const model = await openModel(reference, { onNotice: (line) => notices.push(line) })
  try {
    const [rows, cols] = [1, ids.length]
    const batch = { rows, cols, inputIds: Int32Array.from(ids), attentionMask: new Int32Array(cols).fill(1) }
    const outputs = await tokensOf(model).run({ batch, states: [], logits: true })
    return { data: outputs.find(({ name }) => name === 'logits')?.data ?? new Float32Array(0), notices }
  } finally {
    await model.close()
  }
}

function distance(data: Float32Array, logits: Adapter['logits']): number {
  const wanted = logits.flat()
  expect(data).toHaveLength(wanted.length)
  return Math.max(...wanted.map((value, index) => Math.abs(value - (data[index] ?? NaN))))
}

/** Twice the rounding of the recorded logits, of magnitude 3, and float32. */
const tolerance = 2e-5

describe.each(adapters)('%s over a tied base', (name, { ids, logits }) => {
  test('gives the logits of the live model of PEFT', async () => {
    const { data, notices } = await logitsOf(join(folder, folderOf(name)), ids)
    expect(distance(data, logits)).toBeLessThan(tolerance)
    expect(notices.filter((line) => line.includes('rows'))).toHaveLength(name === 'grown vocabulary' ? 1 : 0)
  })

  test('merges into a model with the same logits, and a config that is true of it', async () => {
    const recipe = join(folder, `${folderOf(name)}.yml`)
    await writeFile(recipe, `merge_method: passthrough\nmodels: [{ model: ${join(folder, folderOf(name))} }]\n`)
    const { data } = await logitsOf(`merge:${recipe}`, ids)
    expect(distance(data, logits)).toBeLessThan(tolerance)
    const merged = await openMergeFile(recipe)
    const stored = merged.plan.tensors.some((tensor) => tensor.name === 'lm_head.weight')
    expect(merged.config['tie_word_embeddings']).toBe(!stored)
    await merged.close()
  })
})

test('a tensor of the adapter that nothing reads is reported', async () => {
  const [[, first] = []] = adapters
  const tensors = {
    ...first?.tensors,
    'base_model.model.extra_head.weight': { shape: [2, 8], values: Array(16).fill(1) },
  }
  await writeRepo(join(folder, 'extra'), {
    'adapter_config.json': { ...first?.config, modules_to_save: ['lm_head', 'extra_head'] },
    'adapter_model.safetensors': tensors,
  })
  const { notices } = await logitsOf(join(folder, 'extra'), first?.ids ?? [])
  expect(notices).toEqual([expect.stringMatching(/nothing reads extra_head\.weight/)])
})

describe('a head that is stored though the config ties it', () => {
  const { config, tensors } = golden.base
  const table = (tensors as unknown as Record<string, TestTensor>)['model.embed_tokens.weight'] as TestTensor
  const { ids } = adapters[0]?.[1] ?? { ids: [] }
  const open = async (name: string, head: TestTensor): Promise<{ data: Float32Array; notices: string[] }> => {
    await writeRepo(join(folder, name), {
      'config.json': config,
      'model.safetensors': { ...tensors, 'lm_head.weight': head },
    })
    return logitsOf(join(folder, name), ids)
  }
  const tied = async (): Promise<Float32Array> => (await logitsOf(join(folder, 'base'), ids)).data

  test('counts where it differs, with a notice', async () => {
    const { data, notices } = await open('other-head', {
      ...table,
      values: Array.from(table.values, (value) => -2 * value),
    })
    expect(data).toEqual((await tied()).map((value) => -2 * value))
    expect(notices).toEqual([expect.stringMatching(/ties lm_head\.weight to model\.embed_tokens\.weight/)])
  })

  test('is the token table where it repeats it, without a word', async () => {
    const { data, notices } = await open('same-head', table)
    expect(data).toEqual(await tied())
    expect(notices).toEqual([])
  })
})
