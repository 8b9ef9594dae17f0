/**
 * Σ weight · row over rows of a table that stays in its stored type: WebAssembly widens some numbers of each row into
 * registers and adds them there. Sums are taken row after row, so that they have the bits of a plain loop; sums of int8
 * without weights are whole numbers, exact in any type.
 */
import {
  code,
  type Code,
  f32x4,
  f64x2,
  func,
  i16x8,
  i32,
  i32x4,
  i8x16,
  local,
  type Local,
  loop,
  sizedKernel,
  v128,
} from '#platform/wasm'

/** Stored type, and the type of the sums. `halves`: float16 as NumPy adds it up, in float32 and without weights. */
export type SumKind = 'int8' | 'weighted int8' | 'halves' | 'float16' | 'float32'

export interface SummedTable {
  /** The table, [rows × width] in its stored type, to be filled. */
  readonly bytes: Uint8Array
  /**
   * Σ weight · row of the first `count` entries, [width]; it stands until the next call. Row numbers are not checked.
   * Weights count for kinds in float64.
   */
  sum(entries: Entries, count: number): Float32Array | Float64Array | Int32Array
}

/** Row numbers and their weights. */
export interface Entries {
  readonly rows: Uint32Array
  readonly weights: Float64Array
}

/** Rows that one call of the kernel adds up; further ones are added to its sums. */
const listLength = 2048
/** Bytes before the table: addresses of rows, their weights, sums. */
const [weightsAt, sumsAt] = [4 * listLength, 12 * listLength]
/** Registers with sums: those of a block of numbers. */
const registers = 8
const blockBytes = 16 * registers

type Declare = (type?: 'i32' | 'v128') => Local

/** A stored type: four numbers of a row at a time, in the order of the row. */
interface Fours {
  readonly lanes: Local
  /** Sets `lanes` to numbers 4 i … 4 i + 3 of those that begin at an address. */
  readonly read: (at: Local, i: number) => Code
}

const int8 = (declare: Declare): Fours => {
  const [lanes, bytes, half] = [declare(), declare(), declare()]
  const quarters: readonly Code[] = [
    i32x4.extend_low_i16x8_s(local.tee(half, i16x8.extend_low_i8x16_s(bytes))),
    i32x4.extend_high_i16x8_s(half),
    i32x4.extend_low_i16x8_s(local.tee(half, i16x8.extend_high_i8x16_s(bytes))),
    i32x4.extend_high_i16x8_s(half),
  ]
  return {
    lanes,
    read: (at, i) =>
      code(i % 4 === 0 ? local.set(bytes, v128.load(at, 4 * i)) : [], local.set(lanes, quarters[i % 4] ?? [])),
  }
}

const float16 = (declare: Declare): Fours => {
  const [lanes, halves, magnitude] = [declare(), declare(), declare()]
  /** Four of eight float16, in the upper halves of lanes. */
  const spread = (from: number): Code =>
    i8x16.shuffle(
      i32x4.all(0),
      halves,
      ...[0, 1, 2, 3].flatMap((k) => [0, 1, 16 + 2 * (from + k), 17 + 2 * (from + k)]),
    )
  // exact, subnormal numbers and infinities included
  const [bias, least] = [i32x4.all(0x38000000), i32x4.all(0x38800000)]
  const infinite = v128.and(i32x4.gt_s(magnitude, i32x4.all(0x0f7fffff)), bias)
  const normal = i32x4.add(i32x4.add(magnitude, bias), infinite)
  const subnormal = f32x4.sub(i32x4.add(magnitude, least), least)
  const isSubnormal = i32x4.lt_u(magnitude, i32x4.all(0x00800000))
  const sign = v128.andnot(lanes, i32x4.all(0x7fffffff))
  return {
    lanes,
    read: (at, i) =>
      code(
        i % 2 === 0 ? local.set(halves, v128.load(at, 8 * i)) : [],
        local.set(lanes, spread(4 * (i % 2))),
        local.set(magnitude, i32x4.shr_u(v128.and(lanes, i32x4.all(0x7fff0000)), i32.const(3))),
        local.set(lanes, v128.or(v128.bitselect(subnormal, normal, isSubnormal), sign)),
      ),
  }
}

const float32 = (declare: Declare): Fours => {
  const lanes = declare()
  return { lanes, read: (at, i) => local.set(lanes, v128.load(at, 16 * i)) }
}

/** Code that adds the numbers at an address to the sums, in float64 times a weight that stands in both lanes. */
type Increase = (sums: readonly Local[], fours: Fours, row: Local, weight: Local) => readonly Code[]

