/**
 * Products of float32 vectors summed in float64, four sums side by side in WebAssembly. Which of the four an element goes to follows from its place in the tensor, so that
 * blocks of any size give the same.
 */
import type { Floats } from '#core'
import { code, get, i32Add, i32HalfOf, instantiate, load, loadHalf, loop, set, simd, store, type WasmMemory } from '#platform/wasm'
import type { Block } from './method.ts'

/** Sums side by side. */
export const ways = 4
/** Elements of a stretch, and vectors that fit. */
const stretch = 2 ** 11
const vectors = 16

interface Functions {
  /** Vector k ← input, or input − base. */
  readonly widen: (from: number, end: number, vector: number) => void
  readonly change: (from: number, end: number, vector: number) => void
  /** sums += a · b */
  readonly multiply: (from: number, end: number, a: number, b: number) => void
}

const [narrow, wide] = [4 * stretch, 8 * stretch]
const [inputAt, baseAt, sumsAt, vectorsAt] = [0, narrow, 2 * narrow, 2 * narrow + 8 * ways]
const [at, end, third, fourth] = [0, 1, 2, 3]
const [add, subtract, multiply, promote] = [simd(0xf0), simd(0xf1), simd(0xf2), simd(0x5f)]
const inVector = (vector: number) => code(get(vector), get(at), i32Add)
/** Two float32 values at half the offset, as float64. */
const pair = (region: number) => code(get(at), i32HalfOf, loadHalf(region), promote)
const sums = [4, 5]

const functions = [
  { name: 'widen', parameters: ['i32', 'i32', 'i32'], locals: [], body: loop(at, 16, end, code(inVector(third), pair(inputAt), store())) },
  {
    name: 'change',
    parameters: ['i32', 'i32', 'i32'],
    locals: [],
    body: loop(at, 16, end, code(inVector(third), pair(inputAt), pair(baseAt), subtract, store())),
  },
  {
    name: 'multiply',
    parameters: ['i32', 'i32', 'i32', 'i32'],
    locals: ['v128', 'v128'],
    body: code(
      ...sums.map((sum, k) => code([0x41, 0], load(sumsAt + 16 * k), set(sum))),
      loop(at, 32, end, code(...sums.map((sum, k) => code(get(sum), inVector(third), load(16 * k), inVector(fourth), load(16 * k), multiply, add, set(sum))))),
      ...sums.map((sum, k) => code([0x41, 0], get(sum), store(sumsAt + 16 * k))),
    ),
  },
] as const

interface Machine extends Functions {
  readonly input: Float32Array
  readonly base: Float32Array
  readonly sums: Float64Array
}

let made: Machine | undefined

function machine(): Machine {
  if (made !== undefined) return made
  const run = instantiate(functions, Math.ceil((vectorsAt + vectors * wide) / 65536)) as WasmMemory & Functions
  const floats = (from: number): Float32Array => new Float32Array(run.memory.buffer, from, stretch)
  made = { ...run, input: floats(inputAt), base: floats(baseAt), sums: new Float64Array(run.memory.buffer, sumsAt, ways) }
  return made
}

export function fitsVectors({ base, inputs }: Block): boolean {
  const isNarrow = (values: Floats | undefined): boolean => values === undefined || values instanceof Float32Array
  return inputs.length <= vectors && isNarrow(base) && inputs.every(isNarrow)
}

/** Elements from … of a block that `fitsVectors`; the first of them at a multiple of `ways` of the tensor. `totals` holds the sums of each pair i ≤ j, one after the other. */
export function addProducts({ base, inputs, length }: Block, from: number, totals: Float64Array): void {
  const work = machine()
  const put = (into: Float32Array, values: Floats, start: number, size: number): void => {
    into.set(values.subarray(start, start + size))
    into.fill(0, size, Math.ceil(size / ways) * ways)
  }
  for (let start = from; start < length; start += stretch) {
    const size = Math.min(stretch, length - start)
    const bytes = 8 * Math.ceil(size / ways) * ways
    if (base !== undefined) put(work.base, base, start, size)
    inputs.forEach((input, k) => {
      put(work.input, input, start, size)
      work[base === undefined ? 'widen' : 'change'](0, bytes, vectorsAt + k * wide)
    })
    let pairs = 0
    for (let i = 0; i < inputs.length; i++) {
      for (let j = i; j < inputs.length; j++, pairs++) {
        const own = totals.subarray(ways * pairs, ways * (pairs + 1))
        work.sums.set(own)
        work.multiply(0, bytes, vectorsAt + i * wide, vectorsAt + j * wide)
        own.set(work.sums)
      }
    }
  }
}
