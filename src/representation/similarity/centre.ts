/** Columns without their means. */
import type { Matrix, Matrix64 } from '#core'

export function columnMeans({ rows, width, data }: Matrix): Float64Array {
  const means = new Float64Array(width)
  for (let at = 0; at < data.length;) for (let k = 0; k < width; k++) means[k]! += data[at++]!
  return means.map((sum) => sum / rows)
}

/**
 * What rounding leaves of a column whose values are all the same; float32 values that differ at all differ by more, for
 * the texts that fit a memory.
 */
const rounding = 1e-13

function lessMean(value: number, mean: number): number {
  const difference = value - mean
  return Math.abs(difference) <= rounding * Math.abs(mean) ? 0 : difference
}

/** Rows whose numbers of a column are written next to each other: a line of the cache. */
const strip = 16

/** [width × rows] in float32; centred before it is rounded, so that a large common part costs no digits. */
export function centredTransposed(layer: Matrix): Matrix {
  const means = columnMeans(layer)
  const { rows, width, data } = layer
  const out = new Float32Array(data.length)
  for (let from = 0; from < rows; from += strip) {
    const to = Math.min(rows, from + strip)
    for (let k = 0; k < width; k++) {
      const mean = means[k]!
      for (let i = from; i < to; i++) out[k * rows + i] = lessMean(data[i * width + k]!, mean)
    }
  }
  return { rows: width, width: rows, data: out }
}

/** [rows × width] in float64. */
export function centred(layer: Matrix): Matrix64 {
  const means = columnMeans(layer)
  const { rows, width, data } = layer
  return { rows, width, data: Float64Array.from(data, (value, at) => lessMean(value, means[at % width]!)) }
}
