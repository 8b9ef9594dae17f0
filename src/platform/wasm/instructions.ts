/**
 * WebAssembly's instructions by the names of its text format, those that are in use. Each takes the code of its
 * operands, as the text format folds them: `f64x2.add(a, b)` is a, then b, then the opcode.
 * https://webassembly.github.io/spec/core/binary/instructions.html
 */
export type Code = readonly number[]
/** A parameter or a local variable; as an operand it stands for its value. */
export type Local = readonly [get: number, index: number]

type Unary = (a: Code) => Code
type Binary = (a: Code, b: Code) => Code
type Load = (address: Code, offset?: number) => Code
type Store = (address: Code, value: Code, offset?: number) => Code

const unary =
  (...opcode: Code): Unary =>
  (a) => [...a, ...opcode]
const binary =
  (...opcode: Code): Binary =>
  (a, b) => [...a, ...b, ...opcode]
/** Addresses are aligned as they happen to be: the hint is 1 byte. */
const load =
  (...opcode: Code): Load =>
  (address, offset = 0) => [...address, ...opcode, 0, ...unsigned(offset)]
const store =
  (...opcode: Code): Store =>
  (address, value, offset = 0) => [...address, ...value, ...opcode, 0, ...unsigned(offset)]
/** Vector instructions have a prefix. */
const simd = (opcode: number): Code => [0xfd, ...unsigned(opcode)]

/** One instruction after the other. */
export const code = (...parts: readonly Code[]): Code => parts.flat()

export const local = {
  /** Read by its mere name. */
  at: (index: number): Local => [0x20, index],
  set: ([, index]: Local, value: Code): Code => [...value, 0x21, index],
  tee: ([, index]: Local, value: Code): Code => [...value, 0x22, index],
}

/** Repeats `body` while `condition`, which is asked after it, is not 0. */
export const doWhile = (condition: Code, ...body: readonly Code[]): Code => [
  0x03,
  0x40,
  ...body.flat(),
  ...condition,
  0x0d,
  0,
  0x0b,
]
/** `body` for `counter`, raised by `step`, while it is below `end`. Runs once at least. */
export const loop = (counter: Local, step: number, end: Local, ...body: readonly Code[]): Code =>
  doWhile(i32.lt_u(local.tee(counter, i32.add(counter, i32.const(step))), end), ...body)
/** `body` where `condition` is not 0. */
export const when = (condition: Code, ...body: readonly Code[]): Code => [
  ...condition,
  0x04,
  0x40,
  ...body.flat(),
  0x0b,
]

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  load: load(0x28),
  load8_u: load(0x2d),
  load16_u: load(0x2f),
  store: store(0x36),
  store8: store(0x3a),
  store16: store(0x3b),
  lt_u: binary(0x49),
  add: binary(0x6a),
  sub: binary(0x6b),
  and: binary(0x71),
  or: binary(0x72),
  shl: binary(0x74),
  shr_u: binary(0x76),
}

export const v128 = {
  load: load(...simd(0x00)),
  /** 32 bits in all four lanes. */
  load32_splat: load(...simd(0x09)),
  /** 64 bits in both lanes. */
  load64_splat: load(...simd(0x0a)),
  store: store(...simd(0x0b)),
  /** One lane of 64 bits or two of 32; the others are 0. */
  load64_zero: load(...simd(0x5d)),
  load64_lane: (address: Code, vector: Code, lane: number, offset = 0): Code => [
    ...address,
    ...vector,
    ...simd(0x57),
    0,
    ...unsigned(offset),
    lane,
  ],
  store64_lane: (address: Code, vector: Code, lane: number, offset = 0): Code => [
    ...address,
    ...vector,
    ...simd(0x5b),
    0,
    ...unsigned(offset),
    lane,
  ],
  not: unary(...simd(0x4d)),
  and: binary(...simd(0x4e)),
  andnot: binary(...simd(0x4f)),
  or: binary(...simd(0x50)),
  xor: binary(...simd(0x51)),
  bitselect: (a: Code, b: Code, mask: Code): Code => [...a, ...b, ...mask, ...simd(0x52)],
  any_true: unary(...simd(0x53)),
}

/** A vector from the bytes of its lanes. */
const constant = (lanes: Uint32Array | BigUint64Array | Float64Array): Code => [
  ...simd(0x0c),
  ...new Uint8Array(lanes.buffer),
]
/** Lanes of `width` bytes out of those of two vectors, a's before b's. */
const shuffle =
  (width: number) =>
  (a: Code, b: Code, ...lanes: readonly number[]): Code => [
    ...a,
    ...b,
    ...simd(0x0d),
    ...lanes.flatMap((lane) => Array.from({ length: width }, (_, byte) => width * lane + byte)),
  ]

