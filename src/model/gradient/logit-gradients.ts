/** Gradients of log p(y | x) with respect to the logits, for the classes that a diagonal is taken over. */
import { fault, type Matrix64 } from '#core'
import type { DefaultRng } from '#platform/random'
import type { FisherText } from './text-pack.ts'

/**
 * `labelled`  the class given with the text (the empirical Fisher information);
 * `sampled`   one drawn from the model's own distribution;
 * `expected`  the mean over all classes, weighted with their probability.
 */
export type FisherLabels = 'labelled' | 'sampled' | 'expected'

export interface LogitGradientOptions {
  readonly labels: FisherLabels
  readonly examples: readonly FisherText[]
  /** Draws `sampled` classes, one number per text. */
  readonly draws: DefaultRng
  /** Number of the first text, for messages. */
  readonly index: number
}

/**
 * One matrix [texts × labels] per way back: for class y, [c = y] − p(c). Those of `expected` are times √p(y), whose
 * squares weigh squared gradients. Throws `usage.value` for a text without a label, or with one that the model lacks.
 */
export function logitGradients(logits: Matrix64, options: LogitGradientOptions): Iterable<Matrix64> {
  const shares = softmaxRows(logits)
  const { rows, width } = logits
  switch (options.labels) {
    case 'labelled':
      return [gradientFor(shares, (text) => givenLabel(options.examples[text]?.label, width, options.index + text))]
    case 'sampled': {
      const drawn = options.draws.random(rows)
      return [gradientFor(shares, (text) => drawnClass(shares, text, drawn[text]!))]
    }
    case 'expected':
      return Array.from({ length: width }, (_, label) =>
        weighted(
          gradientFor(shares, () => label),
          shares,
          label,
        ),
      )
    default:
      return options.labels satisfies never
  }
}

function gradientFor(shares: Matrix64, labelFor: (text: number) => number): Matrix64 {
  const data = shares.data.map((share) => -share)
  for (let text = 0; text < shares.rows; text++) data[text * shares.width + labelFor(text)]! += 1
  return { ...shares, data }
}

function weighted(gradient: Matrix64, shares: Matrix64, label: number): Matrix64 {
  const { width } = gradient
  const data = gradient.data.map((value, k) => value * Math.sqrt(shares.data[Math.floor(k / width) * width + label]!))
  return { ...gradient, data }
}

/** The first class whose cumulative probability exceeds the draw. */
function drawnClass({ width, data }: Matrix64, text: number, draw: number): number {
  let sum = 0
  for (let k = 0; k < width - 1; k++) {
    sum += data[text * width + k]!
    if (draw < sum) return k
  }
  return width - 1
}

function givenLabel(label: number | undefined, labels: number, index: number): number {
  if (label !== undefined && Number.isInteger(label) && label >= 0 && label < labels) return label
  throw fault('usage.value', {
    place: `example ${index}`,
    what: label === undefined ? 'has no label' : 'has a label that the model lacks',
    seen: label,
    wanted: `a whole number from 0 to ${labels - 1}`,
    hint: label === undefined ? "give labels, or take 'sampled' or 'expected'" : undefined,
  })
}

function softmaxRows({ rows, width, data }: Matrix64): Matrix64 {
  const out = new Float64Array(data.length)
  for (let r = 0; r < rows; r++) {
    const row = data.subarray(r * width, (r + 1) * width)
    const largest = row.reduce((most, value) => Math.max(most, value), -Infinity)
    let sum = 0
    for (let k = 0; k < width; k++) sum += out[r * width + k] = Math.exp(row[k]! - largest)
    for (let k = 0; k < width; k++) out[r * width + k] = out[r * width + k]! / sum
  }
  return { rows, width, data: out }
}
