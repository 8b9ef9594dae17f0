import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TensorSource } from '#core'
import { encode } from '#experiment/sweep'
import { openMergeFile, openModel } from '#experiment/open'
import { writeMerge } from '#experiment/write'
import { openTensors, readFloat32, writeSafetensors } from '#files/formats'
import { shared, sharedPath } from '../../shared.ts'
import { temporaryFolder } from '../../model/merge/models.ts'
import { goldenOf } from '../../golden-of.ts'

/** Every third number of every layer's rows; oracles/moe_gates.py. */
const golden = goldenOf<{
  every: number
  cases: { mode: string; experts: Record<string, string[]>[]; rows: number[][] }[]
}>('experiment/open', 'moe-gates')

const [width, inner, layers, vocabulary] = [8, 12, 2, 20]
let work: Awaited<ReturnType<typeof temporaryFolder>>
const path = (...parts: string[]): string => join(work.path, ...parts)

beforeAll(async () => {
  work = await temporaryFolder()
  await Promise.all([
    ...['one', 'two', 'three'].map((name, seed) => makeDecoder(name, { seed: seed + 1 })),
    makeDecoder('wide', { seed: 4, hidden: 16 }),
    makeDecoder('biased', { seed: 5, bias: true }),
    makeDecoder('third', { seed: 6, type: 'qwen3' }),
    makeDecoder('fourth', { seed: 7, type: 'qwen3' }),
    makeDecoder('mistral', { seed: 8, type: 'mistral' }),
  ])
})
const sources: TensorSource[] = []
afterAll(async () => {
  await Promise.all(sources.map((one) => one.close()))
  await work.remove()
})

async function tensorsOf(folder: string): Promise<TensorSource> {
  const tensors = await openTensors(join(folder, 'model.safetensors'))
  sources.push(tensors)
  return tensors
}

/** All tensors of a small decoder. */
async function makeDecoder(
  name: string,
  {
    seed,
    type = 'llama',
    hidden = inner,
    bias = false,
  }: { seed: number; type?: string; hidden?: number; bias?: boolean },
): Promise<void> {
  const block = (i: number): [string, number[]][] => [
    [`model.layers.${i}.input_layernorm.weight`, [width]],
    ...['q_proj', 'k_proj', 'v_proj', 'o_proj'].flatMap((part): [string, number[]][] => [
      [`model.layers.${i}.self_attn.${part}.weight`, [width, width]],
      ...(bias ? [[`model.layers.${i}.self_attn.${part}.bias`, [width]] as [string, number[]]] : []),
    ]),
    [`model.layers.${i}.post_attention_layernorm.weight`, [width]],
    [`model.layers.${i}.mlp.gate_proj.weight`, [hidden, width]],
    [`model.layers.${i}.mlp.up_proj.weight`, [hidden, width]],
    [`model.layers.${i}.mlp.down_proj.weight`, [width, hidden]],
  ]
  const shapes: [string, number[]][] = [
    ['model.embed_tokens.weight', [vocabulary, width]],
    ...Array.from({ length: layers }, (_, i) => block(i)).flat(),
    ['model.norm.weight', [width]],
    ['lm_head.weight', [vocabulary, width]],
  ]
  await mkdir(path(name), { recursive: true })
  await writeSafetensors(
    path(name, 'model.safetensors'),
    shapes.map(([tensor, shape], k) => ({
      name: tensor,
      dtype: 'F32' as const,
      shape,
      bytes: new Uint8Array(
        Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(seed * 1000 + k * 100 + i))
          .buffer,
      ),
    })),
  )
  const config = {
    model_type: type,
    architectures: ['LlamaForCausalLM'],
    num_hidden_layers: layers,
    hidden_size: width,
    intermediate_size: hidden,
    num_attention_heads: 2,
    vocab_size: vocabulary,
  }
  await writeFile(path(name, 'config.json'), JSON.stringify(config))
}

interface Given {
  base?: string
  experts?: readonly string[]
  [key: string]: unknown
}

/** JSON is YAML too; one key a line, as people write it. */
async function recipe(
  name: string,
  { base = 'one', experts = ['two', 'three'], ...more }: Given = {},
): Promise<string> {
  const config = {
    base_model: path(base),
    gate_mode: 'random',
    experts: experts.map((expert, i) => ({ source_model: path(expert), positive_prompts: [`prompt ${i}`] })),
    ...more,
  }
  const text = Object.entries(config).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  await writeFile(path(name), text.join('\n'))
  return path(name)
}

