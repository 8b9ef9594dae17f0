/** Configs made to break a reader: each is refused with a code and a place, or read as what it is. */
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { families, modelTypes, specOf } from '#model/architectures'
import { Fault, type FaultCode } from '#core'
import { shared, sharedPath } from '../../shared.ts'
import { bertConfig, llamaConfig } from './small-configs.ts'

function faultOf(config: unknown, architecture?: string): Fault | undefined {
  try {
    specOf(config, architecture === undefined ? {} : { architecture })
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

/** A fault with this code, and these words of place and reason. */
function refused(code: FaultCode, words: string): object {
  return { code, message: expect.stringContaining(words) as string }
}

describe.skipIf(shared === undefined)('files of hostile/config', () => {
  const parsed = (name: string): unknown =>
    JSON.parse(readFileSync(sharedPath('models', 'pico', 'hostile', 'config', name), 'utf8'))

  test.each([
    ['layers-1e9.json', 'num_hidden_layers', 'is implausible – 1000000000'],
    ['heads-do-not-divide.json', 'num_attention_heads', 'heads do not divide the width 48 – 5'],
    ['hidden-0.json', 'hidden_size', 'is implausible – 0'],
    ['negative-layers.json', 'num_hidden_layers', 'is implausible – -3'],
    ['fractional-heads.json', 'num_attention_heads', 'is not a whole number – 4.5'],
    ['string-number.json', 'hidden_size', 'is not a number – 48'],
    ['heads-0.json', 'num_attention_heads', 'is implausible – 0'],
    ['unknown-act.json', 'hidden_act', 'is not a known activation – gelu_evil'],
  ])('%s is refused at %s: %s', (name, key, reason) => {
    expect(() => specOf(parsed(name), { place: name })).toThrow(
      expect.objectContaining({
        code: 'config.value',
        message: expect.stringContaining(`${name} › ${key}: ${reason}`) as string,
      }) as Error,
    )
  })

  test('an unknown activation names those known', () => {
    expect(() => specOf(parsed('unknown-act.json'))).toThrow(/gelu_new.*silu/)
  })

  test('a model type that every object has as a property is unknown', () => {
    expect(faultOf(parsed('unknown-model.json'))).toMatchObject(
      refused('config.family', 'model_type: no family of this name is known; the nearest is llama – constructor'),
    )
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
  test.each<[string, unknown, string]>([
    ['hidden_size', undefined, 'is missing'],
    ['hidden_size', null, 'is missing'],
    ['hidden_size', 2 ** 40, 'is out of range – 1099511627776'],
    ['hidden_size', [], 'is not a number – []'],
    ['num_hidden_layers', true, 'is not a number – true'],
    ['vocab_size', -1, 'is implausible – -1'],
    ['layer_norm_eps', -1e-6, 'is out of range – -0.000001'],
    ['layer_norm_eps', 'small', 'is not a number – small'],
    ['layer_norm_eps', 1e30, 'is out of range – 1e+30'],
    ['hidden_act', ['gelu'], 'is not a known activation – ["gelu"]'],
    ['hidden_act', '__proto__', 'is not a known activation – __proto__'],
    ['position_embedding_type', 'relative', 'is not known – relative'],
    ['model_type', 7, 'is not a string – 7'],
    ['architectures', 'BertModel', 'is not a list – BertModel'],
    ['id2label', ['a', 'b'], 'is not an object – ["a","b"]'],
  ])('%s = %j is refused: %s', (key, value, reason) => {
    expect(faultOf({ ...bertConfig, [key]: value })).toMatchObject(
      refused('config.value', `config.json › ${key}: ${reason}`),
    )
  })

  test.each<[string, unknown, string]>([
    ['num_key_value_heads', 3, 'num_key_value_heads: key/value heads do not divide 4 heads – 3'],
    ['head_dim', 7, 'partial_rotary_factor: rotates 7 of 7 columns – wanted an even number'],
    ['rope_theta', 0, 'rope_theta: is out of range – 0'],
    ['rope_theta', 'large', 'rope_theta: is not a number – large'],
    ['rope_scaling', 4, 'rope_scaling: is not an object – 4'],
    ['rope_scaling', { rope_type: 'linear' }, 'rope_scaling › factor: is missing'],
    ['rope_scaling', { rope_type: 'linear', factor: 0 }, 'rope_scaling › factor: is out of range – 0'],
    ['rope_scaling', { factor: 2 }, 'rope_scaling › rope_type: is missing'],
    [
      'rope_scaling',
      { rope_type: 'llama3', factor: 8, low_freq_factor: 4, high_freq_factor: 1, original_max_position_embeddings: 16 },
      'rope_scaling › high_freq_factor: is not above low_freq_factor – 1',
    ],
    [
      'rope_scaling',
      { type: 'longrope', short_factor: [1, 1], long_factor: [1] },
      'rope_scaling › long_factor: has 1 numbers – [1], wanted 2',
    ],
    [
      'rope_scaling',
      { type: 'longrope', short_factor: [1, 'a', 1, 1], long_factor: [1, 1, 1, 1] },
      'rope_scaling › short_factor: holds something that is not a number – [1,"a",1,1]',
    ],
    ['tie_word_embeddings', 'yes', 'tie_word_embeddings: is neither true nor false – yes'],
  ])('%s = %j is refused in a decoder: %s', (key, value, reason) => {
    expect(faultOf({ ...llamaConfig, [key]: value })).toMatchObject(refused('config.value', `config.json › ${reason}`))
  })

  test.each([undefined, null, 3, 'bert', [], [bertConfig]])('%j is no config', (config) => {
    expect(faultOf(config)).toMatchObject(refused('config.value', 'config.json: is not a JSON object'))
  })
})

describe('values that ask for arithmetic that is not built', () => {
  test.each<[string, unknown, string]>([
    ['quantization_config', { quant_method: 'aqlm' }, ' › quant_method: weights of this method are not read – aqlm'],
    ['pruned_heads', { 0: [1, 2] }, ': pruned heads are not supported'],
  ])('%s is refused', (key, value, reason) => {
    expect(faultOf({ ...bertConfig, [key]: value })).toMatchObject(
      refused('config.unsupported', `config.json › ${key}${reason}`),
    )
  })

  test('quantised weights that are read change nothing of the spec', () => {
    const config = { ...bertConfig, quantization_config: { quant_method: 'gptq', bits: 4 } }
    expect(specOf(config)).toEqual(specOf(bertConfig))
  })

  test('rotary scaling of an unknown kind is refused, not skipped', () => {
    const scaling = { rope_type: 'mrope', mrope_section: [1, 1, 2] }
    expect(faultOf({ ...llamaConfig, rope_scaling: scaling })).toMatchObject(
      refused('config.unsupported', 'rope_scaling › rope_type: asks for rotary scaling that is not supported'),
    )
  })

  test('an empty pruned_heads is nothing to refuse', () => {
    expect(faultOf({ ...bertConfig, pruned_heads: {} })).toBeUndefined()
  })
})

describe('the family', () => {
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', ''])(
    'model_type %j reaches no prototype',
    (modelType) => {
      expect(faultOf({ ...bertConfig, model_type: modelType })).toMatchObject(
        refused('config.family', 'model_type: no family of this name is known'),
      )
      expect(faultOf(bertConfig, modelType)).toMatchObject(
        refused('usage.value', 'architecture: is not a family that Strata knows'),
      )
    },
  )

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
    expect(() => specOf({ ...rest, model_type: 'berd' })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('hidden_size') as string }) as Error,
    )
  })

  test('architecture overrides the model type', () => {
    expect(specOf({ ...llamaConfig, model_type: 'somebodys-llama' }, { architecture: 'llama' }).modelType).toBe('llama')
  })

  test('no class and no type is refused with what to do', () => {
    const { model_type: _, ...rest } = bertConfig
    const words = 'model_type: is missing, and architectures does not identify the family'
    for (const architectures of [undefined, ['constructor']])
      expect(faultOf({ ...rest, architectures })).toMatchObject(refused('config.family', words))
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
        fc.dictionary(fc.constantFrom(...keys), fc.oneof(json, fc.double(), fc.integer(), fc.boolean()), {
          maxKeys: 4,
        }),
        (architecture, config, changes) => {
          expect(() => faultOf({ ...config, ...changes }, architecture)).not.toThrow()
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

test('every model type belongs to one family, classes that another reads left out', () => {
  const types = families.filter(({ only }) => only === undefined).flatMap((family) => family.modelTypes)
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
