/** What statistics count over a run of elements, two at a time in WebAssembly: signs fall as they like, and a branch an element costs more than all the sums. */
import { code, get, instantiate, load, loop, set, simd, store, type WasmMemory, words } from '#platform/wasm'

/** Elements of a run, at most. */
export const runLength = 2 ** 12

export interface RunSums {
  /** Σ input². */
  readonly square: number
  /** Σ input · output. */
  readonly product: number
  /** Σ (input − base)². */
  readonly far: number
  /** Elements whose changes from the base have one sign, or are both 0. */
  readonly agree: number
  /** Elements that the input changed. */
  readonly changed: number
  /** Of these, that the output changed too. */
  readonly kept: number
}

const size = 8 * runLength
const [baseAt, inputAt, outAt, sumsAt] = [0, size, 2 * size, 3 * size]
const [at, end] = [0, 1]
const sums = [2, 3, 4, 5, 6, 7]
const [value, result, change, step] = [8, 9, 10, 11]
const [and, or, not] = [simd(0x4e), simd(0x50), simd(0x4d)]
const [add, subtract, multiply] = [simd(0xf0), simd(0xf1), simd(0xf2)]
const [unequal, greater] = [simd(0x48), simd(0x4a)]
const zero = words(0, 0, 0, 0)
const one = words(0, 0x3ff00000, 0, 0x3ff00000)
const moved = code(get(change), zero, unequal)
const stepped = code(get(step), zero, unequal)

/** What each sum grows by, in the order of `RunSums`. */
const terms = [
  code(get(value), get(value), multiply),
  code(get(value), get(result), multiply),
  code(get(change), get(change), multiply),
  code(get(change), get(step), multiply, zero, greater, moved, stepped, or, not, or, one, and),
  code(moved, one, and),
  code(moved, stepped, and, one, and),
]
const body = code(
  loop(
    at,
    16,
    end,
    code(
      code(get(at), load(inputAt), set(value), get(at), load(outAt), set(result)),
      code(get(value), get(at), load(baseAt), subtract, set(change), get(result), get(at), load(baseAt), subtract, set(step)),
      ...terms.map((term, k) => code(get(sums[k]!), term, add, set(sums[k]!))),
    ),
  ),
  ...sums.map((sum, k) => code([0x41, 0], get(sum), store(sumsAt + 16 * k))),
)

interface Machine {
  readonly base: Float64Array
  readonly input: Float64Array
  readonly out: Float64Array
  readonly sums: Float64Array
  readonly run: (from: number, end: number) => void
}

let made: Machine | undefined

function machine(): Machine {
  if (made !== undefined) return made
  const locals = [...sums, value, result, change, step].map(() => 'v128' as const)
  const functions = [{ name: 'run', parameters: ['i32', 'i32'] as const, locals, body }]
  const { memory, run } = instantiate(functions, Math.ceil((sumsAt + 16 * sums.length) / 65536)) as WasmMemory & Pick<Machine, 'run'>
  const floats = (from: number, length: number): Float64Array => new Float64Array(memory.buffer, from, length)
  made = { base: floats(baseAt, runLength), input: floats(inputAt, runLength), out: floats(outAt, runLength), sums: floats(sumsAt, 2 * sums.length), run }
  return made
}

/** The sums of every input of a run, then those of the output itself as one. At most `runLength` elements; without a base, changes are from 0. */
export function sumsOfRun(base: Float64Array | undefined, inputs: readonly Float64Array[], out: Float64Array, length: number): RunSums[] {
  const work = machine()
  const put = (into: Float64Array, from: Float64Array | undefined): void => {
    if (from === undefined) into.fill(0, 0, length)
    else into.set(from.subarray(0, length))
    into.fill(0, length, length + (length % 2))
  }
  put(work.base, base)
  put(work.out, out)
  return [...inputs, out].map((input) => {
    put(work.input, input)
    work.run(0, 8 * (length + (length % 2)))
    const [square, product, far, agree, changed, kept] = terms.map((_, k) => work.sums[2 * k]! + work.sums[2 * k + 1]!) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    // The element that fills up an odd run agrees with itself.
    return { square, product, far, agree: agree - (length % 2), changed, kept }
  })
}
