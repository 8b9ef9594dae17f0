/** What configs say about quantised weights: methods that are read, and all others refused by name. */
import { describe, expect, test } from 'vitest'
import { describeQuantisation, plainConfig, readQuantisation } from '#model/quantised'

const read = (quantization_config: unknown, more: object = {}) =>
  readQuantisation({ ...more, quantization_config }, 'config.json')

describe('settings', () => {
  test.each([
    [{ quant_method: 'fp8' }, { method: 'fp8', block: [128, 128], type: undefined }],
    [
      { quant_method: 'fp8', weight_block_size: null },
      { method: 'fp8', block: undefined, type: undefined },
    ],
    [
      { quant_method: 'gptq', bits: 4 },
      { method: 'gptq', bits: 4, groupSize: 128, zerosLessOne: true },
    ],
    [
      { quant_method: 'gptq', bits: 8, group_size: -1, format: 'gptq_v2' },
      { method: 'gptq', bits: 8, groupSize: -1, zerosLessOne: false },
    ],
    [
      { quant_method: 'gptq', bits: 4, dynamic: { 'layers.0': { bits: 8 } } },
      { method: 'gptq', bits: undefined, groupSize: 128, zerosLessOne: true },
    ],
    [
      { quant_method: 'awq', version: 'gemm', group_size: 64 },
      { method: 'awq', groupSize: 64 },
    ],
    [{ load_in_8bit: true }, { method: 'bitsandbytes', bits: 8 }],
    [
      { quant_method: 'bitsandbytes', _load_in_4bit: true },
      { method: 'bitsandbytes', bits: 4 },
    ],
    [{ quant_method: 'mxfp4' }, { method: 'mxfp4', type: undefined }],
  ])('%j', (settings, wanted) => {
    expect(read(settings)).toEqual(wanted)
  })

  test('a config without them is of plain weights', () => {
    expect(readQuantisation({ model_type: 'bert' }, 'config.json')).toBeUndefined()
    expect(read(null)).toBeUndefined()
  })

  test('those of a text_config count', () => {
    const config = { text_config: { torch_dtype: 'float16', quantization_config: { quant_method: 'mxfp4' } } }
    expect(readQuantisation(config, 'config.json')).toEqual({ method: 'mxfp4', type: 'F16' })
    expect(plainConfig(config)).toEqual({ text_config: { torch_dtype: 'float16' } })
  })

  test('the older key of compressed-tensors counts', () => {
    const config = { compression_config: { config_groups: { a: { weights: { num_bits: 4, type: 'int' } } } } }
    expect(readQuantisation(config, 'config.json')).toMatchObject({ method: 'compressed-tensors', bits: [4] })
    expect(plainConfig(config)).toEqual({})
  })

  test('a sentence names the method', () => {
    expect(describeQuantisation({ method: 'bitsandbytes', bits: 8 })).toContain('bitsandbytes, 8 bits')
  })
})

const groups = (weights: object, more: object = {}): object => ({
  quant_method: 'compressed-tensors',
  config_groups: { a: { weights, ...more } },
})

test.each([
  [{ quant_method: 'aqlm' }, 'config.unsupported', 'weights of this method are not read – aqlm, wanted fp8, '],
  [{ quant_method: 'torchao' }, 'config.unsupported', 'torchao'],
  [{}, 'config.unsupported', 'none'],
  ['gptq', 'config.value', 'is not an object'],
  [{ quant_method: 'gptq', bits: 5 }, 'config.value', 'not a width of GPTQ – 5'],
  [{ quant_method: 'gptq' }, 'config.value', 'bits'],
  [{ quant_method: 'gptq', bits: 4, group_size: 0 }, 'config.value', 'group_size'],
  [{ quant_method: 'gptq', bits: 4, checkpoint_format: 'marlin' }, 'config.unsupported', 'marlin'],
  [{ quant_method: 'gptq', bits: 4, is_marlin_format: true }, 'config.unsupported', 'marlin'],
  [{ quant_method: 'gptq', bits: 4, pack_dtype: 'int8' }, 'config.unsupported', 'pack_dtype'],
  [{ quant_method: 'awq', version: 'gemv' }, 'config.unsupported', 'gemv'],
  [{ quant_method: 'awq', bits: 8 }, 'config.value', 'not a width of AWQ'],
  [{ quant_method: 'awq', backend: 'llm-awq' }, 'config.unsupported', 'llm-awq'],
  [{ quant_method: 'fp8', expert_dtype: 'fp4' }, 'config.unsupported', 'fp4'],
  [{ quant_method: 'fp8', weight_block_size: [0, 128] }, 'config.value', 'two counts'],
  [{ quant_method: 'fp8', weight_block_size: 128 }, 'config.value', 'two counts'],
  [{ quant_method: 'bitsandbytes' }, 'config.value', 'one of load_in_4bit and load_in_8bit'],
  [{ quant_method: 'compressed-tensors' }, 'config.value', 'config_groups'],
  [groups({ num_bits: 4, type: 'float' }), 'config.unsupported', 'floats of this width'],
  [groups({ num_bits: 9, type: 'int' }), 'config.value', 'num_bits'],
  [groups({ num_bits: 4, type: 'int' }, { format: 'nvfp4-pack-quantized' }), 'config.unsupported', 'nvfp4'],
  [{ ...groups({ num_bits: 4, type: 'int' }), format: 'marlin-24' }, 'config.unsupported', 'marlin-24'],
  [
    { ...groups({ num_bits: 4, type: 'int' }), sparsity_config: { format: 'sparse-bitmask' } },
    'config.unsupported',
    'sparse-bitmask',
  ],
])('%j is refused', (settings, code, words) => {
  expect(() => read(settings)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(words) as string }) as Error,
  )
})

test('modules of a family with exchanged rows and columns are refused', () => {
  const refused = expect.objectContaining({ code: 'config.unsupported' }) as Error
  expect(() => read({ quant_method: 'gptq', bits: 4 }, { model_type: 'gpt2' })).toThrow(refused)
  expect(read({ quant_method: 'gptq', bits: 4 }, { model_type: 'llama' })).toBeDefined()
})
