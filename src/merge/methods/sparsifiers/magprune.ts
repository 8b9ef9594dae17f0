/**
 * Keeps the element of rank r among the m magnitudes of its row with probability (density − ε) + 2ε·r/(m − 1). Deep, Bhardwaj & Poria 2024 (DELLA). A row runs along the
 * second axis, a vector is one row; magnitudes are compared as float32, equal ones rise in order of their position.
 *
 * Most draws are decided without a rank: below density − ε, above density + ε, or by the bucket that the magnitude's upper bits fall into. Only the rest count within their bucket.
 */
import { fault } from '../../../core/index.ts'
import { numberOf } from '../../method.ts'
import { keyScratch } from '../ranking.ts'
import type { Sparsifier } from './sparsifier.ts'

/** Exponent and four bits of mantissa. */
const [bucketShift, buckets] = [19, 2 ** 12]

export const magprune: Sparsifier = ({ task, values, input, inverse }) => {
  const [density, epsilon] = [numberOf(values, 'density'), numberOf(values, 'epsilon')]
  if (density >= 1) return undefined
  if (density <= 0) {
    return {
      looks: [],
      thin(delta, _, length) {
        for (let i = 0; i < length; i++) delta[i]! *= 0
      },
    }
  }
  if (!(density - epsilon > 0 && density + epsilon < 1)) {
    throw fault('config.value', {
      place: `${task.name} › input ${input + 1}`,
      what: 'density − epsilon must be above 0 and density + epsilon below 1',
      seen: { density, epsilon },
    })
  }
  const { width, stride, grain } = rowsOf(task.shape)
  const step = width > 1 ? (2 * epsilon) / (width - 1) : 0
  const chances = Float64Array.from({ length: width }, (_, rank) => (width > 1 ? density - epsilon + step * rank : density))
  const limits = chances.map((chance) => Math.floor(chance * 2 ** 32))
  const words = task.random(input)
  const drawn = new Uint32Array(grain)
  const rank = rowRanks(width)
  return {
    looks: [],
    thin(delta, offset, length) {
      for (let from = 0; from < length; from += grain) {
        words(offset + from, drawn)
        for (let lane = 0; lane < stride; lane++) pruneRow(delta, from + lane, stride, drawn, lane, limits, inverse ? chances : undefined, rank)
      }
    },
  }
}

/** Rows along the second axis: elements of one lie `stride` apart, `grain` elements hold whole rows. */
export function rowsOf(shape: readonly number[]): { width: number; stride: number; grain: number } {
  const width = (shape.length < 2 ? shape[0] : shape[1]) ?? 1
  const stride = shape.slice(2).reduce((product, size) => product * size, 1)
  return { width, stride, grain: width * stride }
}

interface RowRanks {
  readonly width: number
  readonly values: Float32Array
  readonly bits: Uint32Array
  /** Rank of the first element of each bucket; one more entry than buckets. */
  readonly starts: Int32Array
  /** Positions of the row by bucket. */
  readonly order: Int32Array
  /** Positions whose draw needs a rank; one more than there can be. */
  readonly open: Int32Array
}

function rowRanks(width: number): RowRanks {
  return { width, ...keyScratch(width), starts: new Int32Array(buckets + 2), order: new Int32Array(width), open: new Int32Array(width + 1) }
}

function pruneRow(
  delta: Float64Array,
  first: number,
  stride: number,
  words: Uint32Array,
  firstWord: number,
  limits: Float64Array,
  chances: Float64Array | undefined,
  rank: RowRanks,
): void {
  const { width, values, bits, starts, order } = rank
  if (stride === 1) values.set(delta.subarray(first, first + width))
  else for (let j = 0; j < width; j++) values[j] = delta[first + j * stride]!
  sortIntoBuckets(bits, width, starts, order)
  if (chances !== undefined) {
    for (let j = 0; j < width; j++) {
      const bucket = bits[j]! >>> bucketShift
      const own = exactRank(j, bits, order, starts[bucket]!, starts[bucket + 1]!)
      const kept = words[firstWord + j * stride]! < limits[own]! ? 1 : 0
      delta[first + j * stride] = (delta[first + j * stride]! * kept) / chances[own]!
    }
    return
  }
  const undecided = settle(delta, first, stride, words, firstWord, width, limits[0]!, limits[width - 1]!, rank.open)
  for (let at = 0; at < undecided; at++) {
    const j = rank.open[at]!
    const word = words[firstWord + j * stride]!
    const bucket = bits[j]! >>> bucketShift
    const [low, high] = [starts[bucket]!, starts[bucket + 1]!]
    if (word < limits[low]!) continue
    if (word >= limits[high - 1]! || word >= limits[exactRank(j, bits, order, low, high)]!) delta[first + j * stride]! *= 0
  }
}

/** Drops what no rank would keep, and lists what ranks must decide. Bits instead of branches, as the words are random: a difference of halves is negative where one word is below another. */
function settle(
  delta: Float64Array,
  first: number,
  stride: number,
  words: Uint32Array,
  firstWord: number,
  width: number,
  always: number,
  never: number,
  open: Int32Array,
): number {
  const [halfAlways, oddAlways, halfNever, oddNever] = [always >>> 1, always & 1, never >>> 1, never & 1]
  let count = 0
  for (let j = 0; j < width; j++) {
    const word = words[firstWord + j * stride]!
    const even = ~word & 1
    const kept = ((word >>> 1) - halfAlways - (oddAlways & even)) >>> 31
    const possible = ((word >>> 1) - halfNever - (oddNever & even)) >>> 31
    open[count] = j
    count += possible & (kept ^ 1)
    delta[first + j * stride]! *= possible
  }
  return count
}

/** Counting sort by the upper bits; sign bits are cleared on the way. */
function sortIntoBuckets(bits: Uint32Array, width: number, starts: Int32Array, order: Int32Array): void {
  let [lowest, highest] = [buckets - 1, 0]
  for (let j = 0; j < width; j++) {
    bits[j]! &= 0x7fffffff
    const bucket = bits[j]! >>> bucketShift
    if (bucket < lowest) lowest = bucket
    if (bucket > highest) highest = bucket
  }
  starts.fill(0, lowest, highest + 3)
  for (let j = 0; j < width; j++) starts[(bits[j]! >>> bucketShift) + 2]!++
  for (let bucket = lowest + 2; bucket <= highest + 1; bucket++) starts[bucket + 1]! += starts[bucket]!
  // One entry further on, each start is moved to the end of its bucket while filling: the start of the next one.
  for (let j = 0; j < width; j++) order[starts[(bits[j]! >>> bucketShift) + 1]!++] = j
}

function exactRank(j: number, bits: Uint32Array, order: Int32Array, low: number, high: number): number {
  const key = bits[j]!
  let rank = low
  for (let at = low; at < high; at++) {
    const other = order[at]!
    const value = bits[other]!
    if (value < key || (value === key && other < j)) rank++
  }
  return rank
}
