/** The loops of `delta-loops.ts` for float32 tensors, two elements at a time in WebAssembly: the same steps, the same bits. One workspace serves all kernels of a thread, one stretch after the other. */
import {
  code,
  get,
  i32Add,
  i32HalfOf,
  instantiate,
  load,
  loadHalf,
  loop,
  simd,
  store,
  storeHalf,
  type ValueType,
  type WasmFunction,
  type WasmMemory,
  words,
} from '#platform/wasm'
import type { Lane } from './delta-loops.ts'

/** Elements of a usual stretch, those that one can have at most – a long row –, and inputs that fit. */
export const simdStretch = 2 ** 11
export const simdLongest = 2 ** 15
export const simdInputs = 16

export interface DeltaSimd {
  readonly base: Float32Array
  readonly input: Float32Array
  readonly out: Float32Array
  readonly keys: Uint32Array
  readonly total: Lane
  readonly sum: Float64Array
  readonly divisor: Lane
  readonly deltas: readonly Lane[]
  /** Keys of |input − base|. */
  readonly differenceKeys: (length: number) => void
  /** delta ← input − base */
  readonly differences: (k: number, length: number) => void
  readonly weigh: (k: number, weight: number, scale: number, length: number) => void
  readonly accumulate: (k: number, factor: number, length: number) => void
  readonly agreeing: (k: number, factor: number, weight: number, length: number) => void
  readonly addToBase: (lambda: number, length: number) => void
  readonly addToBaseDivided: (lambda: number, length: number) => void
}

interface Functions {
  readonly keys: (from: number, end: number) => void
  readonly differences: (from: number, end: number, lane: number) => void
  readonly weigh: (from: number, end: number, lane: number, factor: number, weight: number, scale: number) => void
  readonly accumulate: (from: number, end: number, lane: number, factor: number) => void
  readonly agreeing: (from: number, end: number, lane: number, factor: number, weight: number) => void
  readonly toBase: (from: number, end: number, lambda: number) => void
  readonly divided: (from: number, end: number, lambda: number) => void
}

const [narrow, wide] = [4 * simdLongest, 8 * simdLongest]
const [baseAt, inputAt, outAt, keysAt] = [0, narrow, 2 * narrow, 3 * narrow]
const [totalAt, sumAt, divisorAt, deltasAt] = [4 * narrow, 4 * narrow + wide, 4 * narrow + 2 * wide, 4 * narrow + 3 * wide]

// Parameters by number: byte offset and its end, then a lane's address, then float64 numbers.
const [at, end, third, fourth, fifth, sixth] = [0, 1, 2, 3, 4, 5]
const splat = simd(0x14)
const [and, andNot, xor] = [simd(0x4e), simd(0x4f), simd(0x51)]
const [add, subtract, multiply, divide] = [simd(0xf0), simd(0xf1), simd(0xf2), simd(0xf3)]
const [equal, unequal] = [simd(0x47), simd(0x48)]
const [narrowAdd, narrowSubtract, narrowMultiply, widen, narrowed] = [simd(0xe4), simd(0xe5), simd(0xe6), simd(0x5f), simd(0x5e)]
const zero = words(0, 0, 0, 0)
const one = words(0, 0x3ff00000, 0, 0x3ff00000)
/** All bits where the sign bit is set. */
const signMask = code([0x41, 63], simd(0xcc))
const inLane = code(get(third), get(at), i32Add)
/** Two float32 values at half the offset, as float64. */
const pair = (region: number) => code(get(at), i32HalfOf, loadHalf(region), widen)

const pairs = (name: keyof Functions, parameters: readonly ValueType[], locals: readonly ValueType[], body: readonly number[]): WasmFunction => ({
  name,
  parameters: ['i32', 'i32', ...parameters],
  locals,
  body: loop(at, 16, end, body),
})

