import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TensorSource } from '#core'
import { applyLora } from '#model/adapters'
import { openTensors, openTensorSet, parseJson, readFloat32 } from '#files/formats'
import { shared, sharedPath } from '../../shared.ts'
import { codeOf } from '../../files/formats/made-files.ts'
import { folderFiles } from '../../files/formats/folder-files.ts'
import { memorySource, type MemoryTensors } from '../../files/formats/memory-source.ts'

const place = 'adapter_config.json'
const plain = { peft_type: 'LORA', r: 1, lora_alpha: 2 }

// W [2 × 3], A [1 × 3], B [2 × 1]: scale 2 adds 2·B·A.
const weight = { shape: [2, 3], values: [1, 2, 3, 4, 5, 6] }
const down = { shape: [1, 3], values: [1, 0, -1] }
const up = { shape: [2, 1], values: [10, 1] }
const merged = [21, 2, -17, 6, 5, 4]

function lora(base: MemoryTensors, adapter: MemoryTensors, config: Record<string, unknown> = {}): TensorSource {
  return applyLora(memorySource('base', base), memorySource('adapter', adapter), {
    config: { ...plain, ...config },
    place,
  })
}

function pair(module: string, label = ''): MemoryTensors {
  return {
    [`base_model.model.${module}.lora_A${label}.weight`]: down,
    [`base_model.model.${module}.lora_B${label}.weight`]: up,
  }
}

async function values(source: TensorSource, name: string): Promise<number[]> {
  return [...(await readFloat32(source, name))]
}

