/** Quantised weights against the reference libraries, bit by bit, and stored tensors that do not fit together. */
import { describe, expect, test } from 'vitest'
import { type Dtype, Fault, type FaultCode } from '#core'
import { dequantised, readQuantisation } from '#model/quantised'
import { type QuantisedCase, quantisedCases, type StoredTensors, storedSource, tensorOf } from './stored-tensors.ts'

async function opened({ config, stored }: Pick<QuantisedCase, 'config' | 'stored'>) {
  const quantisation = readQuantisation(config, 'config.json')
  if (quantisation === undefined) throw new Error('the case is not quantised')
  return dequantised(storedSource(stored), quantisation)
}

describe('weights are those of the reference to the last bit', () => {
  test.each(Object.entries(quantisedCases))('%s', async (_, one) => {
    const source = await opened(one)
    for (const [name, { dtype, shape, data }] of Object.entries(one.plain)) {
      expect(source.info(name)).toMatchObject({ dtype, shape })
      expect(source.locate(name)).toBeUndefined()
      expect(Buffer.from(await source.read(name)).toString('base64')).toBe(data)
    }
    expect(source.names()).toEqual(Object.keys(one.plain))
  })
})

const plainTensors: StoredTensors = {
  'embedding.weight': tensorOf('F32', [2, 2], 1),
  'norm.bias': tensorOf('F32', [2], 0),
}

test('other tensors keep their names, bytes and places', async () => {
  const { config, stored } = quantisedCases['gptq-4']!
  const source = await opened({ config, stored: { ...plainTensors, ...stored } })
  expect(source.names()).toEqual(['embedding.weight', 'norm.bias', 'layer.weight'])
  expect(source.locate('norm.bias')).toEqual({ path: 'made', offset: 0, byteLength: 1 })
  expect(await source.read('norm.bias')).toEqual(new Uint8Array(8))
  expect(source.info('layer.qweight')).toBeUndefined()
  await expect(source.read('layer.qweight')).rejects.toThrow(expect.objectContaining({ code: 'tensor.missing' }))
})

test('the identity of a source depends on how its codes are read', async () => {
  const { stored } = quantisedCases['gptq-4']!
  const identity = async (checkpoint_format: string): Promise<string> => {
    const config = { quantization_config: { quant_method: 'gptq', bits: 4, group_size: 8, checkpoint_format } }
    return (await opened({ config, stored })).identity()
  }
  const [first, second] = [await identity('gptq'), await identity('gptq_v2')]
  expect(first).not.toBe(second)
  expect(await storedSource(stored).identity()).not.toBe(first)
})

interface Spoilt {
  readonly of: string
  readonly change: (stored: StoredTensors) => StoredTensors
  readonly code: FaultCode
  readonly words: string
  /** The config's value, in place of the case's own. */
  readonly settings?: Readonly<Record<string, unknown>>
}

const without =
  (...names: readonly string[]) =>
  (stored: StoredTensors): StoredTensors =>
    Object.fromEntries(Object.entries(stored).filter(([name]) => !names.includes(name)))

const put =
  (name: string, dtype: 'F32' | 'I32' | 'U8' | 'I8', shape: readonly number[], value = 0) =>
  (stored: StoredTensors): StoredTensors => ({ ...stored, [name]: tensorOf(dtype, shape, value) })

const retyped =
  (name: string, dtype: Dtype) =>
  (stored: StoredTensors): StoredTensors => ({ ...stored, [name]: { ...stored[name]!, dtype } })

const state =
  (name: string, fields: object) =>
  (stored: StoredTensors): StoredTensors => {
    const bytes = Buffer.from(JSON.stringify(fields))
    return { ...stored, [name]: { dtype: 'U8', shape: [bytes.length], data: bytes.toString('base64') } }
  }

const nf4State = 'layer.weight.quant_state.bitsandbytes__nf4'
const nf4 = { quant_type: 'nf4', blocksize: 64, dtype: 'bfloat16', shape: [5, 64] }

