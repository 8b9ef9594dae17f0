/** What the tokens of a text say: how much they spread, how their path bends. */
import type { Matrix64 } from '#core'
import { symmetricEigen, timesTransposed, transposed } from '#platform/linalg'
import type { TokenMetric } from './metric.ts'
import { centredColumns, unitRows } from './rows.ts'
import { entropyOf, gramEntropy, scaled } from './spectrum.ts'

/** Rows less their mean, of length 1. */
export function standardised(tokens: Matrix64): Matrix64 {
  return unitRows(centredColumns(tokens))
}

/** Entropy of the tokens' Gram matrix; texts of one token have none. */
export const sentence_entropy: TokenMetric = {
  kind: 'tokens',
  name: 'sentence_entropy',
  reference: 'Skean et al. 2025 (information_flow); raw_with_clamp as its files were recorded',
  async of(tokens) {
    if (tokens.rows < 2) return undefined
    const z = standardised(tokens)
    return { ...scaled(await gramEntropy(z), tokens.rows, tokens.width), raw_with_clamp: await clampedEntropy(z) }
  },
}

/** With negative entries of the smaller Gram matrix at 0, which is then none any more: eigenvalues below 0 are dropped. */
async function clampedEntropy(z: Matrix64): Promise<number> {
  const side = z.rows <= z.width ? z : transposed(z)
  const gram = (await timesTransposed(side, side)).map((value) => Math.max(0, value))
  const { values } = await symmetricEigen({ rows: side.rows, width: side.rows, data: gram }, 0)
  return entropyOf(values.map((value) => Math.max(0, value)))
}

/** Mean angle between neighbouring steps of the path of tokens, in radians; of texts of three tokens and more. `signed` is the paper's. */
export const curvature: TokenMetric = {
  kind: 'tokens',
  name: 'curvature',
  reference: 'Skean et al. 2025, of differences; recorded files: between neighbouring tokens',
  of(tokens) {
    if (tokens.rows < 3) return undefined
    const z = standardised(tokens)
    const [steps, rawSteps] = [differences(z), differences(tokens)]
    return {
      signed: meanAngle(steps, (cosine) => cosine),
      absolute_cosine: meanAngle(steps, Math.abs),
      signed_on_raw_states: meanAngle(rawSteps, (cosine) => cosine),
      old_between_neighbours: meanAngle(z, (cosine) => cosine),
    }
  },
}

function differences({ rows, width, data }: Matrix64): Matrix64 {
  const out = new Float64Array((rows - 1) * width)
  for (let at = 0; at < out.length; at++) out[at] = data[at + width]! - data[at]!
  return { rows: rows - 1, width, data: out }
}

/** Between each row and the next. A row of zeros has no direction, and its angles do not count. */
function meanAngle({ rows, width, data }: Matrix64, of: (cosine: number) => number): number {
  /** Of rows i and j. */
  const dot = (i: number, j: number): number => {
    let product = 0
    for (let k = 0; k < width; k++) product += data[i * width + k]! * data[j * width + k]!
    return product
  }
  let [sum, count] = [0, 0]
  for (let i = 0; i + 1 < rows; i++) {
    const scale = Math.sqrt(dot(i, i) * dot(i + 1, i + 1))
    if (!(scale > 0)) continue
    sum += Math.acos(Math.max(-1, Math.min(1, of(dot(i, i + 1) / scale))))
    count++
  }
  return count === 0 ? NaN : sum / count
}
