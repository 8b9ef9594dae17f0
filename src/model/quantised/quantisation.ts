/** What config.json says about quantised weights. Names and defaults are those of transformers' configurations. */
import { type Dtype, fault } from '#core'
import { isObject } from '#files/formats'

type Fields = Readonly<Record<string, unknown>>

/** Rows and columns that share a scale. */
export type Block = readonly [rows: number, columns: number]

/** Type of the plain weights; undefined: the type of the scales. */
type PlainType = 'F16' | 'BF16' | 'F32' | undefined

export type Quantisation =
  | {
      /** DeepSeek's and fbgemm's: FP8 codes, and a scale per tensor, row or block. */
      readonly method: 'fp8' | 'fbgemm_fp8'
      readonly block: Block | undefined
      readonly type: PlainType
    }
  | {
      /** Frantar et al. 2022 (https://arxiv.org/abs/2210.17323), as AutoGPTQ and GPTQModel pack it. */
      readonly method: 'gptq'
      /** Undefined: modules differ (`dynamic`), and their shapes show it. */
      readonly bits: number | undefined
      /** −1: one group per column. */
      readonly groupSize: number
      /** The first format stores zero points less one. */
      readonly zerosLessOne: boolean
    }
  | {
      /** Lin et al. 2023 (https://arxiv.org/abs/2306.00978), in AutoAWQ's order for matrix products. */
      readonly method: 'awq'
      readonly groupSize: number
    }
  /** Dettmers et al. 2022 and 2023 (https://arxiv.org/abs/2208.07339, https://arxiv.org/abs/2305.14314). */
  | { readonly method: 'bitsandbytes'; readonly bits: 4 | 8 }
  | {
      readonly method: 'compressed-tensors'
      /** Bits of packed integers, one entry per width that a group of modules has. */
      readonly bits: readonly number[]
      readonly block: Block | undefined
      readonly type: PlainType
    }
  /** 4-bit floats with a power of two per 32 (OCP Microscaling Formats 1.0), as GPT-OSS stores its experts. */
  | { readonly method: 'mxfp4'; readonly type: PlainType }

/** Keys of config.json that say how weights are quantised; the second is an older spelling of compressed-tensors. */
export const quantisationKeys = ['quantization_config', 'compression_config'] as const

const read = ['fp8', 'fbgemm_fp8', 'gptq', 'awq', 'bitsandbytes', 'compressed-tensors', 'mxfp4']

/**
 * The method of a parsed config.json; undefined where its weights are plain. Throws `config.value` for settings that
 * cannot be, `config.unsupported` for methods and layouts that are not read.
 */
export function readQuantisation(config: unknown, place: string): Quantisation | undefined {
  if (!isObject(config)) return undefined
  const found = findSection(config)
  if (found === undefined) return undefined
  const where = `${place} › ${found.key}`
  if (!isObject(found.value)) throw fault('config.value', { place: where, what: 'is not an object', seen: found.value })
  const settings = found.value
  const method = methodOf(settings)
  const asked: Asked = { settings, place: where, type: plainType(config) }
  if (isConvolution(config) && transposing.has(method)) {
    throw fault('config.unsupported', {
      place: where,
      what: `${method} weights of this family are stored with rows and columns exchanged, which is not read`,
      seen: config['model_type'],
      hint: 'take the unquantised checkpoint',
    })
  }
  switch (method) {
    case 'fp8':
    case 'fbgemm_fp8':
      return readFp8(method, asked)
    case 'gptq':
      return readGptq(asked)
    case 'awq':
      return readAwq(asked)
    case 'bitsandbytes':
      return readBitsAndBytes(asked)
    case 'compressed-tensors':
      return readCompressed(asked)
    case 'mxfp4':
      return { method, type: asked.type }
    default:
      throw fault('config.unsupported', {
        place: `${where} › quant_method`,
        what: 'weights of this method are not read',
        seen: method === '' ? 'none' : method,
        wanted: read.join(', '),
        hint: 'take the unquantised checkpoint',
      })
  }
}

/** The config of the plain weights. */
export function plainConfig(config: Fields): Record<string, unknown> {
  const kept = Object.entries(config).filter(([key]) => !quantisationKeys.some((one) => one === key))
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'text_config' && isObject(value) ? plainConfig(value) : value]),
  )
}

