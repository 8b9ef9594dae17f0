/**
 * bitsandbytes: LLM.int8() with a scale per row, and QLoRA's 4-bit codes with a largest magnitude per block, which may
 * themselves be stored as 8-bit codes. Arithmetic is that of `int8_vectorwise_dequant` and `dequantize_4bit`.
 */
import { type Dtype, elementCount, fault, type TensorInfo, type TensorSource } from '#core'
import { countOf, isObject, optionalTextOf, parseJson, readFloat32 } from '#files/formats'
import { checkShape, checkType, type Derived, derivedInfo, readMatrix, findPart, shapeFault } from './derived.ts'
import type { Quantisation } from './quantisation.ts'

export async function planBitsAndBytes(
  source: TensorSource,
  { bits }: Extract<Quantisation, { method: 'bitsandbytes' }>,
): Promise<readonly Derived[]> {
  const plans: Derived[] = []
  for (const name of source.names()) {
    const info = source.info(name)
    if (info === undefined || !name.endsWith('.weight')) continue
    const state = bits === 4 ? stateOf(source, name) : undefined
    if (state !== undefined) plans.push(await plan4(source, info, state))
    else if (info.dtype === 'I8') plans.push(await plan8(source, info))
    else if (info.dtype === 'U8')
      throw fault('tensor.missing', {
        place: `${source.name}: ${name}`,
        what: 'quantised, but there is no quant_state',
        wanted: stateNames(name).join(' or '),
        hint: 'the checkpoint is incomplete, or its config names another method',
      })
  }
  return plans
}

/** 1/127, as it is written in the library. */
const perStep = Math.fround(7.874015718698502e-3)

async function plan8(source: TensorSource, weight: TensorInfo): Promise<Derived> {
  const { name } = weight
  const module = name.slice(0, -'weight'.length)
  const scale = findPart(source, `${module}SCB`, name)
  const [rows, columns] = readMatrix(source, weight)
  checkType(source, scale, ['F32'])
  checkShape(source, scale, [rows])
  await refuseTiles(source, `${module}weight_format`)
  return {
    info: derivedInfo(name, 'F32', weight.shape),
    parts: [name, scale.name],
    values: async () => {
      const [values, scales] = [await readFloat32(source, name), await readFloat32(source, scale.name)]
      for (let i = 0; i < values.length; i++)
        values[i] = Math.fround(values[i]! * scales[Math.floor(i / columns)]!) * perStep
      return values
    },
  }
}

/** Old files may hold the order of one card's tiles. */
async function refuseTiles(source: TensorSource, name: string): Promise<void> {
  const info = source.info(name)
  if (info === undefined) return
  const [format, ...more] = elementCount(info.shape) <= 1 ? await readFloat32(source, name) : [1]
  if (format === 0 && more.length === 0) return
  throw fault('config.unsupported', {
    place: `${source.name}: ${name}`,
    what: 'weights in the order of a card are not read',
    wanted: 'rows (0)',
  })
}

/** What the 4-bit layer stores of its weight as JSON. */
interface State {
  readonly info: TensorInfo
  readonly place: string
  readonly type: Dtype
  readonly shape: readonly number[]
  readonly blocksize: number
  readonly nested: { readonly blocksize: number; readonly offset: number } | undefined
}

const stateNames = (weight: string): string[] =>
  ['nf4', 'fp4'].map((kind) => `${weight}.quant_state.bitsandbytes__${kind}`)

function stateOf(source: TensorSource, weight: string): TensorInfo | undefined {
  return stateNames(weight).flatMap((name) => source.info(name) ?? [])[0]
}

const types: Readonly<Record<string, Dtype>> = { float16: 'F16', bfloat16: 'BF16', float32: 'F32' }
/** The JSON of a state has some two hundred bytes. */
const longestState = 65_536

