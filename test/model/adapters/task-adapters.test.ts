import { describe, expect, test } from 'vitest'
import type { TensorSource } from '#core'
import { readTaskAdapters, type TaskAdapters, withTaskAdapter } from '#model/adapters'
import { specOf } from '#model/architectures'
import { readFloat32 } from '#files/formats'
import { codeOf } from '../../files/formats/made-files.ts'
import { goldenOf } from '../../golden-of.ts'
import { drawnSource, familyGolden, type FamilyCase } from '../graph/drawn-checkpoint.ts'
import { distance, type Golden } from '../graph/pico-golden.ts'

const file = goldenOf<FamilyCase>('model/adapters', 'task-adapters')
const golden = familyGolden(file)
const word = 'roberta.embeddings.word_embeddings.parametrizations.weight'

function adaptersOf(source: TensorSource, config: Record<string, unknown> = file.config): TaskAdapters {
  const adapters = readTaskAdapters(config, source, 'config.json')
  if (adapters === undefined) throw new Error('no adapters')
  return adapters
}

/** The states of one adapter, with the ids that all share. */
function under(adapter: string): Golden {
  const own = [...golden].filter(([key]) => key.startsWith(`${adapter}/`))
  const feeds = [...golden].filter(([key]) => !key.includes('/'))
  return new Map([...feeds, ...own.map(([key, value]) => [key.slice(adapter.length + 1), value] as const)])
}

describe('the adapters of a checkpoint', () => {
  const spec = specOf(file.config)
  const base = drawnSource(file)
  const adapters = adaptersOf(base)

  test('are named and scaled by its config', () => {
    expect(adapters).toMatchObject({ rank: 3, alpha: 2, instructions: { 'retrieval.query': 'find : ' } })
    expect(adapters.names).toHaveLength(5)
  })

  test.each(['none', ...adapters.names])('give the states of the original arithmetic: %s', async (adapter) => {
    const source = adapter === 'none' ? base : withTaskAdapter(base, adapters, adapter)
    const { relative, compared } = await distance(spec, source, under(adapter), '')
    expect(compared).toContain('pooler_output')
    expect(compared).toHaveLength(5)
    // as every family's; the reference's float32 run is 4e-7 from its float64 run
    expect(relative).toBeLessThan(1e-5)
  })

  test('have weights of their own, each under another identity, and hide their factors', async () => {
    const [one, other] = ['retrieval.query', 'separation'].map((name) => withTaskAdapter(base, adapters, name))
    if (one === undefined || other === undefined) throw new Error('two sources')
    expect(one.names()).not.toContain(`${word}.0.lora_A`)
    expect(one.info(`${word}.0.lora_A`)).toBeUndefined()
    expect(one.info(`${word}.original`)).toMatchObject({ dtype: 'F32', shape: [13, 12], byteLength: 624 })
    expect(await readFloat32(one, `${word}.original`)).not.toEqual(await readFloat32(other, `${word}.original`))
    expect(await codeOf(() => one.read(`${word}.0.lora_A`))).toBe('tensor.missing')
    expect(await one.read('roberta.emb_ln.weight')).toEqual(await base.read('roberta.emb_ln.weight'))
    const scaled = withTaskAdapter(base, { ...adapters, alpha: 4 }, 'separation')
    expect(new Set(await Promise.all([base, one, other, scaled].map((source) => source.identity()))).size).toBe(4)
  })
})

test('a config alone makes no adapters', () => {
  const tensors = Object.fromEntries(Object.entries(file.tensors).filter(([name]) => !name.includes('lora_')))
  expect(readTaskAdapters(file.config, drawnSource({ tensors }), 'config.json')).toBeUndefined()
})

describe('refused', () => {
  test.each([
    ['no names', { lora_adaptations: null }],
    ['a name twice', { lora_adaptations: ['a', 'a'] }],
    ['a rank that is no number', { lora_rank: '3' }],
    ['no scale', { lora_alpha: 0 }],
    ['an instruction that is no text', { task_instructions: { separation: 3 } }],
  ])('%s', async (_title, more) => {
    const made = (): unknown => adaptersOf(drawnSource(file), { ...file.config, ...more })
    expect(await codeOf(async () => made())).toBe('config.value')
  })

  test.each([
    ['fewer adapters than names', { lora_adaptations: ['a', 'b'] }, {}, 'tensor.shape'],
    ['another rank', { lora_rank: 2 }, {}, 'tensor.shape'],
    ['a factor that is missing', {}, { [`${word}.0.lora_B`]: undefined }, 'tensor.missing'],
  ])('%s', async (_title, more, changed, code) => {
    const tensors = Object.fromEntries(
      Object.entries({ ...file.tensors, ...changed }).flatMap(([name, plan]) => (plan ? [[name, plan]] : [])),
    ) as FamilyCase['tensors']
    const source = drawnSource({ tensors })
    const adapters = adaptersOf(source, { ...file.config, ...more })
    expect(await codeOf(async () => withTaskAdapter(source, adapters, adapters.names[0] ?? ''))).toBe(code)
  })
})