interface Asked {
  readonly settings: Fields
  readonly place: string
  readonly type: PlainType
}

function findSection(config: Fields): { readonly key: string; readonly value: unknown } | undefined {
  for (const key of quantisationKeys) {
    const value = config[key]
    if (value !== undefined && value !== null) return { key, value }
  }
  const text = config['text_config']
  const inner = isObject(text) ? findSection(text) : undefined
  return inner === undefined ? undefined : { key: `text_config › ${inner.key}`, value: inner.value }
}

/** Older files name no method where one flag says it. */
function methodOf(settings: Fields): string {
  const named = settings['quant_method']
  if (typeof named === 'string' && named !== '') return named === 'sparseml' ? 'compressed-tensors' : named
  if (settings['load_in_8bit'] === true || settings['load_in_4bit'] === true) return 'bitsandbytes'
  return isObject(settings['config_groups']) ? 'compressed-tensors' : ''
}

function plainType(config: Fields): PlainType {
  const named = config['dtype'] ?? config['torch_dtype']
  const word = typeof named === 'string' ? named.replace(/^torch\./, '') : undefined
  if (word !== undefined && Object.hasOwn(floats, word)) return floats[word]
  const text = config['text_config']
  return isObject(text) ? plainType(text) : undefined
}

const floats: Readonly<Record<string, PlainType>> = { float16: 'F16', bfloat16: 'BF16', float32: 'F32' }

/** Families with torch's old `Conv1D`, whose quantised modules hold the transpose of what the checkpoint has. */
const convolutions = new Set(['gpt2', 'openai-gpt', 'imagegpt', 'decision_transformer'])
const transposing = new Set(['gptq', 'awq', 'bitsandbytes'])

function isConvolution(config: Fields): boolean {
  return typeof config['model_type'] === 'string' && convolutions.has(config['model_type'])
}

function readFp8(method: 'fp8' | 'fbgemm_fp8', { settings, place, type }: Asked): Quantisation {
  refuseUnless(settings, place, 'fmt', ['e4m3', 'e5m2', 'float8_e4m3fn', 'float8_e5m2'])
  refuseUnless(settings, place, 'expert_dtype', ['fp8'])
  refuseUnless(settings, place, 'scale_fmt', ['float', 'ue8m0'])
  const given = settings['weight_block_size']
  const block = method === 'fp8' && given === undefined ? ([128, 128] as const) : readBlock(given, place)
  return { method, block, type }
}

function readBlock(value: unknown, place: string): Block | undefined {
  if (value === undefined || value === null) return undefined
  const [rows, columns] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : []
  if (isSize(rows) && isSize(columns)) return [rows, columns]
  throw fault('config.value', { place, what: 'the size of a block must be two counts', seen: value })
}

function readGptq({ settings, place }: Asked): Quantisation {
  const format = settings['checkpoint_format'] ?? settings['format'] ?? 'gptq'
  if (settings['is_marlin_format'] === true || (format !== 'gptq' && format !== 'gptq_v2'))
    throw fault('config.unsupported', {
      place: `${place} › checkpoint_format`,
      what: 'this packing is not read',
      seen: settings['is_marlin_format'] === true ? 'marlin' : format,
      wanted: 'gptq or gptq_v2',
    })
  refuseUnless(settings, place, 'pack_dtype', ['int32'])
  const bits = settings['bits']
  if (bits !== 2 && bits !== 3 && bits !== 4 && bits !== 8)
    throw fault('config.value', {
      place: `${place} › bits`,
      what: 'not a width of GPTQ',
      seen: bits,
      wanted: '2, 3, 4 or 8',
    })
  const varied = isObject(settings['dynamic']) && Object.keys(settings['dynamic']).length > 0
  return {
    method: 'gptq',
    bits: varied ? undefined : bits,
    groupSize: readGroupSize(settings, place),
    zerosLessOne: format === 'gptq',
  }
}

