/** Columns without their means. */
import type { Matrix, Matrix64 } from '#core'

export function columnMeans({ rows, width, data }: Matrix): Float64Array {
  const means = new Float64Array(width)
  for (let i = 0; i < rows; i++) for (let k = 0; k < width; k++) means[k]! += data[i * width + k]!
  return means.map((sum) => sum / rows)
}

/** What rounding leaves of a column whose values are all the same; float32 values that differ at all differ by more, for the texts that fit a memory. */
const rounding = 1e-13

function lessMean(value: number, mean: number): number {
  const difference = value - mean
  return Math.abs(difference) <= rounding * Math.abs(mean) ? 0 : difference
}

/** Multiply-adds of two panels' product: in one call the engine makes one factor ready once, and does not hold this thread for long. */
const panelWork = 2 ** 31

/** [width × texts] each in float32, some of the texts after the other; centred before they are rounded, so that a large common part costs no digits. */
export function centredPanels(layer: Matrix): Matrix[] {
  const means = columnMeans(layer)
  const { rows, width, data } = layer
  const most = Math.max(1, Math.floor(panelWork / width ** 2))
  const panels: Matrix[] = []
  for (let from = 0; from < rows; from += most) {
    const texts = Math.min(most, rows - from)
    const out = new Float32Array(width * texts)
    for (let i = 0; i < texts; i++) for (let k = 0; k < width; k++) out[k * texts + i] = lessMean(data[(from + i) * width + k]!, means[k]!)
    panels.push({ rows: width, width: texts, data: out })
  }
  return panels
}

/** [rows × width] in float64. */
export function centred(layer: Matrix): Matrix64 {
  const means = columnMeans(layer)
  const { rows, width, data } = layer
  return { rows, width, data: Float64Array.from(data, (value, at) => lessMean(value, means[at % width]!)) }
}
