/** Configs made to break a reader: each is refused with a code and a place, or read as what it is. */
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { families, modelTypes, specOf } from '#model/architectures'
import { Fault, type FaultCode } from '#core'
import { shared, sharedPath } from '../../shared.ts'
import { bertConfig, llamaConfig } from './small-configs.ts'

function codeOf(config: unknown, architecture?: string): FaultCode | undefined {
  try {
    specOf(config, architecture === undefined ? {} : { architecture })
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

describe.skipIf(shared === undefined)('files of hostile/config', () => {
  const parsed = (name: string): unknown => JSON.parse(readFileSync(sharedPath('models', 'pico', 'hostile', 'config', name), 'utf8'))

  test.each([
    ['layers-1e9.json', 'num_hidden_layers'],
    ['heads-do-not-divide.json', 'num_attention_heads'],
    ['hidden-0.json', 'hidden_size'],
    ['negative-layers.json', 'num_hidden_layers'],
    ['fractional-heads.json', 'num_attention_heads'],
    ['string-number.json', 'hidden_size'],
    ['heads-0.json', 'num_attention_heads'],
    ['unknown-act.json', 'hidden_act'],
  ])('%s is refused at %s', (name, key) => {
    expect(() => specOf(parsed(name), { place: name })).toThrow(
      expect.objectContaining({ code: 'config.value', message: expect.stringContaining(`${name} › ${key}`) as string }) as Error,
    )
  })

  test('an unknown activation names those known', () => {
    expect(() => specOf(parsed('unknown-act.json'))).toThrow(/gelu_new.*silu/)
  })

  test('a model type that every object has as a property is unknown', () => {
    expect(codeOf(parsed('unknown-model.json'))).toBe('config.family')
  })

  test('an epsilon of null is the default', () => {
    expect(specOf(parsed('nan-eps.json')).norm.epsilon).toBe(1e-12)
  })

  test('auto_map is not read: the model type decides', () => {
    expect(specOf(parsed('auto-map.json')).modelType).toBe('bert')
  })

  test('a missing model type is derived from the class', () => {
    expect(specOf(parsed('no-model-type.json')).modelType).toBe('bert')
  })
})

describe('values that cannot be', () => {
  test.each<[string, unknown]>([
    ['hidden_size', undefined],
    ['hidden_size', null],
    ['hidden_size', 2 ** 40],
    ['hidden_size', []],
    ['num_hidden_layers', true],
    ['vocab_size', -1],
    ['layer_norm_eps', -1e-6],
    ['layer_norm_eps', 'small'],
    ['layer_norm_eps', 1e30],
    ['hidden_act', ['gelu']],
    ['hidden_act', '__proto__'],
    ['position_embedding_type', 'relative'],
    ['model_type', 7],
    ['architectures', 'BertModel'],
    ['id2label', ['a', 'b']],
  ])('%s = %j is refused', (key, value) => {
    expect(codeOf({ ...bertConfig, [key]: value })).toBe('config.value')
  })

  test.each<[string, unknown]>([
    ['num_key_value_heads', 3],
    ['head_dim', 7],
    ['rope_theta', 0],
    ['rope_theta', 'large'],
    ['rope_scaling', 4],
    ['rope_scaling', { rope_type: 'linear' }],
    ['rope_scaling', { rope_type: 'linear', factor: 0 }],
    ['rope_scaling', { factor: 2 }],
    ['rope_scaling', { rope_type: 'llama3', factor: 8, low_freq_factor: 4, high_freq_factor: 1, original_max_position_embeddings: 16 }],
    ['rope_scaling', { type: 'longrope', short_factor: [1, 1], long_factor: [1] }],
    ['rope_scaling', { type: 'longrope', short_factor: [1, 'a', 1, 1], long_factor: [1, 1, 1, 1] }],
    ['tie_word_embeddings', 'yes'],
  ])('%s = %j is refused in a decoder', (key, value) => {
    expect(codeOf({ ...llamaConfig, [key]: value })).toBe('config.value')
  })

  test.each([undefined, null, 3, 'bert', [], [bertConfig]])('%j is no config', (config) => {
    expect(codeOf(config)).toBe('config.value')
  })
})

describe('values that ask for arithmetic that is not built', () => {
  test.each<[string, unknown]>([
    ['quantization_config', { quant_method: 'gptq', bits: 4 }],
    ['pruned_heads', { 0: [1, 2] }],
  ])('%s is refused', (key, value) => {
    expect(codeOf({ ...bertConfig, [key]: value })).toBe('config.unsupported')
  })

  test('rotary scaling of an unknown kind is refused, not skipped', () => {
    expect(codeOf({ ...llamaConfig, rope_scaling: { rope_type: 'mrope', mrope_section: [1, 1, 2] } })).toBe('config.unsupported')
  })

  test('an empty pruned_heads is nothing to refuse', () => {
    expect(codeOf({ ...bertConfig, pruned_heads: {} })).toBeUndefined()
  })
})

describe('the family', () => {
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', ''])('model_type %j reaches no prototype', (modelType) => {
    expect(codeOf({ ...bertConfig, model_type: modelType })).toBe('config.family')
    expect(codeOf(bertConfig, modelType)).toBe('usage.value')
  })

  test('an unknown one is told the nearest and, when the config reads as that, how to open it', () => {
    expect(() => specOf({ ...bertConfig, model_type: 'berd' })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('nearest is bert') as string,
        hint: expect.stringContaining('--architecture bert') as string,
      }) as Error,
    )
  })

  test('an unknown one is told what the nearest would miss', () => {
    const { hidden_size: _, ...rest } = bertConfig
    expect(() => specOf({ ...rest, model_type: 'berd' })).toThrow(expect.objectContaining({ hint: expect.stringContaining('hidden_size') as string }) as Error)
  })

  test('architecture overrides the model type', () => {
    expect(specOf({ ...llamaConfig, model_type: 'somebodys-llama' }, { architecture: 'llama' }).modelType).toBe('llama')
  })

  test('no class and no type is refused with what to do', () => {
    const { model_type: _, ...rest } = bertConfig
    expect(codeOf({ ...rest, architectures: undefined })).toBe('config.family')
    expect(codeOf({ ...rest, architectures: ['constructor'] })).toBe('config.family')
  })
})