const spoilt: readonly Spoilt[] = [
  {
    of: 'fp8-blocks',
    change: without('layer.weight_scale_inv'),
    code: 'tensor.missing',
    words: 'layer.weight_scale_inv',
  },
  { of: 'fp8-blocks', change: put('layer.weight_scale_inv', 'F32', [3, 2]), code: 'tensor.shape', words: 'blocks' },
  {
    of: 'fp8-blocks',
    change: put('layer.weight_scale_inv', 'F32', [8]),
    code: 'tensor.shape',
    words: 'a scale per row',
  },
  { of: 'fp8-blocks', change: put('layer.weight_scale_inv', 'I32', [2, 2]), code: 'tensor.dtype', words: 'I32' },
  { of: 'fp8-stacked', change: put('layer.weight_scale_inv', 'F32', [3, 2, 2]), code: 'tensor.shape', words: 'scale' },
  { of: 'gptq-4', change: without('layer.scales'), code: 'tensor.missing', words: 'layer.scales' },
  { of: 'gptq-4', change: without('layer.qzeros'), code: 'tensor.missing', words: 'layer.qzeros' },
  { of: 'gptq-4', change: put('layer.qzeros', 'I32', [4, 3]), code: 'tensor.shape', words: 'qzeros' },
  { of: 'gptq-4', change: put('layer.scales', 'F32', [4, 31]), code: 'tensor.shape', words: 'scales' },
  { of: 'gptq-4', change: put('layer.g_idx', 'I32', [31]), code: 'tensor.shape', words: 'g_idx' },
  { of: 'gptq-4', change: put('layer.g_idx', 'I32', [32], 4), code: 'tensor.value', words: 'wanted 0 to 3' },
  { of: 'gptq-4', change: put('layer.g_idx', 'I32', [32], -1), code: 'tensor.value', words: '-1' },
  { of: 'gptq-4', change: retyped('layer.qweight', 'F32'), code: 'tensor.dtype', words: 'F32' },
  {
    of: 'gptq-8-one-group',
    change: without('layer.g_idx'),
    code: 'tensor.shape',
    words: 'scales',
    settings: { group_size: 8 },
  },
  { of: 'gptq-dynamic', change: put('layer.qzeros', 'I32', [2, 5]), code: 'tensor.shape', words: '5' },
  { of: 'gptq-3-shuffled-v2', change: put('layer.qweight', 'I32', [4, 32]), code: 'tensor.shape', words: 'qweight' },
  { of: 'awq-groups', change: without('layer.qzeros'), code: 'tensor.missing', words: 'layer.qzeros' },
  { of: 'awq-groups', change: put('layer.qzeros', 'I32', [4, 1]), code: 'tensor.shape', words: 'qzeros' },
  { of: 'awq-groups', change: put('layer.scales', 'F32', [3, 16]), code: 'tensor.shape', words: 'scales' },
  { of: 'bitsandbytes-int8', change: without('layer.SCB'), code: 'tensor.missing', words: 'layer.SCB' },
  { of: 'bitsandbytes-int8', change: put('layer.SCB', 'F32', [40]), code: 'tensor.shape', words: 'SCB' },
  {
    of: 'bitsandbytes-int8',
    change: put('layer.weight_format', 'U8', [], 2),
    code: 'config.unsupported',
    words: 'rows',
  },
  { of: 'bitsandbytes-nf4', change: without(nf4State), code: 'tensor.missing', words: 'quant_state' },
  { of: 'bitsandbytes-nf4', change: without('layer.weight.absmax'), code: 'tensor.missing', words: 'absmax' },
  { of: 'bitsandbytes-nf4', change: put('layer.weight.absmax', 'F32', [4]), code: 'tensor.shape', words: 'absmax' },
  {
    of: 'bitsandbytes-nf4',
    change: put('layer.weight.quant_map', 'F32', [8]),
    code: 'tensor.shape',
    words: 'quant_map',
  },
  {
    of: 'bitsandbytes-nf4',
    change: state(nf4State, { ...nf4, shape: [6, 50] }),
    code: 'tensor.shape',
    words: 'two codes',
  },
  {
    of: 'bitsandbytes-nf4',
    change: state(nf4State, { ...nf4, shape: [-6, -48] }),
    code: 'config.value',
    words: 'shape',
  },
  { of: 'bitsandbytes-nf4', change: state(nf4State, { ...nf4, dtype: 'int8' }), code: 'config.value', words: 'dtype' },
  {
    of: 'bitsandbytes-nf4',
    change: state(nf4State, { ...nf4, blocksize: 0 }),
    code: 'config.value',
    words: 'blocksize',
  },
  { of: 'bitsandbytes-nf4', change: state(nf4State, [nf4]), code: 'format.json', words: 'not an object' },
  {
    of: 'bitsandbytes-nf4',
    change: state(nf4State, { ...nf4, nested_blocksize: 256 }),
    code: 'config.value',
    words: 'nested_offset',
  },
  { of: 'bitsandbytes-nf4', change: put(nf4State, 'U8', [70_000], 32), code: 'format.limit', words: 'too long' },
  {
    of: 'bitsandbytes-nf4-nested',
    change: without('layer.weight.nested_absmax'),
    code: 'tensor.missing',
    words: 'nested_absmax',
  },
  {
    of: 'bitsandbytes-nf4-nested',
    change: put('layer.weight.nested_quant_map', 'F32', [16]),
    code: 'tensor.shape',
    words: 'nested_quant_map',
  },
  { of: 'compressed-int4-group', change: without('layer.weight_shape'), code: 'tensor.missing', words: 'weight_shape' },
  { of: 'compressed-int4-group', change: without('layer.weight_scale'), code: 'tensor.missing', words: 'weight_scale' },
  {
    of: 'compressed-int4-group',
    change: put('layer.weight_shape', 'I32', [2], 6),
    code: 'tensor.shape',
    words: '4 bits',
  },
  {
    of: 'compressed-int4-group',
    change: put('layer.weight_shape', 'I32', [2], 7),
    code: 'tensor.shape',
    words: 'shape',
  },
  { of: 'compressed-int4-group', change: put('layer.weight_shape', 'I32', [9]), code: 'tensor.shape', words: 'shape' },
  {
    of: 'compressed-int4-group',
    change: put('layer.weight_scale', 'F32', [6, 5]),
    code: 'tensor.shape',
    words: 'scale',
  },
  {
    of: 'compressed-int4-group',
    change: put('layer.weight_global_scale', 'F32', [1]),
    code: 'config.unsupported',
    words: 'scales of scales',
  },
  {
    of: 'compressed-int4-zeros',
    change: put('layer.weight_zero_point', 'I32', [1, 2]),
    code: 'tensor.shape',
    words: 'zero_point',
  },
  {
    of: 'compressed-int4-order',
    change: put('layer.weight_g_idx', 'I32', [32], 1),
    code: 'tensor.value',
    words: 'groups',
  },
  { of: 'compressed-int4-order', change: put('layer.weight_g_idx', 'I32', [32], 9), code: 'tensor.value', words: '9' },
  {
    of: 'compressed-int8-zeros',
    change: put('layer.weight_zero_point', 'I8', [3, 1]),
    code: 'tensor.shape',
    words: 'zero',
  },
  { of: 'mxfp4', change: without('experts.gate_up_proj_scales'), code: 'tensor.missing', words: 'scales' },
  { of: 'mxfp4', change: put('experts.gate_up_proj_scales', 'U8', [2, 3, 3]), code: 'tensor.shape', words: 'scales' },
  {
    of: 'mxfp4',
    change: put('experts.gate_up_proj_blocks', 'U8', [2, 3, 2, 8]),
    code: 'tensor.shape',
    words: 'blocks',
  },
  { of: 'mxfp4', change: retyped('experts.gate_up_proj_blocks', 'I8'), code: 'tensor.dtype', words: 'I8' },
]

test.each(spoilt)('$of is refused ($code: $words)', async ({ of, change, code, words, settings }) => {
  const { config: own, stored, plain } = quantisedCases[of]!
  const config = { ...own, quantization_config: { ...(own['quantization_config'] as object), ...settings } }
  const read = async (): Promise<void> => {
    const source = await opened({ config, stored: change(stored) })
    for (const name of Object.keys(plain)) await source.read(name)
  }
  const error = await read().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Fault)
  expect(error).toMatchObject({ code, message: expect.stringContaining(words) as string })
})
