/**
 * Blocks of ggml's quantised types as values. Layouts are those of ggml-quants.c; arithmetic rounds to
 * float32 where `gguf.quants.dequantize` (gguf-py) does, so that results are the same to the last bit.
 */
import { decodeTable } from './small-floats.ts'

/** A block's bytes begin at `at`, its values at `to`. */
type Decode = (bytes: Uint8Array, at: number, out: Float32Array, to: number) => void

export interface BlockType {
  readonly name: string
  /** Values of a block, and the bytes they take. */
  readonly values: number
  readonly bytes: number
  readonly decode: Decode
}

const { fround } = Math
const halfBits = new Uint32Array(1)
const halfValue = new Float32Array(halfBits.buffer)

/** The float16 at an offset. */
function half(bytes: Uint8Array, at: number): number {
  halfBits[0] = decodeTable('F16')[bytes[at]! | (bytes[at + 1]! << 8)]!
  return halfValue[0]!
}

function signed(byte: number): number {
  return (byte << 24) >> 24
}

/** 32 values: the lower halves of 16 bytes, then the upper ones. */
function nibbles(
  of: (code: number, index: number) => number,
  bytes: Uint8Array,
  at: number,
  out: Float32Array,
  to: number,
): void {
  for (let i = 0; i < 16; i++) {
    const byte = bytes[at + i]!
    out[to + i] = of(byte & 15, i)
    out[to + i + 16] = of(byte >>> 4, i + 16)
  }
}

const q4_0: Decode = (bytes, at, out, to) => {
  const d = half(bytes, at)
  nibbles((code) => d * (code - 8), bytes, at + 2, out, to)
}

const q4_1: Decode = (bytes, at, out, to) => {
  const [d, m] = [half(bytes, at), half(bytes, at + 2)]
  nibbles((code) => fround(d * code) + m, bytes, at + 4, out, to)
}

/** The fifth bit of value i is bit i of four bytes. */
function fifth(bytes: Uint8Array, at: number, i: number): number {
  return ((bytes[at + (i >>> 3)]! >>> (i & 7)) & 1) << 4
}

const q5_0: Decode = (bytes, at, out, to) => {
  const d = half(bytes, at)
  nibbles((code, i) => d * ((code | fifth(bytes, at + 2, i)) - 16), bytes, at + 6, out, to)
}

const q5_1: Decode = (bytes, at, out, to) => {
  const [d, m] = [half(bytes, at), half(bytes, at + 2)]
  nibbles((code, i) => fround(d * (code | fifth(bytes, at + 4, i))) + m, bytes, at + 8, out, to)
}

const q8_0: Decode = (bytes, at, out, to) => {
  const d = half(bytes, at)
  for (let i = 0; i < 32; i++) out[to + i] = d * signed(bytes[at + 2 + i]!)
}

/** Two bits per value: four rounds over 32 bytes, twice. */
function twoBits(bytes: Uint8Array, at: number, i: number): number {
  return (bytes[at + (i >>> 7) * 32 + (i & 31)]! >>> (((i >>> 5) & 3) * 2)) & 3
}

const q2_k: Decode = (bytes, at, out, to) => {
  const [d, dmin] = [half(bytes, at + 80), half(bytes, at + 82)]
  for (let i = 0; i < 256; i++) {
    const scale = bytes[at + (i >>> 4)]!
    out[to + i] = fround(fround(d * (scale & 15)) * twoBits(bytes, at + 16, i)) - fround(dmin * (scale >>> 4))
  }
}

/** Scale i of 16, six bits: the lower four in 8 bytes, the upper two in 4. */
function q3Scale(bytes: Uint8Array, at: number, i: number): number {
  const low = (bytes[at + (i & 7)]! >>> (i < 8 ? 0 : 4)) & 15
  const high = (bytes[at + 8 + (i & 3)]! >>> ((i >>> 2) * 2)) & 3
  return (low | (high << 4)) - 32
}

const q3_k: Decode = (bytes, at, out, to) => {
  const d = half(bytes, at + 108)
  for (let i = 0; i < 256; i++) {
    const scale = fround(d * q3Scale(bytes, at + 96, i >>> 4))
    const isHigh = (bytes[at + (i & 31)]! >>> (i >>> 5)) & 1
    out[to + i] = scale * (twoBits(bytes, at + 32, i) - (isHigh === 1 ? 0 : 4))
  }
}

/** Scale and minimum i of 8, six bits each, in 12 bytes. */
function scaleAndMin(bytes: Uint8Array, at: number, i: number): readonly [scale: number, min: number] {
  if (i < 4) return [bytes[at + i]! & 63, bytes[at + i + 4]! & 63]
  const both = bytes[at + i + 4]!
  return [(both & 15) | ((bytes[at + i - 4]! >>> 6) << 4), (both >>> 4) | ((bytes[at + i]! >>> 6) << 4)]
}