async function made(
  name: string,
  given: Given = {},
  options: Parameters<typeof openMergeFile>[1] = {},
): Promise<{ tensors: TensorSource; config: Record<string, unknown>; notes: readonly string[] }> {
  const opened = await openMergeFile(await recipe(`${name}.yml`, given), options)
  try {
    const { notes } = await writeMerge(opened, path(`${name}-out`), { threads: 1 })
    return {
      tensors: await tensorsOf(path(`${name}-out`)),
      config: JSON.parse(await readFile(path(`${name}-out`, 'config.json'), 'utf8')) as Record<string, unknown>,
      notes,
    }
  } finally {
    await opened.close()
  }
}

const source = async (name: string, tensor: string): Promise<Float32Array> =>
  readFloat32(await tensorsOf(path(name)), tensor)

describe('a mixture of llamas', () => {
  test('is a Mixtral: experts under their names, everything else the base', async () => {
    const { tensors, config, notes } = await made('mixtral')
    expect(config).toMatchObject({
      model_type: 'mixtral',
      architectures: ['MixtralForCausalLM'],
      num_local_experts: 2,
      num_experts_per_tok: 2,
      rms_norm_eps: 1e-6,
      rope_theta: 10_000,
      num_key_value_heads: 2,
    })
    for (const [e, name] of ['two', 'three'].entries()) {
      for (const [part, stored] of [
        ['gate_proj', 'w1'],
        ['down_proj', 'w2'],
        ['up_proj', 'w3'],
      ]) {
        expect(await readFloat32(tensors, `model.layers.1.block_sparse_moe.experts.${e}.${stored}.weight`)).toEqual(
          await source(name, `model.layers.1.mlp.${part}.weight`),
        )
      }
    }
    for (const name of ['model.embed_tokens.weight', 'model.layers.0.self_attn.k_proj.weight', 'lm_head.weight'])
      expect(await readFloat32(tensors, name)).toEqual(await source('one', name))
    expect(tensors.info('model.layers.0.block_sparse_moe.gate.weight')?.shape).toEqual([2, width])
    expect(tensors.names().some((name) => name.includes('.mlp.'))).toBe(false)
    expect(notes.join()).toContain('random')
    expect(await readFile(path('mixtral-out', 'mergekit_moe_config.yml'), 'utf8')).toContain('gate_mode')
  })

  test('scales what an expert adds, and adds noise that the seed decides', async () => {
    const expert = (more: Record<string, unknown>): Record<string, unknown>[] => [
      { source_model: path('two'), ...more },
      { source_model: path('three') },
    ]
    const write = async (name: string, more: Record<string, unknown>, seed = 0): Promise<TensorSource> => {
      const file = path(`${name}.yml`)
      await writeFile(file, `base_model: ${path('one')}\ngate_mode: random\nexperts: ${JSON.stringify(expert(more))}\n`)
      const opened = await openMergeFile(file, { seed })
      await writeMerge(opened, path(`${name}-out`), { threads: 1 })
      await opened.close()
      return tensorsOf(path(`${name}-out`))
    }
    const scaled = await write('residual', { residual_scale: 0.1 })
    const down = await source('two', 'model.layers.0.mlp.down_proj.weight')
    expect(await readFloat32(scaled, 'model.layers.0.block_sparse_moe.experts.0.w2.weight')).toEqual(
      down.map((value) => 0.1 * value),
    )
    expect(await readFloat32(scaled, 'model.layers.0.block_sparse_moe.experts.0.w1.weight')).toEqual(
      await source('two', 'model.layers.0.mlp.gate_proj.weight'),
    )
    const [noisy, again, other] = [
      await write('noise', { noise_scale: 0.5 }),
      await write('noise-again', { noise_scale: 0.5 }),
      await write('noise-other', { noise_scale: 0.5 }, 1),
    ]
    const drawn = async (tensors: TensorSource): Promise<Float32Array> =>
      readFloat32(tensors, 'model.layers.0.block_sparse_moe.experts.0.w2.weight')
    expect(await drawn(again)).toEqual(await drawn(noisy))
    expect(await drawn(other)).not.toEqual(await drawn(noisy))
    const noise = (await drawn(noisy)).map((value, i) => (value - down[i]!) / 0.5)
    const variance = noise.reduce((sum, value) => sum + value * value, 0) / noise.length
    // 96 draws: five standard errors of a variance are 5 · √(2 / 96)
    expect(Math.abs(variance - 1)).toBeLessThan(0.73)
  })

  test('is a DeepSeek with an ungated shared expert', async () => {
    const { tensors, config } = await made('deepseek', {
      shared_experts: [{ source_model: path('one'), residual_scale: 0.5 }],
      architecture: 'deepseek',
      experts_per_token: 1,
    })
    expect(config).toMatchObject({
      model_type: 'deepseek',
      n_routed_experts: 2,
      n_shared_experts: 1,
      num_experts_per_tok: 1,
      first_k_dense_replace: 0,
      moe_intermediate_size: inner,
    })
    expect(await readFloat32(tensors, 'model.layers.0.mlp.shared_experts.down_proj.weight')).toEqual(
      (await source('one', 'model.layers.0.mlp.down_proj.weight')).map((value) => 0.5 * value),
    )
    expect(tensors.info('model.layers.0.mlp.experts.1.up_proj.weight')?.shape).toEqual([inner, width])
    expect(tensors.names().some((name) => name.includes('shared_expert_gate'))).toBe(false)
  })

  test('is a Qwen2 MoE with a gated shared expert, and zeros for biases that it wants', async () => {
    const { tensors, config } = await made('qwen', {
      shared_experts: [{ source_model: path('one'), positive_prompts: ['anything'] }],
      architecture: 'qwen',
    })
    expect(config).toMatchObject({
      model_type: 'qwen2_moe',
      num_experts: 2,
      shared_expert_intermediate_size: inner,
      norm_topk_prob: true,
      qkv_bias: true,
    })
    expect(tensors.info('model.layers.1.mlp.shared_expert_gate.weight')?.shape).toEqual([1, width])
    expect(await readFloat32(tensors, 'model.layers.1.self_attn.v_proj.bias')).toEqual(new Float32Array(width))
  })
})

