/** The loops of `sce-loops.ts` for float32 tensors, two elements at a time in WebAssembly: the same steps, the same bits. One program and workspace for each number of inputs. */
import type { Floats } from '#core'
import {
  type Code,
  code,
  get,
  i32Constant,
  instantiate,
  lanes,
  load,
  loadHalf,
  loop,
  set,
  simd,
  store,
  storeHalf,
  type WasmFunction,
  type WasmMemory,
  words,
} from '#platform/wasm'
import { simdStretch } from './delta-simd.ts'
import { type SceStretch, smallestDivisor, unselected } from './sce-loops.ts'

type Functions = Readonly<Record<'measure' | 'count' | 'squares' | 'output', (from: number, end: number, key: number) => void>>

// Float32 regions, then sixteen bytes of numbers for each input and the counts.
const region = 4 * simdStretch
const [baseAt, outAt, keysAt, inputsAt] = [0, region, 2 * region, 3 * region]
const inputAt = (k: number): number => inputsAt + k * region

// Parameters by number: byte offset in a region and its end, then a key; vectors follow.
const [at, end, key, vectors] = [0, 1, 2, 3]
const [splatWord, and, xor] = [simd(0x11), simd(0x4e), simd(0x51)]
const [add, subtract, multiply, divide, larger, largest] = [simd(0xf0), simd(0xf1), simd(0xf2), simd(0xf3), simd(0x4a), simd(0xf7)]
const [promote, demote, equalKeys, largerKeys, subtractKeys, spread] = [simd(0x5f), simd(0x5e), simd(0x37), simd(0x3b), simd(0xb1), simd(0xc7)]
const [zero, magnitude, signs] = [words(0, 0, 0, 0), words(0x7fffffff, 0x7fffffff, 0, 0), words(0, 0x80000000, 0, 0x80000000)]
/** A float64 number twice. */
const both = (value: number): Code => {
  const [low, high] = new Uint32Array(Float64Array.of(value).buffer)
  return words(low!, high!, low!, high!)
}
/** Two float32 values as float64. */
const pair = (from: number): Code => code(get(at), loadHalf(from), promote)
const square = (vector: number): Code => code(get(vector), get(vector), multiply)
const increase = (vector: number, by: Code): Code => code(get(vector), by, add, set(vector))
const storeAt = (place: number, value: Code): Code => code(i32Constant(0), value, store(place))
const loadAt = (place: number): Code => code(i32Constant(0), load(place))

/** Keys of the variances. Those of two inputs are the squares of half their difference, to the last bit of the general form. */
function measureBody(models: number): Code {
  const [mean, sum, first] = [vectors, vectors + 1, vectors + 2]
  const others = Array.from({ length: models - 1 }, (_, k) => ({ from: inputAt(k + 1), distance: first + 1 + k }))
  const variance =
    models === 2
      ? code(pair(inputAt(1)), pair(inputAt(0)), subtract, both(0.5), multiply, set(mean), square(mean))
      : code(
          code(pair(inputAt(0)), set(first), zero, set(mean)),
          ...others.map(({ from, distance }) =>
            code(pair(from), get(first), subtract, set(distance), increase(mean, code(get(distance), both(models), divide))),
          ),
          code(square(mean), set(sum)),
          ...others.map(({ distance }) => code(get(distance), get(mean), subtract, set(distance), increase(sum, square(distance)))),
          code(get(sum), both(models), divide),
        )
  return loop(at, 8, end, code(get(at), variance, demote, magnitude, and, storeHalf(keysAt)))
}

/** Four at a time: how many have the key. */
function countBody(countsAt: number): Code {
  const counts = vectors
  const equal = code(get(at), load(keysAt), get(key), splatWord, equalKeys)
  return code(loop(at, 16, end, code(get(counts), equal, subtractKeys, set(counts))), storeAt(countsAt, get(counts)))
}

/** Two changes, multiplied by 1 where the keys are larger than the given one, and by 0 elsewhere. */
const [base, mask, firstChange] = [vectors, vectors + 1, vectors + 2]
const changesOf = (models: number): Code =>
  code(
    code(pair(baseAt), set(base), get(at), loadHalf(keysAt), get(key), splatWord, largerKeys, spread, both(1), and, set(mask)),
    ...Array.from({ length: models }, (_, k) => code(pair(inputAt(k)), get(base), subtract, get(mask), multiply, set(firstChange + k))),
  )