async function readState(source: TensorSource, info: TensorInfo): Promise<State> {
  const place = `${source.name}: ${info.name}`
  checkType(source, info, ['U8'])
  if (info.byteLength > longestState)
    throw fault('format.limit', {
      place,
      what: 'the state is too long',
      seen: info.byteLength,
      wanted: `at most ${longestState}`,
    })
  const fields = parseJson(Buffer.from(await source.read(info.name)).toString('utf8'), place)
  if (!isObject(fields)) throw fault('format.json', { place, what: 'the state is not an object' })
  const json = { place, fields }
  const named = optionalTextOf(json, 'dtype')?.replace(/^torch\./, '') ?? ''
  const type = Object.hasOwn(types, named) ? types[named] : undefined
  if (type === undefined)
    throw fault('config.value', {
      place: `${place} › dtype`,
      what: 'is not a type of weights',
      seen: named,
      wanted: Object.keys(types).join(', '),
    })
  const shape = fields['shape']
  if (!isShape(shape))
    throw fault('config.value', { place: `${place} › shape`, what: 'must be a list of counts', seen: shape })
  const isNested = fields['nested_blocksize'] !== undefined || fields['nested_offset'] !== undefined
  const offset = fields['nested_offset']
  if (isNested && (typeof offset !== 'number' || !Number.isFinite(offset)))
    throw fault('config.value', { place: `${place} › nested_offset`, what: 'is not a number', seen: offset })
  return {
    info,
    place,
    type,
    shape,
    blocksize: countOf(json, 'blocksize'),
    nested: isNested
      ? { blocksize: countOf(json, 'nested_blocksize'), offset: Math.fround(Number(offset)) }
      : undefined,
  }
}

function isShape(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((size) => Number.isSafeInteger(size) && size > 0)
}

async function plan4(source: TensorSource, weight: TensorInfo, info: TensorInfo): Promise<Derived> {
  const { name } = weight
  const state = await readState(source, info)
  const count = elementCount(state.shape)
  if (weight.byteLength !== Math.ceil(count / 2))
    throw shapeFault(source, name, weight.shape, `two codes per byte of [${state.shape.join(', ')}]`)
  const blocks = Math.ceil(count / state.blocksize)
  const [absmax, map] = [findPart(source, `${name}.absmax`, name), findPart(source, `${name}.quant_map`, name)]
  checkType(source, map, ['F32'])
  checkShape(source, map, [16])
  checkType(source, absmax, [state.nested === undefined ? 'F32' : 'U8'])
  checkShape(source, absmax, [blocks])
  const nested = state.nested === undefined ? [] : nestedParts(source, name, Math.ceil(blocks / state.nested.blocksize))
  return {
    info: derivedInfo(name, state.type, state.shape),
    parts: [name, info.name, absmax.name, map.name, ...nested],
    values: async () => {
      const [codes, levels] = [await source.read(name), await readFloat32(source, map.name)]
      const largest = await readLargest(source, name, state)
      return Float32Array.from(
        { length: count },
        // the first of two codes is in the upper half
        (_, i) => levels[(codes[i >>> 1]! >>> (i % 2 === 0 ? 4 : 0)) & 15]! * largest[Math.floor(i / state.blocksize)]!,
      )
    },
  }
}

function nestedParts(source: TensorSource, name: string, blocks: number): string[] {
  const [absmax, map] = [
    findPart(source, `${name}.nested_absmax`, name),
    findPart(source, `${name}.nested_quant_map`, name),
  ]
  checkType(source, absmax, ['F32'])
  checkShape(source, absmax, [blocks])
  checkType(source, map, ['F32'])
  checkShape(source, map, [256])
  return [absmax.name, map.name]
}

/** The largest magnitude of each block. */
async function readLargest(source: TensorSource, name: string, { nested }: State): Promise<Float32Array> {
  if (nested === undefined) return readFloat32(source, `${name}.absmax`)
  const codes = await source.read(`${name}.absmax`)
  const levels = await readFloat32(source, `${name}.nested_quant_map`)
  const largest = await readFloat32(source, `${name}.nested_absmax`)
  return Float32Array.from(
    codes,
    (code, i) => Math.fround(levels[code]! * largest[Math.floor(i / nested.blocksize)]!) + nested.offset,
  )
}