/** Eight groups of 32 values: halves of 32 bytes each, the lower ones first. */
function groupsOf32(
  bytes: Uint8Array,
  at: number,
  { codes, upper }: { readonly codes: number; readonly upper: (i: number) => number },
  out: Float32Array,
  to: number,
): void {
  const [d, dmin] = [half(bytes, at), half(bytes, at + 2)]
  for (let group = 0; group < 8; group++) {
    const [scale, min] = scaleAndMin(bytes, at + 4, group)
    const [factor, offset] = [fround(d * scale), fround(dmin * min)]
    for (let i = group * 32; i < group * 32 + 32; i++) {
      const code = (bytes[codes + (i >>> 6) * 32 + (i & 31)]! >>> ((group & 1) * 4)) & 15
      out[to + i] = fround(factor * (code | upper(i))) - offset
    }
  }
}

const q4_k: Decode = (bytes, at, out, to) => groupsOf32(bytes, at, { codes: at + 16, upper: () => 0 }, out, to)

const q5_k: Decode = (bytes, at, out, to) =>
  groupsOf32(
    bytes,
    at,
    { codes: at + 48, upper: (i) => ((bytes[at + 16 + (i & 31)]! >>> (i >>> 5)) & 1) << 4 },
    out,
    to,
  )

const q6_k: Decode = (bytes, at, out, to) => {
  const d = half(bytes, at + 208)
  for (let i = 0; i < 256; i++) {
    const [part, within] = [i >>> 7, i & 127]
    const low = (bytes[at + part * 64 + (within & 63)]! >>> (within < 64 ? 0 : 4)) & 15
    const high = (bytes[at + 128 + part * 32 + (i & 31)]! >>> ((within >>> 5) * 2)) & 3
    out[to + i] = fround(d * signed(bytes[at + 192 + (i >>> 4)]!)) * ((low | (high << 4)) - 32)
  }
}

/** The levels of a 4-bit code, ggml's `kvalues_iq4nl`. */
const levels = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113]

const iq4_nl: Decode = (bytes, at, out, to) => {
  const d = half(bytes, at)
  nibbles((code) => d * levels[code]!, bytes, at + 2, out, to)
}

const iq4_xs: Decode = (bytes, at, out, to) => {
  const d = half(bytes, at)
  const upper = bytes[at + 2]! | (bytes[at + 3]! << 8)
  for (let group = 0; group < 8; group++) {
    const low = (bytes[at + 4 + (group >>> 1)]! >>> ((group & 1) * 4)) & 15
    const factor = fround(d * ((low | (((upper >>> (2 * group)) & 3) << 4)) - 32))
    nibbles((code) => factor * levels[code]!, bytes, at + 8 + group * 16, out, to + group * 32)
  }
}

/** Twice the values of E2M1. */
const doubled = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12]

const mxfp4: Decode = (bytes, at, out, to) => {
  const d = 2 ** (bytes[at]! - 128)
  nibbles((code) => d * doubled[code]!, bytes, at + 1, out, to)
}

const ternary: Decode = (bytes, at, out, to) => {
  const d = half(bytes, at + 64)
  for (let i = 0; i < 256; i++) out[to + i] = d * (twoBits(bytes, at, i) - 1)
}

/** By ggml's number of the type (`enum ggml_type`). */
export const blockTypes: ReadonlyMap<number, BlockType> = new Map([
  [2, { name: 'Q4_0', values: 32, bytes: 18, decode: q4_0 }],
  [3, { name: 'Q4_1', values: 32, bytes: 20, decode: q4_1 }],
  [6, { name: 'Q5_0', values: 32, bytes: 22, decode: q5_0 }],
  [7, { name: 'Q5_1', values: 32, bytes: 24, decode: q5_1 }],
  [8, { name: 'Q8_0', values: 32, bytes: 34, decode: q8_0 }],
  [10, { name: 'Q2_K', values: 256, bytes: 84, decode: q2_k }],
  [11, { name: 'Q3_K', values: 256, bytes: 110, decode: q3_k }],
  [12, { name: 'Q4_K', values: 256, bytes: 144, decode: q4_k }],
  [13, { name: 'Q5_K', values: 256, bytes: 176, decode: q5_k }],
  [14, { name: 'Q6_K', values: 256, bytes: 210, decode: q6_k }],
  [20, { name: 'IQ4_NL', values: 32, bytes: 18, decode: iq4_nl }],
  [23, { name: 'IQ4_XS', values: 256, bytes: 136, decode: iq4_xs }],
  [35, { name: 'TQ2_0', values: 256, bytes: 66, decode: ternary }],
  [39, { name: 'MXFP4', values: 32, bytes: 17, decode: mxfp4 }],
])

/** Names of types whose blocks are not read, for messages. */
export const otherTypes: ReadonlyMap<number, string> = new Map([
  [9, 'Q8_1'],
  [15, 'Q8_K'],
  [16, 'IQ2_XXS'],
  [17, 'IQ2_XS'],
  [18, 'IQ3_XXS'],
  [19, 'IQ1_S'],
  [21, 'IQ3_S'],
  [22, 'IQ2_S'],
  [29, 'IQ1_M'],
  [34, 'TQ1_0'],
  [40, 'NVFP4'],
])

/** Whole blocks as values. */
export function decodeBlocks({ values, bytes: size, decode }: BlockType, bytes: Uint8Array): Float32Array {
  const count = bytes.length / size
  const out = new Float32Array(count * values)
  for (let block = 0; block < count; block++) decode(bytes, block * size, out, block * values)
  return out
}
