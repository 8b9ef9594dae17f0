/**
 * The vector of a text from the ids of its tokens: Σ weight · row / number of tokens – not divided by the sum of the
 * weights, as model2vec does it. Sums are float64, for float16 tables as NumPy's.
 */
import { fault } from '#core'
import { roundToHalf } from './round-to-half.ts'
import type { Entries } from './sum-rows.ts'
import type { Table } from './table.ts'

/** Writes the vector of a text into `target`, [width]; zeros stay where there is no token. */
export type TextMean = (ids: Int32Array, target: Float32Array) => void

/** The returned function throws `tensor.shape` for a token beyond the table. */
export function textMean(table: Table, normalized: boolean): TextMean {
  let entries: Entries = { rows: new Uint32Array(0), weights: new Float64Array(0) }
  const finish = table.half ? halfMean(table.width, normalized) : doubleMean(normalized)
  return (ids, target) => {
    if (ids.length === 0) return
    if (entries.rows.length < ids.length)
      entries = { rows: new Uint32Array(2 * ids.length), weights: new Float64Array(2 * ids.length) }
    fillEntries(table, ids, entries)
    finish(table.summed.sum(entries, ids.length), ids.length, target)
  }
}

function fillEntries({ place, rows, mapping, weights }: Table, ids: Int32Array, entries: Entries): void {
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] ?? 0
    const index = mapping === undefined ? id : mapping[id]
    const weight = weights === undefined ? 1 : weights[id]
    if (index === undefined || weight === undefined || index >= rows) {
      throw fault('tensor.shape', {
        place,
        what: 'a token is not in the table',
        seen: id,
        wanted: `0 … ${(mapping?.length ?? rows) - 1}`,
        hint: 'the tokenizer belongs to another table',
      })
    }
    entries.rows[i] = index
    entries.weights[i] = weight
  }
}

type Sums = Float32Array | Float64Array | Int32Array
type Finish = (sums: Sums, count: number, target: Float32Array) => void

function doubleMean(normalized: boolean): Finish {
  return (sums, count, target) => {
    let squares = 0
    if (normalized)
      for (let i = 0; i < sums.length; i++) {
        const mean = (sums[i] ?? 0) / count
        squares += mean * mean
      }
    // model2vec adds 1e-32 to the norm: rows of zeros stay zeros.
    const scale = 1 / count / (normalized ? Math.sqrt(squares) + 1e-32 : 1)
    for (let i = 0; i < sums.length; i++) target[i] = (sums[i] ?? 0) * scale
  }
}

/** NumPy on float16: sums in float32, and every result – mean, square, norm, quotient – rounded to float16. */
function halfMean(width: number, normalized: boolean): Finish {
  const values = new Float32Array(width)
  const bits = new Int32Array(values.buffer)
  const one = new Float32Array(1)
  const oneBits = new Int32Array(one.buffer)
  const half = (value: number): number => {
    one[0] = value
    roundToHalf(one, oneBits)
    return one[0]
  }
  return (sums, count, target) => {
    for (let i = 0; i < width; i++) values[i] = (sums[i] ?? 0) / count
    roundToHalf(values, bits)
    target.set(values)
    if (!normalized) return
    for (let i = 0; i < width; i++) values[i] = (target[i] ?? 0) * (target[i] ?? 0)
    roundToHalf(values, bits)
    let squares = 0
    for (let i = 0; i < width; i++) squares = Math.fround(squares + (values[i] ?? 0))
    const norm = half(Math.sqrt(half(squares)))
    for (let i = 0; i < width; i++) values[i] = norm > 0 ? (target[i] ?? 0) / norm : 0
    roundToHalf(values, bits)
    target.set(values)
  }
}
