/**
 * compressed-tensors: integers packed densely in 32-bit words (`weight_packed`), or one code per byte (`weight`, int8 or
 * FP8), with scales per tensor, row, group of columns or block. (code − zero) · scale is rounded to the scales' type,
 * then to the weight's, as the library decompresses and transformers loads.
 */
import { elementCount, fault, type TensorInfo, type TensorSource } from '#core'
import { readFloat32 } from '#files/formats'
import {
  checkShape,
  checkType,
  type Derived,
  type Grid,
  gridFor,
  derivedInfo,
  readMatrix,
  findPart,
  readIndexes,
  readWords,
  roundedTo,
  scaleBlocks,
  scaleTypes,
  shapeFault,
  unpackCodes,
  wordsFor,
} from './derived.ts'
import { isFp8 } from './fp8.ts'
import { chooseType, type Quantisation } from './quantisation.ts'

type Compressed = Extract<Quantisation, { method: 'compressed-tensors' }>

export async function planCompressed(source: TensorSource, settings: Compressed): Promise<readonly Derived[]> {
  const plans: Derived[] = []
  for (const name of source.names()) {
    const info = source.info(name)
    if (info === undefined) continue
    if (name.endsWith('.weight_packed')) plans.push(await planPacked(source, info, settings))
    else if (name.endsWith('.weight') && (info.dtype === 'I8' || isFp8(info)))
      plans.push(await planPlain(source, info, settings))
  }
  return plans
}

/** One code per byte. */
async function planPlain(source: TensorSource, weight: TensorInfo, settings: Compressed): Promise<Derived> {
  const parts = partsOf(source, weight, settings, weight)
  const { zero } = parts
  if (zero !== undefined) checkShape(source, zero, parts.scale.shape)
  return derivedFrom(source, parts, settings, {
    codes: () => readFloat32(source, weight.name),
    zeros: async () => (zero === undefined ? undefined : readFloat32(source, zero.name)),
  })
}

/** The longest shape that is read from a file to know a tensor's size. */
const longestShape = 8

async function planPacked(source: TensorSource, packed: TensorInfo, settings: Compressed): Promise<Derived> {
  const name = packed.name.replace(/_packed$/, '')
  checkType(source, packed, ['I32', 'U32'])
  const [rows, words] = readMatrix(source, packed)
  const stated = findPart(source, `${name}_shape`, packed.name)
  checkType(source, stated, ['I32', 'I64'])
  if (elementCount(stated.shape) > longestShape) throw shapeFault(source, stated.name, stated.shape, [2])
  const [height, columns, ...more] = await readFloat32(source, stated.name)
  if (height !== rows || columns === undefined || !(columns > 0) || more.length > 0)
    throw shapeFault(source, stated.name, [height, columns, ...more], [rows, 'columns'])
  const bits = bitsOf(source, packed, columns, settings)
  const parts = partsOf(source, derivedInfo(name, 'I8', [rows, columns]), settings, packed, stated)
  const { zero, grid } = parts
  if (zero !== undefined) checkShape(source, zero, [wordsFor(rows, bits), grid.columns])
  // codes are stored from 0 on
  const offset = 2 ** (bits - 1)
  return derivedFrom(source, parts, settings, {
    async codes() {
      const from = await readWords(source, packed)
      const out = new Float32Array(rows * columns)
      for (let row = 0; row < rows; row++)
        unpackCodes(from, { bits, start: row * words, stride: 1 }, out.subarray(row * columns, (row + 1) * columns))
      return out.map((code) => code - offset)
    },
    async zeros() {
      if (zero === undefined) return undefined
      const from = await readWords(source, zero)
      const out = new Float32Array(rows * grid.columns)
      const column = new Float32Array(rows)
      for (let group = 0; group < grid.columns; group++) {
        unpackCodes(from, { bits, start: group, stride: grid.columns }, column)
        column.forEach((code, row) => (out[row * grid.columns + group] = code - offset))
      }
      return out
    },
  })
}

