/** Predictions of several classifiers as those of one: votes, mean probabilities, mean logits. */
import { fault, matrix, type Matrix, row } from '#core'

/**
 * `majority`: a vote each; `weighted_majority`: votes by weight; `soft_vote`: mean of the probabilities;
 * `weighted_logits`: mean of the logits by weight.
 */
export const ensembleMethods = ['majority', 'weighted_majority', 'soft_vote', 'weighted_logits'] as const
export type EnsembleMethod = (typeof ensembleMethods)[number]

/** What decides between labels of equal votes: too little to matter between others. */
const tieBreak = 1e-4

/**
 * Scores of the labels, [texts × labels]: the largest is the answer of all. Labels of equal votes are ordered by their
 * mean probability. `weights`: one per classifier, summing to 1; `majority` and `soft_vote` have no use for them. Throws
 * `internal` for classifiers of other shapes.
 */
export function combineLogits(logits: readonly Matrix[], weights: readonly number[], method: EnsembleMethod): Matrix {
  const [first] = logits
  if (first === undefined || logits.some(({ rows, width }) => rows !== first.rows || width !== first.width))
    throw fault('internal', { place: 'ensemble', what: 'logits of other shapes' })
  const { rows, width } = first
  const out = new Float32Array(rows * width)
  for (let i = 0; i < rows; i++) {
    const own = out.subarray(i * width, (i + 1) * width)
    logits.forEach((one, k) => {
      add(own, row(one, i), { method, weight: weights[k] ?? 0, share: 1 / logits.length })
    })
  }
  return matrix(rows, width, out)
}

interface Part {
  readonly method: EnsembleMethod
  readonly weight: number
  /** One over the number of classifiers. */
  readonly share: number
}

/** Adds one classifier's part for a text. */
function add(own: Float32Array, logits: Float32Array, { method, weight, share }: Part): void {
  switch (method) {
    case 'majority':
      return vote(own, logits, { weight: share, share })
    case 'weighted_majority':
      return vote(own, logits, { weight, share })
    case 'soft_vote':
      return probabilities(logits).forEach((value, label) => {
        own[label] = (own[label] ?? 0) + share * value
      })
    case 'weighted_logits':
      return logits.forEach((value, label) => {
        own[label] = (own[label] ?? 0) + weight * value
      })
    default:
      return method satisfies never
  }
}

function vote(own: Float32Array, logits: Float32Array, { weight, share }: Omit<Part, 'method'>): void {
  const voted = logits.indexOf(Math.max(...logits))
  probabilities(logits).forEach((value, label) => {
    own[label] = (own[label] ?? 0) + (label === voted ? weight : 0) + tieBreak * share * value
  })
}

function probabilities(logits: Float32Array): Float64Array {
  const largest = Math.max(...logits)
  const powers = Float64Array.from(logits, (value) => Math.exp(value - largest))
  const total = powers.reduce((sum, value) => sum + value, 0)
  return powers.map((value) => value / total)
}
