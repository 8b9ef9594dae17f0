/**
 * Keeps the element of rank r among the m magnitudes of its row with probability (density − ε) + 2ε·r/(m − 1). Deep,
 * Bhardwaj & Poria 2024 (DELLA). A row runs along the second axis, a vector is one row; magnitudes are compared as
 * float32, equal ones rise in order of their position.
 */
import { fault } from '#core'
import { numberOf } from '../method.ts'
import { bitsTo } from './bits.ts'
import { maskBelow } from './mask.ts'
import { masked } from './masked.ts'
import { rowChances } from './row-chances.ts'
import { rowKeys } from './row-keys.ts'
import { rowOrder } from './row-order.ts'
import type { SparsificationMethod, Sparsifier } from './sparsifier.ts'

export const magprune: SparsificationMethod = (options) => {
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
  const chances = Float64Array.from({ length: width }, (_, rank) =>
    width > 1 ? density - epsilon + step * rank : density,
  )
  // words are below 2³², as a chance that rounding has brought to 1 must be
  const limits = Uint32Array.from(chances, (chance) => Math.min(Math.floor(chance * 2 ** 32), 2 ** 32 - 1))
  const words = task.random(input)
  if (inverse || step < 0) return byRank(rows, inverse ? chances : chances.fill(1), limits, words)

  const row = rowKeys(width)
  const chosen = rowChances(width, limits, row, rowOrder(width))
  let drawn = new Uint32Array(0)
  return masked(options, 1, (bits, delta, offset, length) => {
    if (drawn.length < length) drawn = new Uint32Array(length)
    words(offset, drawn.subarray(0, length))
    if (step === 0) return maskBelow(drawn, length, limits[0] ?? 0, bits)
    for (let from = 0; from < length; from += grain) {
      for (let first = from; first < from + stride; first++) {
        row.take(delta, first, stride)
        bitsTo(bits, first, stride, width, chosen(drawn, first, stride))
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

/** For every element its rank: kept ones are divided by what belongs to it, or chances fall. */
function byRank(
  { width, stride, grain }: ReturnType<typeof rowsOf>,
  divisors: Float64Array,
  limits: Uint32Array,
  words: (first: number, out: Uint32Array) => void,
): Sparsifier {
  const [row, order, drawn] = [rowKeys(width), rowOrder(width), new Uint32Array(grain)]
  return {
    passes: [],
    sparsify(delta, offset, length) {
      for (let from = 0; from < length; from += grain) {
        words(offset + from, drawn)
        for (let lane = 0; lane < stride; lane++) {
          row.take(delta, from + lane, stride)
          const ranks = order.ranks(row.keys)
          for (let j = 0; j < width; j++) {
            const at = from + lane + j * stride
            const kept = drawn[lane + j * stride]! < limits[ranks[j]!]! ? 1 : 0
            delta[at] = (delta[at]! * kept) / divisors[ranks[j]!]!
          }
        }
      }
    },
  }
}