export const i8x16 = {
  shuffle: shuffle(1),
  bitmask: unary(...simd(0x64)),
  narrow_i16x8_s: binary(...simd(0x65)),
}

export const i16x8 = {
  shuffle: shuffle(2),
  narrow_i32x4_s: binary(...simd(0x85)),
  extend_low_i8x16_s: unary(...simd(0x87)),
  extend_high_i8x16_s: unary(...simd(0x88)),
}

export const i32x4 = {
  const: (a: number, b: number, c: number, d: number): Code => constant(Uint32Array.of(a, b, c, d)),
  /** One constant in all lanes. */
  all: (value: number): Code => i32x4.const(value, value, value, value),
  splat: unary(...simd(0x11)),
  extract_lane: (vector: Code, lane: number): Code => [...vector, ...simd(0x1b), lane],
  shuffle: shuffle(4),
  eq: binary(...simd(0x37)),
  lt_u: binary(...simd(0x3a)),
  gt_s: binary(...simd(0x3b)),
  bitmask: unary(...simd(0xa4)),
  extend_low_i16x8_s: unary(...simd(0xa7)),
  extend_high_i16x8_s: unary(...simd(0xa8)),
  shl: binary(...simd(0xab)),
  shr_u: binary(...simd(0xad)),
  add: binary(...simd(0xae)),
  sub: binary(...simd(0xb1)),
  min_u: binary(...simd(0xb7)),
  max_s: binary(...simd(0xb8)),
}

export const i64x2 = {
  const: (a: bigint, b: bigint): Code => constant(BigUint64Array.of(a, b)),
  extend_low_i32x4_s: unary(...simd(0xc7)),
  shl: binary(...simd(0xcb)),
  shr_s: binary(...simd(0xcc)),
  extmul_low_i32x4_u: binary(...simd(0xde)),
  extmul_high_i32x4_u: binary(...simd(0xdf)),
}

export const f32x4 = {
  /** One constant in all lanes. */
  all: (value: number): Code => constant(new Uint32Array(Float32Array.of(value, value, value, value).buffer)),
  /** Two float64 lanes; the others are 0. */
  demote_f64x2_zero: unary(...simd(0x5e)),
  gt: binary(...simd(0x44)),
  ge: binary(...simd(0x46)),
  floor: unary(...simd(0x68)),
  sqrt: unary(...simd(0xe3)),
  add: binary(...simd(0xe4)),
  sub: binary(...simd(0xe5)),
  mul: binary(...simd(0xe6)),
  div: binary(...simd(0xe7)),
  /** NaN where either is NaN. */
  max: binary(...simd(0xe9)),
  /** b < a ? b : a */
  pmin: binary(...simd(0xea)),
  /** a < b ? b : a */
  pmax: binary(...simd(0xeb)),
}

export const f64x2 = {
  /** One constant in both lanes. */
  all: (value: number): Code => constant(Float64Array.of(value, value)),
  splat: unary(...simd(0x14)),
  eq: binary(...simd(0x47)),
  ne: binary(...simd(0x48)),
  lt: binary(...simd(0x49)),
  gt: binary(...simd(0x4a)),
  le: binary(...simd(0x4b)),
  ge: binary(...simd(0x4c)),
  promote_low_f32x4: unary(...simd(0x5f)),
  convert_low_i32x4_s: unary(...simd(0xfe)),
  trunc: unary(...simd(0x7a)),
  abs: unary(...simd(0xec)),
  neg: unary(...simd(0xed)),
  add: binary(...simd(0xf0)),
  sub: binary(...simd(0xf1)),
  mul: binary(...simd(0xf2)),
  div: binary(...simd(0xf3)),
  min: binary(...simd(0xf4)),
  max: binary(...simd(0xf5)),
  /** a < b ? b : a */
  pmax: binary(...simd(0xf7)),
}

/** LEB128: seven bits a byte, the lowest first, the upper bit set where more follow. */
export function unsigned(value: number): Code {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest & 127) | 128)
  }
}

function signed(value: number): Code {
  const bytes: number[] = []
  for (let rest = value | 0; ; rest >>= 7) {
    if (rest >= -64 && rest < 64) return [...bytes, rest & 127]
    bytes.push((rest & 127) | 128)
  }
}
