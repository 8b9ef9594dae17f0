/**
 * The magnitudes of one row as float32 bits without their sign, which order as the magnitudes do, and the rank of one of them: counted over the whole row in WebAssembly vectors,
 * four at a time.
 */
import {
  code,
  get,
  i32Add,
  i32HalfOf,
  instantiate,
  lanes,
  load,
  loop,
  set,
  simd,
  store,
  type WasmFunction,
  type WasmMemory,
  words,
} from '../../../core/index.ts'

interface Functions {
  /** Values to keys at an address; what the greatest key and the smallest but 0, less one, are so far. */
  readonly take: (from: number, end: number, into: number) => void
  /** Adds up how many keys are greater than one. */
  readonly greater: (from: number, end: number, key: number) => void
}

/** Values taken at once, and keys compared at once. */
const stretch = 2 ** 11
const group = 16
const [valuesAt, lowestAt, highestAt, countAt, keysAt] = [0, 8 * stretch, 8 * stretch + 16, 8 * stretch + 32, 8 * stretch + 48]

const [at, end, third, lowest, highest, own] = [0, 1, 2, 3, 4, 5]
const count = 3
const splatWord = simd(0x11)
const [and, demote] = [simd(0x4e), simd(0x5e)]
const [greater, add, subtract] = [simd(0x3b), simd(0xae), simd(0xb1)]
const [smallestUnsigned, greatest] = [simd(0xb7), simd(0xb8)]
const four = (value: number) => words(value, value, value, value)
const zero = [0x41, 0] as const

const functions: readonly WasmFunction[] = [
  {
    name: 'take',
    parameters: ['i32', 'i32', 'i32'],
    locals: ['v128', 'v128', 'v128'],
    body: code(
      code(zero, load(lowestAt), set(lowest), zero, load(highestAt), set(highest)),
      loop(
        at,
        32,
        end,
        code(
          code(get(third), get(at), i32HalfOf, i32Add),
          code(get(at), load(valuesAt), demote, get(at), load(valuesAt + 16), demote, lanes(0, 1, 4, 5), four(0x7fffffff), and, [0x22, own], store(keysAt)),
          code(get(own), four(-1), add, get(lowest), smallestUnsigned, set(lowest), get(own), get(highest), greatest, set(highest)),
        ),
      ),
      code(zero, get(lowest), store(lowestAt), zero, get(highest), store(highestAt)),
    ),
  },
  {
    name: 'greater',
    parameters: ['i32', 'i32', 'i32'],
    locals: ['v128'],
    body: code(
      zero,
      load(countAt),
      set(count),
      loop(
        at,
        4 * group,
        end,
        code(...[0, 16, 32, 48].map((offset) => code(get(count), get(at), load(keysAt + offset), get(third), splatWord, greater, subtract, set(count)))),
      ),
      code(zero, get(count), store(countAt)),
    ),
  },
]

/** A row at a time; one row of a thread, that was taken last. */
export interface RowKeys {
  readonly keys: Int32Array
  /** Takes the elements first, first + stride, … of changes. */
  readonly take: (delta: Float64Array, first: number, stride: number) => void
  /** The smallest key that is not 0, or 2³² where there is none, and the greatest one. */
  readonly range: () => readonly [number, number]
  /** How many elements of the row come before the one at this position, equal ones in order. */
  readonly rank: (position: number) => number
}

let made: (WasmMemory & Functions) | undefined

function machine(keys: number): WasmMemory & Functions {
  const needed = keysAt + 4 * keys
  if (made === undefined || made.memory.buffer.byteLength < needed) made = instantiate(functions, Math.ceil(needed / 65536)) as WasmMemory & Functions
  return made
}

export function rowKeys(width: number): RowKeys {
  // the last group is filled up by zeros
  const filled = Math.ceil(width / group) * group
  const run = machine(filled)
  const { buffer } = run.memory
  const [values, all] = [new Float64Array(buffer, valuesAt, stretch), new Int32Array(buffer, keysAt, filled)]
  const keys = all.subarray(0, width)
  const [lowest, highest, counts] = [lowestAt, highestAt, countAt].map((from) => new Uint32Array(buffer, from, 4)) as [Uint32Array, Uint32Array, Uint32Array]
  return {
    keys,
    take(delta, first, stride) {
      lowest.fill(0xffffffff)
      highest.fill(0)
      for (let done = 0; done < width; done += stretch) {
        const size = Math.min(stretch, width - done)
        const start = first + done * stride
        if (stride === 1) values.set(delta.subarray(start, start + size))
        else for (let j = 0; j < size; j++) values[j] = delta[start + j * stride]!
        if (size % 4 !== 0) values.fill(0, size, Math.ceil(size / 4) * 4)
        run.take(0, 8 * Math.ceil(size / 4) * 4, 4 * done)
      }
      all.fill(0, width)
    },
    range: () => [Math.min(lowest[0]!, lowest[1]!, lowest[2]!, lowest[3]!) + 1, Math.max(highest[0]!, highest[1]!, highest[2]!, highest[3]!)],
    rank(position) {
      const key = keys[position]!
      const middle = position - (position % group)
      counts.fill(0)
      // not greater before the position, less from there on
      if (middle > 0) run.greater(0, 4 * middle, key)
      run.greater(4 * middle, 4 * filled, key - 1)
      let equal = 0
      for (let j = middle; j < position; j++) if (keys[j] === key) equal++
      return filled + equal - counts[0]! - counts[1]! - counts[2]! - counts[3]! - (key > 0 ? filled - width : 0)
    },
  }
}