const increase =
  (add: (a: Code, b: Code) => Code): Increase =>
  (sums, { lanes, read }, row) =>
    sums.flatMap((sum, i) => [read(row, i), local.set(sum, add(sum, lanes))])

const increaseDoubles =
  (toDouble: (vector: Code) => Code): Increase =>
  (sums, { lanes, read }, row, weight) =>
    sums.flatMap((sum, i) => {
      const upper = i % 2 === 1
      const numbers = toDouble(upper ? i32x4.shuffle(lanes, lanes, 2, 3, 2, 3) : lanes)
      return [upper ? [] : read(row, i / 2), local.set(sum, f64x2.add(sum, f64x2.mul(numbers, weight)))]
    })

/** Bytes of a stored number, the array of the sums. */
const kinds = {
  int8: { bytes: 1, Sums: Int32Array, fours: int8, increase: increase(i32x4.add) },
  'weighted int8': { bytes: 1, Sums: Float64Array, fours: int8, increase: increaseDoubles(f64x2.convert_low_i32x4_s) },
  halves: { bytes: 2, Sums: Float32Array, fours: float16, increase: increase(f32x4.add) },
  float16: { bytes: 2, Sums: Float64Array, fours: float16, increase: increaseDoubles(f64x2.promote_low_f32x4) },
  float32: { bytes: 4, Sums: Float64Array, fours: float32, increase: increaseDoubles(f64x2.promote_low_f32x4) },
} as const

/** A block of sums after the other, each over all rows of the list; `listEnd` and the step of rows in bytes. */
const sumBlocks = ({ fours, increase, bytes, Sums }: (typeof kinds)[SumKind]) =>
  func(['i32', 'i32', 'i32'], (declare, [sumAt, sumEnd, listEnd]) => {
    const [at, offset, row, weight] = [declare('i32'), declare('i32'), declare('i32'), declare()]
    const sums = Array.from({ length: registers }, () => declare())
    const numbers = fours(declare)
    const rowStep = (bytes * blockBytes) / Sums.BYTES_PER_ELEMENT
    return loop(
      sumAt,
      blockBytes,
      sumEnd,
      ...sums.map((sum, i) => local.set(sum, v128.load(sumAt, 16 * i))),
      local.set(at, i32.const(0)),
      loop(
        at,
        4,
        listEnd,
        local.set(row, i32.add(i32.load(at), offset)),
        local.set(weight, v128.load64_splat(i32.shl(at, i32.const(1)), weightsAt)),
        ...increase(sums, numbers, row, weight),
      ),
      ...sums.map((sum, i) => v128.store(sumAt, sum, 16 * i)),
      local.set(offset, i32.add(offset, i32.const(rowStep))),
    )
  })

const made = (kind: SumKind) => sizedKernel(() => ({ sum: sumBlocks(kinds[kind]) }))
const kernels = {
  int8: made('int8'),
  'weighted int8': made('weighted int8'),
  halves: made('halves'),
  float16: made('float16'),
  float32: made('float32'),
}

/** Memory for a table and its sums. Throws a RangeError above 4 GiB. */
export function summedTable(kind: SumKind, rows: number, width: number): SummedTable {
  const { bytes, Sums } = kinds[kind]
  const sumBytes = blockBytes * Math.ceil((width * Sums.BYTES_PER_ELEMENT) / blockBytes)
  const [tableAt, rowBytes] = [sumsAt + sumBytes, width * bytes]
  // blocks of the last row may reach beyond it
  const { memory, sum } = kernels[kind](tableAt + rows * rowBytes + blockBytes)
  const addresses = new Uint32Array(memory, 0, listLength)
  const weights = new Float64Array(memory, weightsAt, listLength)
  const sums = new Sums(memory, sumsAt, width)
  const allSums = new Uint8Array(memory, sumsAt, sumBytes)
  return {
    bytes: new Uint8Array(memory, tableAt, rows * rowBytes),
    sum(entries, count) {
      allSums.fill(0)
      for (let from = 0; from < count; from += listLength) {
        const length = Math.min(listLength, count - from)
        for (let i = 0; i < length; i++) {
          addresses[i] = tableAt + (entries.rows[from + i] ?? 0) * rowBytes
          weights[i] = entries.weights[from + i] ?? 0
        }
        sum(sumsAt, sumsAt + sumBytes, 4 * length)
      }
      return sums
    },
  }
}
