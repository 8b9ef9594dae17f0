/**
 * Keeps the elements of a task vector whose magnitude, as a float32, lies between two borders, and the first ones of
 * those on a border. Two elements at a time in WebAssembly, without a branch: dropped elements are multiplied by 0, so
 * that NaN stays.
 */
import {
  code,
  type Code,
  f32x4,
  f64x2,
  func,
  i32,
  i32x4,
  i64x2,
  kernel,
  local,
  type Local,
  loop,
  v128,
} from '#platform/wasm'
import type { Cut } from '../ranking.ts'

/** Elements of a chunk. */
const chunkLength = 2 ** 10

// Keys are below 2³¹.
const workspace = kernel({ values: ['f64', chunkLength], counts: ['i32', 4] }, ({ counts }) => {
  /** Two keys; the upper half is 0. */
  const keysAt = (at: Local): Code => v128.and(f32x4.demote_f64x2_zero(v128.load(at)), i32x4.all(0x7fffffff))
  return {
    count: func(['i32', 'i32', 'i32'], (declare, [at, end, key]) => {
      const found = declare()
      // the upper lanes of a demoted pair are 0: of them no key is counted
      const equal = v128.and(i32x4.eq(keysAt(at), i32x4.splat(key)), i32x4.const(-1, -1, 0, 0))
      return code(loop(at, 16, end, local.set(found, i32x4.sub(found, equal))), v128.store(i32.const(0), found, counts))
    }),
    keep: func(['i32', 'i32', 'i32', 'i32', 'f64'], (declare, [at, end, over, upTo, factor]) => {
      const keys = declare()
      const inside = v128.andnot(i32x4.gt_s(keys, i32x4.splat(over)), i32x4.gt_s(keys, i32x4.splat(upTo)))
      const kept = v128.and(i64x2.extend_low_i32x4_s(inside), f64x2.all(1))
      return loop(
        at,
        16,
        end,
        local.set(keys, keysAt(at)),
        v128.store(at, f64x2.mul(f64x2.mul(v128.load(at), kept), f64x2.splat(factor))),
      )
    }),
  }
})

/** Elements in order, chunk by chunk from the first: a border's equals are given out as they come. */
export interface Keeper {
  readonly restart: () => void
  readonly keep: (delta: Float64Array, from: number, size: number, factor: number) => void
}

/** Below the border `top` and above the border `bottom`, both included as their cuts say. */
export function keeper(top: Cut | undefined, bottom: Cut): Keeper {
  const borders = [top ?? { key: 2 ** 32, equals: 0 }, bottom].map(({ key, equals }) => ({
    key: Math.min(key, 0x7fffffff),
    equals,
    seen: 0,
  }))
  return {
    restart: () => borders.forEach((border) => (border.seen = 0)),
    keep(delta, from, size, factor) {
      const { keep, values } = workspace()
      for (let done = 0; done < size; done += chunkLength) {
        const length = Math.min(chunkLength, size - done)
        values.set(delta.subarray(from + done, from + done + length))
        // an odd one has no neighbour
        values.fill(0, length, length + (length % 2))
        const before = borders.map(({ seen }) => seen)
        const [above, over] = borders.map((border) => limitOf(border, length))
        if (above !== undefined && over !== undefined) keep(0, 8 * (length + (length % 2)), over, above, factor)
        else {
          borders.forEach((border, i) => (border.seen = before[i]!))
          onBorder(values, length, borders[0]!, borders[1]!, factor)
        }
        delta.set(length === chunkLength ? values : values.subarray(0, length), from + done)
      }
    },
  }
}

interface Border {
  readonly key: number
  readonly equals: number
  seen: number
}

/**
 * The key that every element before this border is greater than in the chunk at hand; undefined where the last of its
 * equals lies within.
 */
function limitOf(border: Border, length: number): number | undefined {
  if (border.seen >= border.equals) return border.key
  const { count: countKey, counts } = workspace()
  countKey(0, 8 * (length + (length % 2)), border.key)
  const count = counts[0]! + counts[1]! - (length % 2 === 1 && border.key === 0 ? 1 : 0)
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
