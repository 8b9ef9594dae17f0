/**
 * Keeps the elements of a task vector whose magnitude, as a float32, lies between two borders; of those on a border the first ones. Two elements at a time in WebAssembly, without a
 * branch: what is dropped is multiplied by 0, so that NaN stays.
 */
import { code, get, instantiate, load, loop, set, simd, store, type WasmFunction, type WasmMemory, words } from '#platform/wasm'
import type { Cut } from '../ranking.ts'

interface Functions {
  readonly count: (from: number, end: number, key: number) => void
  readonly keep: (from: number, end: number, over: number, upTo: number, factor: number) => void
}

/** Elements of a stretch. */
const stretch = 2 ** 10
const countAt = 8 * stretch

// Byte offset and its end, then keys, which are below 2³¹, and a factor.
const [at, end, third, fourth, fifth] = [0, 1, 2, 3, 4]
const splatWord = simd(0x11)
const [splat, demote, multiply] = [simd(0x14), simd(0x5e), simd(0xf2)]
const [and, andNot, equal, greater, subtractWords, spread] = [simd(0x4e), simd(0x4f), simd(0x37), simd(0x3b), simd(0xb1), simd(0xc7)]
const one = words(0, 0x3ff00000, 0, 0x3ff00000)
/** Two keys; the upper half is 0. */
const keys = code(get(at), load(), demote, words(0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff), and)
/** The upper lanes of a demoted pair are 0: of them no key is counted. */
const lower = words(-1, -1, 0, 0)

const functions: readonly WasmFunction[] = [
  {
    name: 'count',
    parameters: ['i32', 'i32', 'i32'],
    locals: ['v128'],
    body: code(loop(at, 16, end, code(get(3), keys, get(third), splatWord, equal, lower, and, subtractWords, set(3))), code([0x41, 0], get(3), store(countAt))),
  },
  {
    name: 'keep',
    parameters: ['i32', 'i32', 'i32', 'i32', 'f64'],
    locals: ['v128'],
    body: loop(
      at,
      16,
      end,
      code(
        code(keys, set(5)),
        code(get(at), get(at), load(), get(5), get(third), splatWord, greater, get(5), get(fourth), splatWord, greater, andNot, spread, one, and),
        code(multiply, get(fifth), splat, multiply, store()),
      ),
    ),
  },
]

let made: { readonly run: Functions; readonly values: Float64Array; readonly counted: Int32Array } | undefined

function machine(): NonNullable<typeof made> {
  if (made !== undefined) return made
  const run = instantiate(functions, 1) as WasmMemory & Functions
  made = { run, values: new Float64Array(run.memory.buffer, 0, stretch), counted: new Int32Array(run.memory.buffer, countAt, 4) }
  return made
}

/** Elements in order, stretch by stretch from the first: a border's equals are given out as they come. */
export interface Keeper {
  readonly restart: () => void
  readonly keep: (delta: Float64Array, from: number, size: number, factor: number) => void
}

/** Below the border `top` and above the border `bottom`, both included as their cuts say. */
export function keeper(top: Cut | undefined, bottom: Cut): Keeper {
  const borders = [top ?? { key: 2 ** 32, equals: 0 }, bottom].map(({ key, equals }) => ({ key: Math.min(key, 0x7fffffff), equals, seen: 0 }))
  return {
    restart: () => borders.forEach((border) => (border.seen = 0)),
    keep(delta, from, size, factor) {
      const { run, values } = machine()
      for (let done = 0; done < size; done += stretch) {
        const length = Math.min(stretch, size - done)
        values.set(delta.subarray(from + done, from + done + length))
        // an odd one has no neighbour
        values.fill(0, length, length + (length % 2))
        const before = borders.map(({ seen }) => seen)
        const [above, over] = borders.map((border) => limitOf(border, length))
        if (above !== undefined && over !== undefined) run.keep(0, 8 * (length + (length % 2)), over, above, factor)
        else {
          borders.forEach((border, i) => (border.seen = before[i]!))
          onBorder(values, length, borders[0]!, borders[1]!, factor)
        }
        delta.set(length === stretch ? values : values.subarray(0, length), from + done)
      }
    },
  }
}

interface Border {
  readonly key: number
  readonly equals: number
  seen: number
}

/** The key that every element before this border is greater than in the stretch at hand; undefined where the last of its equals lies within. */
function limitOf(border: Border, length: number): number | undefined {
  if (border.seen >= border.equals) return border.key
  const { run, counted } = machine()
  run.count(0, 8 * (length + (length % 2)), border.key)
  const count = counted[0]! + counted[1]! - (length % 2 === 1 && border.key === 0 ? 1 : 0)
  if (border.seen + count > border.equals) return undefined
  border.seen += count
  return border.key - 1
}

const [value, bits] = [new Float32Array(1), new Int32Array(1)]
const valueBits = new Int32Array(value.buffer)

function onBorder(values: Float64Array, length: number, top: Border, bottom: Border, factor: number): void {
  const isBefore = (border: Border): boolean => {
    const own = bits[0]!
    if (own !== border.key || border.seen >= border.equals) return own > border.key
    border.seen++
    return true
  }
  for (let i = 0; i < length; i++) {
    value[0] = values[i]!
    bits[0] = valueBits[0]! & 0x7fffffff
    const [above, inside] = [isBefore(top), isBefore(bottom)]
    values[i] = values[i]! * (inside && !above ? 1 : 0) * factor
  }
}
