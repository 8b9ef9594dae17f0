/**
 * Tokens whose rows look as if they had never been trained: short ones, and ones that point where unused rows point.
 * Land & Bartolo 2024, "Fishing for Magikarp", as mergekit reads it.
 */
import { quantile } from '#core'
import type { Rows } from './rows.ts'

/** Share of rows that counts as too short, or too near the unused ones. */
const share = 0.01
/** A cosine below this is not near. */
const least = 0.5

/**
 * Ids of the table [embed.count] that are not to be trusted. `head`: the output rows, undefined where none are stored;
 * short rows are then no sign.
 */
export async function untrained(
  tokens: readonly (string | undefined)[],
  embed: Rows,
  head: Rows | undefined,
): Promise<Set<number>> {
  const unused: number[] = []
  for (let id = 0; id < embed.count; id++) {
    const token = tokens[id]
    if (token === undefined || /unused_token|reserved_special_token/.test(token)) unused.push(id)
  }
  const bad = new Set(unused)
  if (head !== undefined) {
    const lengths = await eachRow(embed, (row) => Math.sqrt(dot(row, row)))
    const threshold = quantile(lengths.toSorted(), share)
    lengths.forEach((length, id) => {
      if (length < threshold) bad.add(id)
    })
  }
  if (unused.length === 0) return bad
  for (const rows of head === undefined ? [embed] : [embed, head]) {
    const mean = await meanOfRows(rows, unused)
    const own = Math.sqrt(dot(mean, mean))
    const cosines = await eachRow(rows, (row) => dot(row, mean) / Math.max(1e-8, Math.sqrt(dot(row, row)) * own))
    const threshold = Math.max(least, quantile(cosines.toSorted(), 1 - share))
    cosines.forEach((cosine, id) => {
      if (cosine > threshold) bad.add(id)
    })
  }
  return bad
}

async function eachRow(rows: Rows, measure: (row: Float32Array) => number): Promise<Float64Array> {
  const out = new Float64Array(rows.count)
  let at = 0
  for await (const { rows: count, width, data } of rows.blocks())
    for (let i = 0; i < count; i++) out[at++] = measure(data.subarray(i * width, (i + 1) * width))
  return out
}

async function meanOfRows(rows: Rows, ids: readonly number[]): Promise<Float32Array> {
  const sum = new Float64Array(rows.width)
  const known = ids.filter((id) => id < rows.count)
  for (let from = 0; from < known.length; from += 4096) {
    const { rows: count, data } = await rows.take(known.slice(from, from + 4096))
    for (let i = 0; i < count * rows.width; i++) sum[i % rows.width] = sum[i % rows.width]! + data[i]! / known.length
  }
  return Float32Array.from(sum)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!
  return sum
}