const functions = [
  pairs(
    'keys',
    [],
    [],
    code(get(at), get(at), load(inputAt), get(at), load(baseAt), narrowSubtract, words(0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff), and, store(keysAt)),
  ),
  pairs('differences', ['i32'], [], code(inLane, pair(inputAt), pair(baseAt), subtract, store())),
  pairs(
    'weigh',
    ['i32', 'f64', 'f64', 'f64'],
    ['v128'],
    code(
      // the vote in float32, the change in float64
      code(inLane, load(), [0x21, 6], get(at), get(at), load(totalAt), narrowed, get(6), narrowed),
      code(get(sixth), splat, narrowed, narrowMultiply, get(fifth), splat, narrowed, narrowMultiply, narrowAdd, widen, store(totalAt)),
      code(inLane, get(6), get(fourth), splat, multiply, store()),
    ),
  ),
  pairs('accumulate', ['i32', 'f64'], [], code(get(at), get(at), load(sumAt), inLane, load(), get(fourth), splat, multiply, add, store(sumAt))),
  pairs(
    'agreeing',
    ['i32', 'f64', 'f64'],
    ['v128', 'v128'],
    code(
      // agrees: 1 where the value is not 0 and its sign is the total's, else 0
      code(inLane, load(), [0x22, 5], zero, unequal, get(5), get(at), load(totalAt), xor, signMask, andNot, one, and, [0x21, 6]),
      code(get(at), get(at), load(sumAt), get(5), get(fourth), splat, get(6), multiply, multiply, add, store(sumAt)),
      code(get(at), get(at), load(divisorAt), get(fifth), splat, get(6), multiply, add, store(divisorAt)),
    ),
  ),
  pairs('toBase', ['f64'], [], code(get(at), i32HalfOf, pair(baseAt), get(third), splat, get(at), load(sumAt), multiply, add, narrowed, storeHalf(outAt))),
  pairs(
    'divided',
    ['f64'],
    ['v128'],
    code(
      code(get(at), load(divisorAt), [0x21, 3], get(at), i32HalfOf, pair(baseAt)),
      code(get(third), splat, get(at), load(sumAt), multiply, get(3), get(3), zero, equal, one, and, add, divide, add, narrowed, storeHalf(outAt)),
    ),
  ),
]

let made: DeltaSimd | undefined

export function deltaSimd(): DeltaSimd {
  if (made !== undefined) return made
  const run = instantiate(functions, Math.ceil((deltasAt + simdInputs * wide) / 65536)) as WasmMemory & Functions
  const floats = (from: number): Float32Array => new Float32Array(run.memory.buffer, from, simdLongest)
  const lane = (from: number): Lane => ({
    values: new Float64Array(run.memory.buffer, from, simdLongest),
    halves: new Int32Array(run.memory.buffer, from, 2 * simdLongest),
  })
  const of = (k: number): number => deltasAt + k * wide
  const total = lane(totalAt)
  const [sum, divisor] = [lane(sumAt).values, lane(divisorAt)]
  made = {
    base: floats(baseAt),
    input: floats(inputAt),
    out: floats(outAt),
    keys: new Uint32Array(run.memory.buffer, keysAt, simdLongest),
    total,
    sum,
    divisor,
    deltas: Array.from({ length: simdInputs }, (_, k) => lane(of(k))),
    differenceKeys: (length) => run.keys(0, 4 * length),
    differences: (k, length) => run.differences(0, 8 * length, of(k)),
    weigh(k, weight, scale, length) {
      if (k === 0) total.values.fill(-0, 0, length)
      run.weigh(0, 8 * length, of(k), weight * scale, weight, scale)
    },
    accumulate(k, factor, length) {
      if (k === 0) sum.fill(-0, 0, length)
      run.accumulate(0, 8 * length, of(k), factor)
    },
    agreeing(k, factor, weight, length) {
      if (k === 0) sum.fill(0, 0, length)
      if (k === 0) divisor.values.fill(0, 0, length)
      run.agreeing(0, 8 * length, of(k), factor, weight)
    },
    addToBase: (lambda, length) => run.toBase(0, 8 * length, lambda),
    addToBaseDivided: (lambda, length) => run.divided(0, 8 * length, lambda),
  }
  return made
}