/** Two inputs share a vector of sums, to which the elements are added one after the other. */
function squaresBody(models: number, numbersAt: number): Code {
  const sums = Array.from({ length: Math.ceil(models / 2) }, (_, k) => ({ k, sum: firstChange + models + k, place: numbersAt + 16 * k }))
  const squareOf = (k: number): Code => (k < models ? square(firstChange + k) : zero)
  return code(
    ...sums.map(({ sum, place }) => code(loadAt(place), set(sum))),
    loop(
      at,
      8,
      end,
      code(
        changesOf(models),
        ...[lanes(0, 1, 4, 5), lanes(2, 3, 6, 7)].flatMap((element) =>
          sums.map(({ k, sum }) => increase(sum, code(squareOf(2 * k), squareOf(2 * k + 1), element))),
        ),
      ),
    ),
    ...sums.map(({ sum, place }) => storeAt(place, get(sum))),
  )
}

function outputBody(models: number, numbersAt: number): Code {
  const inputs = Array.from({ length: models }, (_, k) => ({ change: firstChange + k, share: firstChange + models + k, place: numbersAt + 16 * k }))
  const [total, sum, divisor, weight] = [0, 1, 2, 3].map((local) => firstChange + 2 * models + local) as [number, number, number, number]
  /** Whether the change is not 0 and has the sign of the total. */
  const agrees = (change: number): Code => code(get(change), get(total), xor, zero, larger, both(1), and)
  return code(
    ...inputs.map(({ share, place }) => code(loadAt(place), set(share))),
    loop(
      at,
      8,
      end,
      code(
        changesOf(models),
        ...inputs.map(({ change }, k) => (k === 0 ? code(get(change), set(total)) : increase(total, get(change)))),
        code(get(total), signs, and, set(total), zero, set(sum), zero, set(divisor)),
        ...inputs.map(({ change, share }) =>
          code(agrees(change), get(share), multiply, set(weight), increase(sum, code(get(change), get(weight), multiply)), increase(divisor, get(weight))),
        ),
        code(get(at), get(base), get(sum), get(divisor), both(smallestDivisor), largest, divide, add, demote, storeHalf(outAt)),
      ),
    ),
  )
}

function workspace(models: number): SceStretch {
  const numbersAt = inputAt(models)
  const countsAt = numbersAt + 16 * models
  const made = (name: keyof Functions, locals: number, body: Code): WasmFunction => ({
    name,
    parameters: ['i32', 'i32', 'i32'],
    locals: Array.from({ length: locals }, () => 'v128' as const),
    body,
  })
  const run = instantiate(
    [
      made('measure', models + 2, measureBody(models)),
      made('count', 1, countBody(countsAt)),
      made('squares', 2 + models + Math.ceil(models / 2), squaresBody(models, numbersAt)),
      made('output', 6 + 2 * models, outputBody(models, numbersAt)),
    ],
    Math.ceil((countsAt + 16) / 65536),
  ) as WasmMemory & Functions
  const floats = (from: number): Float32Array => new Float32Array(run.memory.buffer, from, simdStretch)
  const [ownBase, out, inputs] = [floats(baseAt), floats(outAt), Array.from({ length: models }, (_, k) => floats(inputAt(k)))]
  const keys = new Uint32Array(run.memory.buffer, keysAt, simdStretch)
  const numbers = new Float64Array(run.memory.buffer, numbersAt, 2 * models)
  const counts = new Int32Array(run.memory.buffer, countsAt, 4)
  let [start, length, blockBase]: [number, number, Floats] = [0, 0, ownBase]
  const put = (into: Float32Array, values: Floats): void => {
    into.set(values.subarray(start, start + length))
    // an odd one has no neighbour
    into.fill(0, length, length + (length % 2))
  }
  const bytes = (): number => 4 * (length + (length % 2))
  return {
    // the base is taken when it is asked for: variances do without
    begin(block, from, size) {
      ;[start, length, blockBase] = [from, size, block.base!]
      block.inputs.forEach((values, k) => put(inputs[k]!, values))
    },
    keys,
    measure() {
      run.measure(0, bytes(), 0)
      keys.fill(unselected, length, length + 3)
    },
    count(own) {
      run.count(0, 4 * Math.ceil(length / 4) * 4, own)
      return counts.reduce((sum, count) => sum + count, 0)
    },
    addSquares(limit, sums) {
      put(ownBase, blockBase)
      numbers.set(sums)
      run.squares(0, bytes(), limit ?? lowest)
      sums.set(numbers.subarray(0, models))
    },
    output(limit, shares, into) {
      put(ownBase, blockBase)
      shares.forEach((share, k) => numbers.fill(share, 2 * k, 2 * k + 2))
      run.output(0, bytes(), limit ?? lowest)
      into.set(out.subarray(0, length), start)
    },
  }
}

/** Every key is larger. */
const lowest = -(2 ** 31)
const made = new Map<number, SceStretch>()

/** The workspace of a thread for tensors of so many inputs. */
export function vectorSce(models: number): SceStretch {
  const found = made.get(models) ?? workspace(models)
  made.set(models, found)
  return found
}