describe('an adapter over a base', () => {
  const base = { 'layers.0.q.weight': weight, 'layers.0.k.weight': weight }

  test.each(['', '.default', '.other'])('adds scale · B·A to the adapted weight (label "%s")', async (label) => {
    const source = lora(base, pair('layers.0.q', label))
    expect(await values(source, 'layers.0.q.weight')).toEqual(merged)
    expect(source.info('layers.0.q.weight')).toEqual({
      name: 'layers.0.q.weight',
      dtype: 'F32',
      shape: [2, 3],
      byteLength: 24,
    })
    expect(source.locate('layers.0.q.weight')).toBeUndefined()
  })

  test.each(['', '.default'])(
    'adds scale · B\'s bias to the layer\'s, whether the config says so or not (label "%s")',
    async (label) => {
      const bias = { shape: [2], values: [1, 2] }
      const adapter = {
        ...pair('layers.0.q', label),
        [`base_model.model.layers.0.q.lora_B${label}.bias`]: { shape: [2], values: [10, 100] },
      }
      for (const config of [{ lora_bias: true }, {}]) {
        const source = lora({ ...base, 'layers.0.q.bias': bias }, adapter, config)
        expect(await values(source, 'layers.0.q.weight')).toEqual(merged)
        expect(await values(source, 'layers.0.q.bias')).toEqual([21, 202])
        expect(source.locate('layers.0.q.bias')).toBeUndefined()
      }
      expect(await codeOf(() => lora(base, adapter))).toBe('tensor.missing')
      expect(await codeOf(() => lora({ ...base, 'layers.0.q.bias': { shape: [3], values: [1, 2, 3] } }, adapter))).toBe(
        'tensor.shape',
      )
    },
  )

  test('lets the others pass, with their location', async () => {
    const source = lora(base, pair('layers.0.q'))
    expect(source.names()).toEqual(Object.keys(base))
    expect(await values(source, 'layers.0.k.weight')).toEqual(weight.values)
    expect(source.locate('layers.0.k.weight')).toEqual({ path: 'base', offset: 0, byteLength: 1 })
  })

  test.each([
    ['layers.0.q', 'model.layers.0.q.weight'],
    ['model.layers.0.q', 'layers.0.q.weight'],
    ['transformer.layers.0.q', 'layers.0.q.weight'],
  ])('finds %s in %s', async (module, name) => {
    expect(await values(lora({ [name]: weight }, pair(module)), name)).toEqual(merged)
  })

  test('refuses a module that fits nothing, or two', async () => {
    expect(await codeOf(() => lora(base, pair('layers.1.q')))).toBe('tensor.missing')
    expect(await codeOf(() => lora({ 'a.q.weight': weight, 'b.q.weight': weight }, pair('q')))).toBe('tensor.missing')
  })

  test('weights stored [in × out] get the transpose', async () => {
    const turned = { shape: [3, 2], values: [1, 4, 2, 5, 3, 6] }
    expect(await values(lora({ 'c.weight': turned }, pair('c')), 'c.weight')).toEqual([21, 6, 2, 5, -17, 4])
  })

  test('fan_in_fan_out decides where the shape does not', async () => {
    const square = { shape: [2, 2], values: [0, 0, 0, 0] }
    const adapter = {
      'base_model.model.c.lora_A.weight': { shape: [1, 2], values: [1, 2] },
      'base_model.model.c.lora_B.weight': { shape: [2, 1], values: [3, 5] },
    }
    expect(await values(lora({ 'c.weight': square }, adapter), 'c.weight')).toEqual([6, 12, 10, 20])
    expect(await values(lora({ 'c.weight': square }, adapter, { fan_in_fan_out: true }), 'c.weight')).toEqual([
      6, 10, 12, 20,
    ])
  })

  test('embeddings are adapted by row', async () => {
    const adapter = {
      'base_model.model.wte.lora_embedding_A': { shape: [1, 4], values: [1, 2, 3, 4] },
      'base_model.model.wte.lora_embedding_B': { shape: [2, 1], values: [10, 1] },
    }
    const table = { shape: [4, 2], values: [0, 0, 0, 0, 0, 0, 0, 0] }
    expect(await values(lora({ 'wte.weight': table }, adapter), 'wte.weight')).toEqual([20, 2, 40, 4, 60, 6, 80, 8])
  })

  test.each([
    ['the rank', {}, 2],
    ['its square root, rank-stabilised', { r: 1, use_rslora: true }, 2],
    ['a pattern for the module', { alpha_pattern: { q: 7 } }, 7],
    ['a pattern for its path', { alpha_pattern: { 'layers.0.q': 5 } }, 5],
    ['a pattern with a digit class', { alpha_pattern: { 'layers\\.\\d+\\.q': 4 } }, 4],
    ['a pattern for another module', { alpha_pattern: { 'layers.0.k': 9, 'ayers.0.q': 9 } }, 2],
    ['the first pattern that fits', { alpha_pattern: { q: 3, 'layers.0.q': 4 } }, 3],
  ])('scale follows alpha and %s', async (_name, config, scale) => {
    const [first = Number.NaN] = await values(lora(base, pair('layers.0.q'), config), 'layers.0.q.weight')
    expect(first).toBe(1 + 10 * scale)
  })

  test('rank_pattern sets the rank of its modules', async () => {
    const adapter = {
      'base_model.model.layers.0.q.lora_A.weight': { shape: [2, 3], values: [1, 0, 0, 0, 0, 0] },
      'base_model.model.layers.0.q.lora_B.weight': { shape: [2, 2], values: [1, 0, 0, 0] },
    }
    expect(await values(lora(base, adapter, { rank_pattern: { q: 2 }, lora_alpha: 8 }), 'layers.0.q.weight')).toEqual([
      5, 2, 3, 4, 5, 6,
    ])
    expect(await codeOf(() => lora(base, adapter))).toBe('tensor.shape')
  })

  test('modules_to_save replace, and bring what the base lacks', async () => {
    const head = { shape: [3, 3], values: [9, 9, 9, 9, 9, 9, 9, 9, 9] }
    const config = { modules_to_save: ['k', 'score'] }
    const adapter = {
      'base_model.model.layers.0.k.modules_to_save.default.weight': head,
      'base_model.model.score.weight': head,
    }
    const source = lora(base, adapter, config)
    expect(source.names()).toEqual([...Object.keys(base), 'score.weight'])
    expect(source.info('layers.0.k.weight')?.shape).toEqual([3, 3])
    expect(source.info('score.weight')?.name).toBe('score.weight')
    expect(await values(source, 'layers.0.k.weight')).toEqual(head.values)
    expect(await values(source, 'score.weight')).toEqual(head.values)
    expect(source.locate('score.weight')).toEqual({ path: 'adapter', offset: 0, byteLength: 1 })
    expect(await codeOf(() => lora(base, adapter))).toBe('tensor.missing')
    expect(await codeOf(() => source.read('nothing'))).toBe('tensor.missing')
  })

  test('a saved module may have modules of its own', async () => {
    const dense = { shape: [2, 2], values: [1, 2, 3, 4] }
    const source = lora(
      base,
      { ...pair('layers.0.q'), 'base_model.model.classifier.dense.weight': dense },
      { modules_to_save: ['classifier'] },
    )
    expect(await values(source, 'classifier.dense.weight')).toEqual(dense.values)
  })

  test('an embedding saved whole beside its adapter is adapted', async () => {
    const adapter = {
      'base_model.model.wte.base_layer.weight': { shape: [3, 2], values: [1, 1, 1, 1, 1, 1] },
      'base_model.model.wte.lora_embedding_A': { shape: [1, 3], values: [1, 2, 3] },
      'base_model.model.wte.lora_embedding_B': { shape: [2, 1], values: [10, 1] },
    }
    const source = lora({ 'wte.weight': { shape: [2, 2], values: [0, 0, 0, 0] } }, adapter)
    expect(source.info('wte.weight')?.shape).toEqual([3, 2])
    expect(await values(source, 'wte.weight')).toEqual([21, 3, 41, 5, 61, 7])
  })

  test('trained biases replace the base biases when the config says so', async () => {
    const bias = { shape: [2], values: [7, 8] }
    const biased = { ...base, 'layers.0.q.bias': { shape: [2], values: [0, 0] } }
    const adapter = { ...pair('layers.0.q'), 'base_model.model.layers.0.q.base_layer.bias': bias }
    expect(await values(lora(biased, adapter, { bias: 'all' }), 'layers.0.q.bias')).toEqual([7, 8])
    expect(await codeOf(() => lora(biased, adapter))).toBe('config.value')
  })

  test.each([
    ['another method', { peft_type: 'IA3' }, 'config.unsupported'],
    ['no method', { peft_type: null }, 'config.unsupported'],
    ['DoRA', { use_dora: true }, 'config.unsupported'],
    ['KaSA', { kasa_config: { beta: 1e-4 } }, 'config.unsupported'],
    ['BD-LoRA', { use_bdlora: { nblocks: 2 } }, 'config.unsupported'],
    ['a start that changes the base', { init_lora_weights: 'pissa_niter_16' }, 'config.unsupported'],
    ['a rank that is no number', { r: '4' }, 'config.value'],
    ['a rank of zero', { r: 0 }, 'config.value'],
    ['an alpha that is infinite', { lora_alpha: Infinity }, 'config.value'],
    ['an unknown bias', { bias: 'some' }, 'config.value'],
    ['a pattern that backtracks', { alpha_pattern: { '(a+)+': 1 } }, 'config.unsupported'],
    ['a pattern that is none', { alpha_pattern: { '(': 1 } }, 'config.value'],
    ['a module outside target_modules', { target_modules: ['v'] }, 'tensor.missing'],
  ])('refuses %s', async (_name, config, code) => {
    expect(await codeOf(() => lora(base, pair('layers.0.q'), config))).toBe(code)
  })

  test.each([
    ['half a pair', { 'base_model.model.layers.0.q.lora_A.weight': down }, 'tensor.missing'],
    [
      'a magnitude',
      { ...pair('layers.0.q'), 'base_model.model.layers.0.q.lora_magnitude_vector': up },
      'config.unsupported',
    ],
    ['two adapters', { ...pair('layers.0.q', '.a'), ...pair('layers.0.k', '.b') }, 'config.unsupported'],
    [
      'another width',
      { ...pair('layers.0.q'), 'base_model.model.layers.0.q.lora_A.weight': { shape: [1, 4], values: [1, 2, 3, 4] } },
      'tensor.shape',
    ],
    ['a config that is a list', undefined, 'config.value'],
  ])('refuses %s', async (_name, adapter, code) => {
    const work = adapter
      ? (): unknown => lora(base, adapter)
      : (): unknown => applyLora(memorySource('base', base), memorySource('adapter', {}), { config: [], place })
    expect(await codeOf(work)).toBe(code)
  })

  test('identity depends on base, adapter and scale', async () => {
    const same = await lora(base, pair('layers.0.q')).identity()
    expect(await lora(base, pair('layers.0.q')).identity()).toBe(same)
    expect(await lora(base, pair('layers.0.q'), { lora_alpha: 3 }).identity()).not.toBe(same)
    expect(await lora(base, pair('layers.0.k')).identity()).not.toBe(same)
  })
})