test('Qwen3 models make a Qwen3 MoE', async () => {
  const { tensors, config } = await made('qwen3', { base: 'third', experts: ['third', 'fourth'] })
  expect(config).toMatchObject({ model_type: 'qwen3_moe', num_experts: 2, head_dim: 128 })
  expect(await readFloat32(tensors, 'model.layers.0.mlp.experts.1.gate_proj.weight')).toEqual(
    await source('fourth', 'model.layers.0.mlp.gate_proj.weight'),
  )
})

test('all tensors take the type that is asked for', async () => {
  const { tensors, config } = await made('half', { dtype: 'bfloat16' })
  expect(new Set(tensors.names().map((name) => tensors.info(name)?.dtype))).toEqual(new Set(['BF16']))
  expect(config['torch_dtype']).toBe('bfloat16')
})

test('a plan alone reads no prompt', async () => {
  // hidden gates of a model without a tokenizer: only reading prompts could fail
  const file = await recipe('plan.yml', { gate_mode: 'hidden' })
  const opened = await openMergeFile(file, { planOnly: true })
  expect(opened.plan.tensors).toHaveLength(3 + layers * (6 + 2 * 3 + 1))
  await opened.close()
  await expect(openMergeFile(file)).rejects.toBeDefined()
})

describe('refusals', () => {
  test.each<[string, Given, string, RegExp]>([
    ['a misspelt key', { gate_mod: 'hidden' }, 'usage.value', /gate_mode/],
    ['a misspelt gate mode', { gate_mode: 'hiden' }, 'usage.value', /hidden/],
    ['more experts a token than there are', { experts_per_token: 3 }, 'usage.value', /experts_per_token/],
    ['experts that are one model', { experts: ['two', 'two'] }, 'usage.value', /--i-understand/],
    ['shapes that differ', { experts: ['two', 'wide'] }, 'tensor.shape', /w1|mlp/],
    ['kinds that differ', { experts: ['two', 'mistral'] }, 'config.unsupported', /llama, mistral/],
    [
      'biases that Mixtral has no place for',
      { base: 'biased', experts: ['two', 'biased'] },
      'config.unsupported',
      /bias/,
    ],
    ['no such architecture', { architecture: 'mixtrel' }, 'usage.value', /Mixtral/],
    [
      'a shared expert in a Mixtral',
      { architecture: 'mixtral', shared_experts: [{ source_model: 'one' }] },
      'config.unsupported',
      /no shared experts/,
    ],
  ])('%s', async (name, given, code, words) => {
    const shared_experts = Array.isArray(given['shared_experts'])
      ? { shared_experts: [{ source_model: path('one') }] }
      : {}
    const opening = openMergeFile(
      await recipe(`refused-${name.replaceAll(' ', '-')}.yml`, { ...given, ...shared_experts }),
    )
    const error = (await opening.then(
      async (opened) => {
        await opened.close()
        return undefined
      },
      (thrown: unknown) => thrown,
    )) as { code?: string; message?: string; hint?: string } | undefined
    expect(error?.code).toBe(code)
    expect(`${error?.message} ${error?.hint}`).toMatch(words)
  })

  test.each([
    ['no prompts', [{}, {}], /positive_prompts/],
    ['the same prompts for all', [{ positive_prompts: ['a'] }, { positive_prompts: ['a'] }], /same prompts/],
  ])('%s', async (_, prompts, words) => {
    const experts = prompts.map((more, i) => ({ source_model: path(['two', 'three'][i]!), ...more }))
    await writeFile(path('prompts.yml'), `base_model: ${path('one')}\nexperts: ${JSON.stringify(experts)}\n`)
    await expect(openMergeFile(path('prompts.yml'))).rejects.toMatchObject({
      code: 'usage.value',
      message: expect.stringMatching(words) as unknown,
    })
  })

  test('the same model as every expert is taken when that is understood', async () => {
    const opened = await openMergeFile(await recipe('understood.yml', { experts: ['two', 'two'] }), { untrained: true })
    expect(opened.plan.tensors.length).toBeGreaterThan(0)
    await opened.close()
  })

  test('merge_method moe says where mixtures are described', async () => {
    await writeFile(path('method.yml'), `merge_method: moe\nmodels:\n  - model: ${path('one')}\n`)
    await expect(openMergeFile(path('method.yml'))).rejects.toMatchObject({
      code: 'usage.value',
      hint: expect.stringContaining('experts') as unknown,
    })
  })
})