/** The width that fits: where groups have several, the shape shows it. Throws `tensor.shape`. */
function bitsOf(source: TensorSource, { name, shape }: TensorInfo, columns: number, { bits }: Compressed): number {
  const fitting = bits.filter((one) => wordsFor(columns, one) === shape[1])
  const [only] = fitting
  if (only !== undefined && fitting.length === 1) return only
  throw fault('tensor.shape', {
    place: `${source.name}: ${name}`,
    what:
      fitting.length === 0
        ? 'packed codes of no width that the config names'
        : 'packed codes that may have several widths',
    seen: shape,
    wanted: `${columns} columns of ${bits.join(' or ')} bits`,
  })
}

interface Parts {
  readonly weight: TensorInfo
  readonly scale: TensorInfo
  readonly zero: TensorInfo | undefined
  readonly order: TensorInfo | undefined
  readonly grid: Grid
  readonly stored: readonly TensorInfo[]
}

function partsOf(
  source: TensorSource,
  weight: TensorInfo,
  { block }: Compressed,
  ...stored: readonly TensorInfo[]
): Parts {
  const { name } = weight
  const scale = findPart(source, `${name}_scale`, stored[0]?.name ?? name)
  checkType(source, scale, scaleTypes)
  const global = source.info(`${name}_global_scale`)
  if (global !== undefined)
    throw fault('config.unsupported', {
      place: `${source.name}: ${global.name}`,
      what: 'scales of scales are not read',
    })
  const grid = gridFor(source, weight, scale, block)
  const order = source.info(`${name}_g_idx`)
  if (order !== undefined) checkShape(source, order, weight.shape.slice(-1))
  return { weight, scale, zero: source.info(`${name}_zero_point`), order, grid, stored }
}

interface Codes {
  readonly codes: () => Promise<Float32Array>
  readonly zeros: () => Promise<Float32Array | undefined>
}

async function derivedFrom(
  source: TensorSource,
  { weight, scale, zero, order, grid, stored }: Parts,
  { type }: Compressed,
  { codes, zeros }: Codes,
): Promise<Derived> {
  return {
    info: derivedInfo(weight.name, chooseType(type, scale.dtype), weight.shape),
    parts: [...stored, scale, zero, order].flatMap((part) => part?.name ?? []),
    async values() {
      const [values, scales, subtracted] = [await codes(), await readFloat32(source, scale.name), await zeros()]
      const groups = order === undefined ? undefined : await readGroups(source, order, grid)
      const scaled =
        groups === undefined
          ? scaleBlocks(values, weight.shape, grid, scales, subtracted)
          : scaleGroups(values, groups, { scales, zeros: subtracted, groups: grid.columns })
      return roundedTo(scaled, scale.dtype)
    },
  }
}

/** The group of each column; undefined where the columns are in order (−1). Throws `tensor.value`. */
async function readGroups(source: TensorSource, order: TensorInfo, grid: Grid): Promise<Float32Array | undefined> {
  if ((await readFloat32(source, order.name)).includes(-1)) return undefined
  const groups = await readIndexes(source, order, grid.columns)
  const counts = new Map<number, number>()
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1)
  if (counts.size === grid.columns && [...counts.values()].every((count) => count === grid.block[1])) return groups
  throw fault('tensor.value', {
    place: `${source.name}: ${order.name}`,
    what: 'groups must have the same number of columns',
    wanted: grid.block[1],
  })
}

/** As `scaleBlocks`, where columns of a group lie apart; a row of scales per row of values, or one for all. */
function scaleGroups(
  values: Float32Array,
  order: Float32Array,
  { scales, zeros, groups }: { scales: Float32Array; zeros: Float32Array | undefined; groups: number },
): Float32Array {
  const width = order.length
  for (let row = 0; row * width < values.length; row++) {
    const from = scales.length === groups ? 0 : row * groups
    for (let i = 0; i < width; i++) {
      const at = from + order[i]!
      values[row * width + i] = (values[row * width + i]! - (zeros?.[at] ?? 0)) * scales[at]!
    }
  }
  return values
}