// W + scale · B·A in float64 with numpy 2.4.6; float32 holds 1.2e-7 of a value, sums of 2,880 values a little more.
const golden = {
  'llama-lora': {
    'model.layers.0.mlp.down_proj.weight': [
      -0.03546592201840537, -0.07754802235999197, -0.37850708695983015, 481.6522982546928,
    ],
    'model.layers.2.self_attn.v_proj.weight': [
      0.39377109626261775, 0.4018092742528135, 0.3622666279700666, 126.36350203911542,
    ],
  },
  'llama-rslora': {
    'model.layers.0.mlp.gate_proj.weight': [
      0.34010385976188273, -0.3897831679634138, -0.23458817794739154, 622.2309181235526,
    ],
    'model.layers.2.self_attn.o_proj.weight': [
      0.43009915107400204, -0.20379724174115343, 0.5676238093400378, 322.0400110094894,
    ],
    'lm_head.weight': [-0.1024082750082016, 0.014036089181900024, 0.12153518199920654, 524.2242343163816],
  },
}

describe.skipIf(!shared).each(Object.entries(golden))('%s', (variant, tensors) => {
  const folder = sharedPath('models', 'pico', 'variants', variant)

  test('merged weights are those of numpy', async () => {
    const base = await openTensorSet(folderFiles(sharedPath('models', 'pico', 'llama')))
    const adapter = await openTensors(join(folder, 'adapter_model.safetensors'))
    const source = applyLora(base, adapter, { config: parseJson(readFileSync(join(folder, place)), place), place })
    for (const [name, [first, other, last, sum]] of Object.entries(tensors)) {
      const all = await values(source, name)
      const width = source.info(name)?.shape[1] ?? 0
      for (const [seen, wanted] of [
        [all[0], first],
        [all[width + 2], other],
        [all.at(-1), last],
      ]) {
        expect(seen).toBeCloseTo(wanted ?? Number.NaN, 7)
      }
      expect(all.reduce((total, value) => total + Math.abs(value), 0)).toBeCloseTo(sum ?? 0, 4)
    }
    await source.close()
  })
})
