/** A tensor made of others while it is read, and what all methods need to make one. */
import { type Dtype, dtypeBytes, elementCount, fault, type TensorInfo, type TensorSource } from '#core'
import { narrow, readFloat32, widen } from '#files/formats'
import type { Block } from './quantisation.ts'

export interface Derived {
  readonly info: TensorInfo
  /** Stored tensors that it is made of; nobody else sees them. */
  readonly parts: readonly string[]
  /** In the order of `info.shape`, before they are rounded to its type. */
  readonly values: () => Promise<Float32Array>
}

export function derivedInfo(name: string, dtype: Dtype, shape: readonly number[]): TensorInfo {
  const byteLength = elementCount(shape) * dtypeBytes(dtype)
  return { name, dtype, shape, byteLength }
}

/** A part that a method cannot do without. Throws `tensor.missing`. */
export function findPart(source: TensorSource, name: string, of: string): TensorInfo {
  const info = source.info(name)
  if (info !== undefined) return info
  throw fault('tensor.missing', {
    place: `${source.name}: ${of}`,
    what: `quantised, but there is no ${name}`,
    hint: 'the checkpoint is incomplete, or its config names another method',
  })
}

/** Throws `tensor.shape` unless the shape is the one wanted. */
export function checkShape(source: TensorSource, { name, shape }: TensorInfo, wanted: readonly number[]): void {
  if (shape.length === wanted.length && shape.every((size, i) => size === wanted[i])) return
  throw shapeFault(source, name, shape, wanted)
}

export function shapeFault(source: TensorSource, name: string, seen: unknown, wanted: unknown): Error {
  return fault('tensor.shape', {
    place: `${source.name}: ${name}`,
    what: 'the shape does not fit the quantised weight',
    seen,
    wanted,
  })
}

/** Throws `tensor.dtype` unless the type is one of those wanted. */
export function checkType(source: TensorSource, { name, dtype }: TensorInfo, wanted: readonly Dtype[]): void {
  if (wanted.includes(dtype)) return
  throw fault('tensor.dtype', {
    place: `${source.name}: ${name}`,
    what: 'the type does not fit the quantised weight',
    seen: dtype,
    wanted: wanted.join(', '),
  })
}

export const scaleTypes: readonly Dtype[] = ['F16', 'BF16', 'F32']

/** The two sizes of a matrix. Throws `tensor.shape`. */
export function readMatrix(
  source: TensorSource,
  { name, shape }: TensorInfo,
): readonly [rows: number, columns: number] {
  const [rows, columns] = shape
  if (shape.length === 2 && rows !== undefined && columns !== undefined && rows > 0 && columns > 0)
    return [rows, columns]
  throw shapeFault(source, name, shape, 'a matrix')
}

/** Whole 32-bit numbers, as they are stored: codes are packed in them. */
export async function readWords(source: TensorSource, info: TensorInfo): Promise<Int32Array> {
  checkType(source, info, ['I32', 'U32'])
  const bytes = await source.read(info.name)
  const own = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  return new Int32Array(own.buffer as ArrayBuffer, own.byteOffset, own.byteLength / 4)
}

/** Indexes below `limit`; throws `tensor.value` for others. */
export async function readIndexes(source: TensorSource, info: TensorInfo, limit: number): Promise<Float32Array> {
  checkType(source, info, ['I32', 'I64'])
  const indexes = await readFloat32(source, info.name)
  const odd = indexes.find((index) => !(index >= 0 && index < limit))
  if (odd === undefined) return indexes
  throw fault('tensor.value', {
    place: `${source.name}: ${info.name}`,
    what: 'an index of a group that does not exist',
    seen: odd,
    wanted: `0 to ${limit - 1}`,
  })
}

/**
 * Codes that lie densely in 32-bit words, the first in the lowest bits, one that does not fit continued in the next
 * word. `stride`: distance from one word to the next. They go to `into`, the first to its beginning.
 */
export function unpackCodes(
  words: Int32Array,
  { bits, start, stride }: { readonly bits: number; readonly start: number; readonly stride: number },
  into: Int32Array | Float32Array,
): void {
  const mask = 2 ** bits - 1
  for (let i = 0; i < into.length; i++) {
    const bit = i * bits
    const [at, shift] = [start + (bit >>> 5) * stride, bit & 31]
    const low = words[at]! >>> shift
    into[i] = (shift + bits > 32 ? low | (words[at + stride]! << (32 - shift)) : low) & mask
  }
}

/** Number of words that these codes take. */
export function wordsFor(codes: number, bits: number): number {
  return Math.ceil((codes * bits) / 32)
}

/** Values rounded to a type, still as float32: arithmetic of the reference in that type rounds here. */
export function roundedTo(values: Float32Array, dtype: Dtype): Float32Array {
  return dtype === 'F32' ? values : widen(narrow(values, dtype), dtype)
}

/** Sizes of a grid of scales over the last two dimensions, and of the block that each scale stands for. */
export interface Grid {
  readonly rows: number
  readonly columns: number
  readonly block: Block
}

/**
 * The grid of a matrix, or of a stack of them: one scale, one per row, or one per block. Blocks of the given size may
 * be cut off at the edges; others divide the matrix. Throws `tensor.shape`.
 */
export function gridFor(source: TensorSource, weight: TensorInfo, scale: TensorInfo, block: Block | undefined): Grid {
  const [rows, columns] = weight.shape.slice(-2)
  if (weight.shape.length < 2 || rows === undefined || columns === undefined || rows === 0 || columns === 0)
    throw shapeFault(source, weight.name, weight.shape, 'a matrix')
  if (elementCount(scale.shape) === 1) return { rows: 1, columns: 1, block: [rows, columns] }
  const [down, across] = scale.shape.slice(-2)
  const stacked = weight.shape.slice(0, -2)
  const sameStack = scale.shape.length === weight.shape.length && stacked.every((size, i) => size === scale.shape[i])
  if (!sameStack || down === undefined || across === undefined || down === 0 || across === 0)
    throw shapeFault(
      source,
      scale.name,
      scale.shape,
      `a scale per row or block of ${weight.name} [${weight.shape.join(', ')}]`,
    )
  if (block !== undefined && down === Math.ceil(rows / block[0]) && across === Math.ceil(columns / block[1]))
    return { rows: down, columns: across, block }
  if (rows % down === 0 && columns % across === 0)
    return { rows: down, columns: across, block: [rows / down, columns / across] }
  throw shapeFault(source, scale.name, scale.shape, `blocks that divide ${weight.name} [${weight.shape.join(', ')}]`)
}

/** Every value times the scale of its block, in place; `zeros`, laid out as the scales, are subtracted first. */
export function scaleBlocks(
  values: Float32Array,
  shape: readonly number[],
  { rows, columns, block }: Grid,
  scales: Float32Array,
  zeros?: Float32Array,
): Float32Array {
  const [height = 1, width = 1] = shape.slice(-2)
  const stacked = scales.length === 1 ? 0 : rows * columns
  for (let row = 0; row * width < values.length; row++) {
    const grid = Math.floor(row / height) * stacked + Math.floor((row % height) / block[0]) * columns
    for (let from = 0, at = grid; from < width; from += block[1], at++) {
      const [scale, zero] = [scales[at]!, zeros?.[at] ?? 0]
      const end = row * width + Math.min(from + block[1], width)
      for (let i = row * width + from; i < end; i++) values[i] = (values[i]! - zero) * scale
    }
  }
  return values
}