describe('any change to any value', () => {
  const json = fc.jsonValue({ maxDepth: 2 })
  const configs = [bertConfig, llamaConfig] as Record<string, unknown>[]

  test('gives a spec or a fault, never another error', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...modelTypes()),
        fc.constantFrom(...configs),
        fc.dictionary(fc.constantFrom(...keys), fc.oneof(json, fc.double(), fc.integer(), fc.boolean()), { maxKeys: 4 }),
        (architecture, config, changes) => {
          expect(() => codeOf({ ...config, ...changes }, architecture)).not.toThrow()
        },
      ),
      { numRuns: 500, seed: 7 },
    )
  })

  const keys = [
    ...Object.keys({ ...bertConfig, ...llamaConfig }),
    'rope_scaling',
    'rope_parameters',
    'layer_types',
    'head_dim',
    'sliding_window',
    'feed_forward_proj',
    'pad_token_id',
    'embedding_size',
    'n_embd',
    'n_head',
    'n_layer',
    'd_model',
    'd_ff',
    'd_kv',
    'num_heads',
    'num_layers',
    'dim',
    'hidden_dim',
    'ffn_dim',
    'no_rope_layers',
  ]
})

test('every model type belongs to one family', () => {
  const types = families.flatMap((family) => family.modelTypes)
  expect(types.length).toBe(new Set(types).size)
  expect(modelTypes().toSorted()).toEqual(types.toSorted())
})

test('every family has a title and notes for people', () => {
  for (const { title, notes, prefixes, tensors } of families) {
    expect(title).toMatch(/^\S/)
    expect(notes.length).toBeGreaterThan(10)
    expect(prefixes.length).toBeGreaterThan(0)
    expect(tensors['embed.token']).toBeDefined()
  }
})