describe.skipIf(!shared)('stories260K', () => {
  const stories = sharedPath('models', 'stories260K')
  const experts = (second: string): unknown[] => [
    {
      source_model: stories,
      positive_prompts: ['Once upon a time there was a dog', 'The dog ran'],
      negative_prompts: ['The sun was hot'],
    },
    { source_model: second, positive_prompts: ['She was happy and sang'] },
  ]

  async function written(name: string, mode: string, second = stories): Promise<string> {
    await writeFile(
      path(name),
      `base_model: ${stories}\ngate_mode: ${mode}\nexperts: ${JSON.stringify(experts(second))}\n`,
    )
    return path(name)
  }

  async function vectors(reference: string): Promise<number[]> {
    const model = await openModel(reference)
    const { data } = await encode(model, ['Once upon a time there was a little girl', 'The cat sat.'], {
      representation: 'h-1',
    })
    await model.close()
    return [...data]
  }

  test('experts that are the model itself answer as it does, whatever the routers', async () => {
    const merge = await openMergeFile(await written('equal.yml', 'hidden'), { untrained: true })
    await writeMerge(merge, path('equal-out'), { threads: 1 })
    await merge.close()
    const [alone, mixture] = [await vectors(stories), await vectors(path('equal-out'))]
    // two experts' weights add up to one: roundings of float32, layer by layer
    alone.forEach((value, i) => expect(Math.abs(value - mixture[i]!)).toBeLessThan(1e-4))
  })

  test('a mixture that is not written answers as the written one, to the last bit', async () => {
    const tensors = await tensorsOf(stories)
    await mkdir(path('other'))
    for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json'])
      await writeFile(path('other', file), await readFile(join(stories, file)))
    const changed = tensors.names().map(async (name) => {
      const values = (await readFloat32(tensors, name)).map((value, i) => value * (1 + 0.3 * Math.sin(i)))
      return { name, dtype: 'F32' as const, shape: tensors.info(name)!.shape, bytes: new Uint8Array(values.buffer) }
    })
    await writeSafetensors(path('other', 'model.safetensors'), await Promise.all(changed), { format: 'pt' })
    const file = await written('two.yml', 'hidden', path('other'))
    const merge = await openMergeFile(file)
    await writeMerge(merge, path('two-out'), { threads: 1 })
    await merge.close()
    expect(await vectors(`merge:${file}`)).toEqual(await vectors(path('two-out')))
  })

  test.each(golden.cases)('$mode: rows are those of mergekit 0.1.4', async ({ mode, experts: asked, rows }) => {
    await writeFile(
      path('golden.yml'),
      `base_model: ${stories}\ngate_mode: ${mode}\nexperts: ${JSON.stringify(asked.map((one) => ({ source_model: stories, ...one })))}\n`,
    )
    const merge = await openMergeFile(path('golden.yml'), { untrained: true })
    const router = merge.further[0]!
    for (const [layer, wanted] of rows.entries()) {
      const got = await readFloat32(router, `model.layers.${layer}.block_sparse_moe.gate.weight`)
      const largest = Math.max(...wanted.map((value, i) => Math.abs(value - got[golden.every * i]!)))
      // rows of length one, from float32 states of five layers on either side
      expect(largest).toBeLessThan(2e-5)
    }
    await merge.close()
  })
})
