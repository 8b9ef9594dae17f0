/** A tensor as a view of bytes: offset and strides over a region, row-major once it is read. */
import { dtypeBytes, fault, type Dtype, type TensorInfo } from '#core'
import { MAX_EXPANDED_BYTES, MAX_RANK } from './limits.ts'

/** Bytes that views share: a span of the file, an inflated zip entry, a value made while reading. */
export interface Region {
  readonly byteLength: number
  /** Where the bytes begin in the file, if they lie there as they are. */
  readonly offset: number | undefined
  /** Bytes from start to end, in a buffer of their own. */
  load(start: number, end: number): Promise<Uint8Array>
}

export interface TensorView {
  readonly info: TensorInfo
  readonly region: Region
  /** Offset of the first element, in elements. */
  readonly start: number
  /** In elements; undefined: contiguous row-major. */
  readonly strides: readonly number[] | undefined
  /** The stored bytes are big-endian. */
  readonly bigEndian: boolean
}

export interface ViewParts {
  name: string
  dtype: Dtype
  shape: readonly number[]
  region: Region
  start?: number
  strides?: readonly number[]
  bigEndian?: boolean
}

/**
 * A view whose every element is known to lie inside its region.
 * Faults: `tensor.shape` (sizes, strides or offset that are no counts, or reach past the region), `format.limit` (rank,
 * expanded size).
 */
export function tensorView(
  { name, dtype, shape, region, start = 0, strides, bigEndian = false }: ViewParts,
  place: string,
): TensorView {
  const where = `${place}: ${name}`
  const size = dtypeBytes(dtype)
  if (shape.length > MAX_RANK)
    throw fault('format.limit', {
      place: where,
      what: 'too many dimensions',
      seen: shape.length,
      wanted: `at most ${MAX_RANK}`,
    })
  if (
    ![...shape, start, ...(strides ?? [])].every(isCount) ||
    (strides !== undefined && strides.length !== shape.length)
  ) {
    throw fault('tensor.shape', {
      place: where,
      what: 'shape, strides and offset must be counts',
      seen: { shape, strides, start },
    })
  }
  const count = product(shape)
  const last = count === 0n ? BigInt(start) - 1n : lastElement(shape, strides ?? rowMajor(shape), start)
  if ((last + 1n) * BigInt(size) > BigInt(region.byteLength)) {
    throw fault('tensor.shape', {
      place: where,
      what: 'tensor reaches past its stored bytes',
      seen: `${(last + 1n) * BigInt(size)} bytes`,
      wanted: `at most ${region.byteLength}`,
    })
  }
  // Without stride 0 the count is bounded by the region; with it, memory would not be bounded by the file.
  const byteLength = count * BigInt(size)
  if (byteLength > BigInt(Math.max(region.byteLength, MAX_EXPANDED_BYTES))) {
    throw fault('format.limit', {
      place: where,
      what: 'expanded view is too large',
      seen: `${byteLength} bytes`,
      wanted: `at most ${MAX_EXPANDED_BYTES}`,
    })
  }
  const info = { name, dtype, shape: [...shape], byteLength: Number(byteLength) }
  return { info, region, start, strides: strides && isRowMajor(shape, strides) ? undefined : strides, bigEndian }
}

/** File offset of the view's bytes, if they lie there contiguous and little-endian. */
export function viewOffset({ region, start, strides, bigEndian, info }: TensorView): number | undefined {
  const size = dtypeBytes(info.dtype)
  if (region.offset === undefined || strides !== undefined || (bigEndian && size > 1)) return undefined
  return region.offset + start * size
}

/** Contiguous row-major little-endian bytes. */
export async function readView({ region, start, strides, bigEndian, info }: TensorView): Promise<Uint8Array> {
  const size = dtypeBytes(info.dtype)
  if (info.byteLength === 0) return new Uint8Array(0)
  const last = strides ? Number(lastElement(info.shape, strides, start)) : start + info.byteLength / size - 1
  const stored = await region.load(start * size, (last + 1) * size)
  const bytes = strides ? gather(stored, info, strides, size) : stored
  return bigEndian ? swapBytes(bytes, size) : bytes
}

/** Element strides of a contiguous tensor, first dimension outermost. */
export function rowMajor(shape: readonly number[]): number[] {
  const strides = Array.from(shape, () => 1)
  for (let i = shape.length - 2; i >= 0; i--) strides[i] = strides[i + 1]! * shape[i + 1]!
  return strides
}

/** Element strides of a contiguous tensor, first dimension innermost (Fortran). */
export function columnMajor(shape: readonly number[]): number[] {
  const strides = Array.from(shape, () => 1)
  for (let i = 1; i < shape.length; i++) strides[i] = strides[i - 1]! * shape[i - 1]!
  return strides
}

function isRowMajor(shape: readonly number[], strides: readonly number[]): boolean {
  const wanted = rowMajor(shape)
  return shape.includes(0) || shape.every((size, i) => size === 1 || strides[i] === wanted[i])
}

function lastElement(shape: readonly number[], strides: readonly number[], start: number): bigint {
  return shape.reduce((sum, size, i) => sum + BigInt(size - 1) * BigInt(strides[i]!), BigInt(start))
}

function product(shape: readonly number[]): bigint {
  return shape.reduce((total, size) => total * BigInt(size), 1n)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** Elements of a strided view in row-major order; `stored` begins at the view's first element. */
function gather(
  stored: Uint8Array,
  { shape, byteLength }: TensorInfo,
  strides: readonly number[],
  size: number,
): Uint8Array {
  const out = new Uint8Array(byteLength)
  const [from, to] = [wordsOf(stored, size), wordsOf(out, size)]
  const inner = shape.at(-1)!
  const step = strides.at(-1)!
  const index = shape.slice(0, -1).map(() => 0)
  let base = 0
  for (let at = 0; at < to.length; at += inner) {
    for (let i = 0; i < inner; i++) to[at + i] = from[base + i * step]!
    for (let axis = index.length - 1; axis >= 0; axis--) {
      base += strides[axis]!
      if (++index[axis]! < shape[axis]!) break
      base -= strides[axis]! * shape[axis]!
      index[axis] = 0
    }
  }
  return out
}

/** Integers as wide as the elements: moving them keeps every bit, NaN payloads included. */
function wordsOf({ buffer, byteOffset, byteLength }: Uint8Array, size: number): Uint32Array {
  const kinds = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array }
  const words = new kinds[size as keyof typeof kinds](buffer as ArrayBuffer, byteOffset, byteLength / size)
  // One loop serves all widths: elements are only copied from one such array to another.
  return words as unknown as Uint32Array
}

function swapBytes(bytes: Uint8Array, size: number): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (size === 2) buffer.swap16()
  else if (size === 4) buffer.swap32()
  else if (size === 8) buffer.swap64()
  return bytes
}
