/**
 * Stored numbers ⇄ float32 and float64: widening is exact wherever the target can hold the value, every other step
 * rounds once, to nearest even.
 */
import { dtypeBytes, fault, type Dtype, type TensorSource } from '#core'
import { narrowBf16, widenBf16 } from './float-simd.ts'
import { decodeTable, encoder, isSmallFloat } from './small-floats.ts'
import { missingTensor } from './view-source.ts'

/**
 * Elements of little-endian bytes as float32; for F32 the result lies over the same memory when that is aligned. Other
 * types go into the beginning of `into` where that is given and holds them. Faults: `tensor.shape` if the length does
 * not fit.
 */
export function widen(bytes: Uint8Array, dtype: Dtype, into?: Float32Array): Float32Array {
  const source = wordsOver(bytes, dtype)
  if (source instanceof Float32Array) return source
  const out =
    into !== undefined && into.length >= source.length
      ? into.subarray(0, source.length)
      : new Float32Array(source.length)
  if (isSmallFloat(dtype)) {
    // Bits, not numbers: NaN payloads survive.
    const bits = new Int32Array(out.buffer, out.byteOffset, out.length)
    if (dtype === 'BF16') widenBf16(source as Uint16Array, bits)
    else widenByTable(source as Uint8Array | Uint16Array, decodeTable(dtype), bits)
  } else if (source instanceof BigInt64Array || source instanceof BigUint64Array) {
    for (let i = 0; i < out.length; i++) out[i] = stickyNumber(source[i]!)
  } else if (dtype === 'BOOL') {
    for (let i = 0; i < out.length; i++) out[i] = source[i] === 0 ? 0 : 1
  } else out.set(source)
  return out
}

// A function of its own, over arrays of one kind: this is what merging float16 spends its time in.
function widenByTable(source: Uint8Array | Uint16Array, table: Uint32Array, bits: Int32Array): void {
  for (let i = 0; i < source.length; i++) bits[i] = table[source[i]!]!
}

/** The same as float64: exact for every dtype but 64-bit integers beyond 2^53, which are rounded to nearest even. */
export function widen64(bytes: Uint8Array, dtype: Dtype): Float64Array {
  const source = wordsOver(bytes, dtype)
  if (source instanceof Float64Array) return source
  if (source instanceof BigInt64Array || source instanceof BigUint64Array)
    return Float64Array.from(source as BigInt64Array, Number)
  return new Float64Array(isSmallFloat(dtype) || dtype === 'BOOL' ? widen(bytes, dtype) : source)
}

/**
 * Float32 values as bytes of `dtype`, rounded to nearest even. Floats overflow to infinity (F8_E4M3: to NaN); integers
 * are clamped to their range;
 * BOOL is 1 for every value but 0. They go into the beginning of `into` where that is given and holds them. Faults:
 * `tensor.value` for NaN where the dtype has none.
 */
export function narrow(values: Float32Array, dtype: Dtype, into?: Uint8Array): Uint8Array {
  const length = values.length * dtypeBytes(dtype)
  const bytes = into !== undefined && into.length >= length ? into.subarray(0, length) : new Uint8Array(length)
  const out = wordsOver(bytes, dtype)
  if (dtype === 'BF16') {
    narrowBf16(new Int32Array(values.buffer, values.byteOffset, values.length), out as Uint16Array)
  } else if (isSmallFloat(dtype)) {
    const encode = encoder(dtype)
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
    for (let i = 0; i < bits.length; i++) (out as Uint16Array)[i] = encode(bits[i]!)
  } else if (dtype === 'F32') {
    // As bytes: moving a NaN as a number may lose its payload.
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
  } else if (dtype === 'F64') {
    ;(out as Float64Array).set(values)
  } else {
    const nan = values.findIndex(Number.isNaN)
    if (nan >= 0) throw fault('tensor.value', { place: `element ${nan}`, what: `NaN cannot be stored as ${dtype}` })
    if (dtype === 'BOOL') for (let i = 0; i < values.length; i++) out[i] = values[i] === 0 ? 0 : 1
    else narrowIntegers(values, out, dtype)
  }
  return bytes
}

/**
 * One tensor of a source as float32, row-major, whatever type it is stored in. Throws `tensor.missing`.
 *
 * @example
 * ```ts
 * import { openTensors, readFloat32 } from 'strata-lm/formats'
 *
 * const tensors = await openTensors('assets/golden/bert/model.safetensors')
 * const bias = await readFloat32(tensors, 'pooler.dense.bias')
 * console.log(bias.length) // → 48
 * await tensors.close()
 * ```
 */
export async function readFloat32(source: TensorSource, name: string): Promise<Float32Array> {
  const info = source.info(name)
  if (!info) throw missingTensor(source.name, name)
  return widen(await source.read(name), info.dtype)
}

const arrays = {
  BOOL: Uint8Array,
  U8: Uint8Array,
  I8: Int8Array,
  F8_E4M3: Uint8Array,
  F8_E5M2: Uint8Array,
  I16: Int16Array,
  U16: Uint16Array,
  F16: Uint16Array,
  BF16: Uint16Array,
  I32: Int32Array,
  U32: Uint32Array,
  F32: Float32Array,
  F64: Float64Array,
  I64: BigInt64Array,
  U64: BigUint64Array,
} as const

type Words = InstanceType<(typeof arrays)[Dtype]>

/** A typed array over the bytes, over a copy where they are not aligned. */
function wordsOver(bytes: Uint8Array, dtype: Dtype): Words {
  const size = dtypeBytes(dtype)
  if (bytes.byteLength % size !== 0) {
    throw fault('tensor.shape', {
      place: 'bytes',
      what: `length is not a multiple of the size of ${dtype}`,
      seen: bytes.byteLength,
      wanted: `a multiple of ${size}`,
    })
  }
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes)
  return new arrays[dtype](buffer as ArrayBuffer, byteOffset, byteLength / size)
}

/**
 * A double that rounds to float32 as the 64-bit integer itself would: bits lost here leave a trace in the last one kept
 * (rounding to odd).
 */
function stickyNumber(value: bigint): number {
  const magnitude = value < 0n ? -value : value
  if (magnitude < EXACT) return Number(value)
  const kept = (magnitude >> 12n) | ((magnitude & 0xfffn) === 0n ? 0n : 1n)
  return Number(value < 0n ? -kept : kept) * 4096
}

const EXACT = 2n ** 53n

function narrowIntegers(values: Float32Array, out: Words, dtype: Dtype): void {
  const bits = BigInt(dtypeBytes(dtype) * 8)
  const signed = dtype.startsWith('I')
  const least = signed ? -(2n ** (bits - 1n)) : 0n
  const most = 2n ** (signed ? bits - 1n : bits) - 1n
  for (let i = 0; i < values.length; i++) {
    const whole = roundEven(values[i]!)
    const end = whole < 0 ? least : most
    // Compared as bigint: 2^63 - 1 is no double.
    const clamped = Math.abs(whole) < 2 ** 70 ? min(max(BigInt(whole), least), most) : end
    out[i] = bits === 64n ? clamped : Number(clamped)
  }
}

function roundEven(value: number): number {
  const rounded = Math.round(value)
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
