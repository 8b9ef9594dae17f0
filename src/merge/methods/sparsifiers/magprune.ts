/**
 * Keeps the element of rank r among the m magnitudes of its row with probability (density − ε) + 2ε·r/(m − 1). Deep, Bhardwaj & Poria 2024 (DELLA). A row runs along the
 * second axis, a vector is one row; magnitudes are compared as float32, equal ones rise in order of their position.
 *
 * Most draws are decided without a rank: below density − ε, or not below density + ε.
 */
import { fault } from '../../../core/index.ts'
import { numberOf } from '../../method.ts'
import { maskBelow, maskWords } from './mask.ts'
import { masked } from './masked.ts'
import { rowChances } from './row-chances.ts'
import { rowKeys } from './row-keys.ts'
import { rowOrder } from './row-order.ts'
import type { Sparsifier, Thinner } from './sparsifier.ts'

export const magprune: Sparsifier = (options) => {
  const { task, values, input, inverse } = options
  const [density, epsilon] = [numberOf(values, 'density'), numberOf(values, 'epsilon')]
  if (density >= 1) return undefined
  if (density <= 0) return masked({ ...options, again: false }, 1, (bits) => bits.fill(0))
  if (!(density - epsilon > 0 && density + epsilon < 1)) {
    throw fault('config.value', {
      place: `${task.name} › input ${input + 1}`,
      what: 'density − epsilon must be above 0 and density + epsilon below 1',
      seen: { density, epsilon },
    })
  }
  const rows = rowsOf(task.shape)
  const { width, stride, grain } = rows
  const step = width > 1 ? (2 * epsilon) / (width - 1) : 0
  const chances = Float64Array.from({ length: width }, (_, rank) => (width > 1 ? density - epsilon + step * rank : density))
  // words are below 2³², as a chance that rounding has brought to 1 must be
  const limits = Uint32Array.from(chances, (chance) => Math.min(Math.floor(chance * 2 ** 32), 2 ** 32 - 1))
  const words = task.random(input)
  if (inverse) return divided(rows, chances, limits, words)

  const [always, never] = [limits[0] ?? 0, limits[width - 1] ?? 0]
  const [row, order, open] = [rowKeys(width), rowOrder(width), new Int32Array(width + 1)]
  const ranks = rowChances(width, limits, row, order)
  let [drawn, certain] = [new Uint32Array(0), new Uint32Array(0)]
  return masked(options, 1, (bits, delta, offset, length) => {
    if (drawn.length < length) [drawn, certain] = [new Uint32Array(length), new Uint32Array(maskWords(length))]
    words(offset, drawn.subarray(0, length))
    maskBelow(drawn, length, never, bits)
    if (always === never) return
    maskBelow(drawn, length, always, certain)
    for (let i = 0; i < certain.length; i++) certain[i]! ^= bits[i]!
    for (let from = 0; from < length; from += grain) {
      for (let first = from; first < from + stride; first++) {
        const count = stride === 1 ? listRow(certain, first, width, open) : listStrided(certain, first, stride, width, open)
        if (count === 0) continue
        row.take(delta, first, stride)
        ranks.decide(bits, open, count, drawn, first, stride)
      }
    }
  })
}

/** Rows along the second axis: elements of one lie `stride` apart, `grain` elements hold whole rows. */
export function rowsOf(shape: readonly number[]): { width: number; stride: number; grain: number } {
  const width = (shape.length < 2 ? shape[0] : shape[1]) ?? 1
  const stride = shape.slice(2).reduce((product, size) => product * size, 1)
  return { width, stride, grain: width * stride }
}

/** Positions in a row whose bit is set, listed from the start of `open`; how many. */
function listRow(bits: Uint32Array, first: number, width: number, open: Int32Array): number {
  const end = first + width
  let count = 0
  for (let start = first; start < end;) {
    const word = start >>> 5
    const next = Math.min(end, 32 * (word + 1))
    let rest = (bits[word]! >>> (start & 31)) & (next - start === 32 ? -1 : (1 << (next - start)) - 1)
    while (rest !== 0) {
      const lowest = rest & -rest
      open[count++] = start - first + 31 - Math.clz32(lowest)
      rest ^= lowest
    }
    start = next
  }
  return count
}

function listStrided(bits: Uint32Array, first: number, stride: number, width: number, open: Int32Array): number {
  let count = 0
  for (let j = 0; j < width; j++) {
    const at = first + j * stride
    open[count] = j
    count += (bits[at >>> 5]! >>> (at & 31)) & 1
  }
  return count
}

/** Kept elements are divided by their chance, so that every one needs its rank. */
function divided(
  { width, stride, grain }: ReturnType<typeof rowsOf>,
  chances: Float64Array,
  limits: Uint32Array,
  words: (first: number, out: Uint32Array) => void,
): Thinner {
  const [row, order, drawn] = [rowKeys(width), rowOrder(width), new Uint32Array(grain)]
  return {
    looks: [],
    thin(delta, offset, length) {
      for (let from = 0; from < length; from += grain) {
        words(offset + from, drawn)
        for (let lane = 0; lane < stride; lane++) {
          row.take(delta, from + lane, stride)
          const ranks = order.ranks(row.keys)
          for (let j = 0; j < width; j++) {
            const at = from + lane + j * stride
            const kept = drawn[lane + j * stride]! < limits[ranks[j]!]! ? 1 : 0
            delta[at] = (delta[at]! * kept) / chances[ranks[j]!]!
          }
        }
      }
    },
  }
}
