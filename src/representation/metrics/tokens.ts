/** What the tokens of a text say: how much they spread, how their path bends. */
import { type Matrix64, mean } from '#core'
import { unitRows64 } from '#platform/linalg'
import type { TokenMetric } from './metric.ts'
import { centredColumns } from './rows.ts'
import { entropyOf, scaled, smallerGram, spectrumOf } from './spectrum.ts'

/** Rows less their mean, of length 1. */
export function standardised(tokens: Matrix64): Matrix64 {
  return unitRows64(centredColumns(tokens))
}

/** Entropy of the tokens' Gram matrix; texts of one token have none. */
export const sentence_entropy: TokenMetric = {
  kind: 'tokens',
  name: 'sentence_entropy',
  reference: 'Skean et al. 2025 (information_flow); raw_with_clamp as its files were recorded',
  async of(tokens) {
    if (tokens.rows < 2) return undefined
    const gram = await smallerGram(standardised(tokens))
    // with negative entries at 0 it is no Gram matrix any more, and may have eigenvalues below 0, which are dropped
    const clamped = { ...gram, data: gram.data.map((value) => Math.max(0, value)) }
    return {
      ...scaled(entropyOf(await spectrumOf(gram)), tokens.rows, tokens.width),
      raw_with_clamp: entropyOf(await spectrumOf(clamped)),
    }
  },
}

/**
 * Mean angle between neighbouring steps of the path of tokens, in radians; needs three tokens. `signed` is the paper's.
 */
export const curvature: TokenMetric = {
  kind: 'tokens',
  name: 'curvature',
  reference: 'Skean et al. 2025, of differences; recorded files: between neighbouring tokens',
  of(tokens) {
    if (tokens.rows < 3) return undefined
    const z = standardised(tokens)
    const steps = neighbourCosines(differences(z))
    return {
      signed: meanAngle(steps),
      absolute_cosine: meanAngle(steps.map(Math.abs)),
      signed_on_raw_states: meanAngle(neighbourCosines(differences(tokens))),
      old_between_neighbours: meanAngle(neighbourCosines(z)),
    }
  },
}

function differences({ rows, width, data }: Matrix64): Matrix64 {
  const out = new Float64Array((rows - 1) * width)
  for (let at = 0; at < out.length; at++) out[at] = data[at + width]! - data[at]!
  return { rows: rows - 1, width, data: out }
}

/** The cosine of each row and the next. A row of zeros has no direction, and is left out with both its angles. */
function neighbourCosines({ rows, width, data }: Matrix64): number[] {
  /** Inner product of rows i and j. */
  const dot = (i: number, j: number): number => {
    let product = 0
    for (let k = 0; k < width; k++) product += data[i * width + k]! * data[j * width + k]!
    return product
  }
  const squares = Float64Array.from({ length: rows }, (_, i) => dot(i, i))
  const cosines: number[] = []
  for (let i = 0; i + 1 < rows; i++) {
    const scale = Math.sqrt(squares[i]! * squares[i + 1]!)
    if (scale > 0) cosines.push(dot(i, i + 1) / scale)
  }
  return cosines
}

/** NaN of none. */
function meanAngle(cosines: readonly number[]): number {
  return mean(cosines.map((cosine) => Math.acos(Math.max(-1, Math.min(1, cosine)))))
}