function readAwq({ settings, place }: Asked): Quantisation {
  const layout = settings['version'] ?? settings['format'] ?? settings['checkpoint_format'] ?? 'gemm'
  if (typeof layout !== 'string' || layout.toLowerCase() !== 'gemm' || settings['backend'] === 'llm-awq')
    throw fault('config.unsupported', {
      place: `${place} › version`,
      what: 'this packing is not read',
      seen: settings['backend'] === 'llm-awq' ? 'llm-awq' : layout,
      wanted: 'gemm',
    })
  const bits = settings['bits'] ?? settings['w_bit'] ?? 4
  if (bits !== 4)
    throw fault('config.value', { place: `${place} › bits`, what: 'not a width of AWQ', seen: bits, wanted: '4' })
  return { method: 'awq', groupSize: readGroupSize(settings, place) }
}

function readGroupSize(settings: Fields, place: string): number {
  const size = settings['group_size'] ?? settings['q_group_size'] ?? 128
  if (size === -1 || isSize(size)) return size
  throw fault('config.value', { place: `${place} › group_size`, what: 'must be a count, or -1', seen: size })
}

function readBitsAndBytes({ settings, place }: Asked): Quantisation {
  const four = settings['load_in_4bit'] === true || settings['_load_in_4bit'] === true
  if (four === (settings['load_in_8bit'] === true || settings['_load_in_8bit'] === true))
    throw fault('config.value', {
      place,
      what: 'one of load_in_4bit and load_in_8bit must be true',
      seen: { load_in_4bit: settings['load_in_4bit'], load_in_8bit: settings['load_in_8bit'] },
    })
  return { method: 'bitsandbytes', bits: four ? 4 : 8 }
}

/** Layouts of compressed-tensors that are read; `mixed-precision` says that groups name their own. */
const layouts = ['pack-quantized', 'int-quantized', 'float-quantized', 'naive-quantized', 'mixed-precision', 'dense']

function readCompressed({ settings, place, type }: Asked): Quantisation {
  refuseUnless(settings, place, 'format', layouts)
  const sparsity = settings['sparsity_config']
  if (isObject(sparsity)) refuseUnless(sparsity, `${place} › sparsity_config`, 'format', ['dense'])
  const groups = settings['config_groups']
  if (!isObject(groups))
    throw fault('config.value', { place: `${place} › config_groups`, what: 'is not an object', seen: groups })
  const bits = new Set<number>()
  const blocks: Block[] = []
  for (const [name, group] of Object.entries(groups)) {
    const where = `${place} › config_groups › ${name}`
    if (!isObject(group)) throw fault('config.value', { place: where, what: 'is not an object', seen: group })
    refuseUnless(group, where, 'format', layouts)
    const { weights } = group
    if (!isObject(weights)) continue
    refuseUnless(weights, where, 'type', ['int', 'float'])
    const width = weights['num_bits']
    if (!isSize(width) || width > 8)
      throw fault('config.value', { place: `${where} › num_bits`, what: 'not a width of a code', seen: width })
    if (weights['type'] === 'float' && width !== 8)
      throw fault('config.unsupported', {
        place: `${where} › num_bits`,
        what: 'floats of this width are not read',
        seen: width,
      })
    if (weights['type'] !== 'float') bits.add(width)
    const block = readBlock(weights['block_structure'], where)
    if (block !== undefined) blocks.push(block)
  }
  const [block, ...others] = blocks
  if (block !== undefined && others.some(([rows, columns]) => rows !== block[0] || columns !== block[1]))
    throw fault('config.unsupported', {
      place,
      what: 'groups with blocks of different sizes are not read',
      seen: blocks,
    })
  return { method: 'compressed-tensors', bits: [...bits], block, type }
}

function refuseUnless(settings: Fields, place: string, key: string, wanted: readonly string[]): void {
  const value = settings[key]
  if (value === undefined || value === null || wanted.some((one) => one === value)) return
  throw fault('config.unsupported', {
    place: `${place} › ${key}`,
    what: 'is not read',
    seen: value,
    wanted: wanted.join(', '),
  })
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

/** The type of plain weights: what the config says, otherwise that of the scales. */
export function chooseType(type: PlainType, scales: Dtype): Dtype {
  return type ?? (scales === 'F16' || scales === 'BF16' || scales === 'F32' ? scales : 'BF16')
}
