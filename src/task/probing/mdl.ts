/**
 * Minimum description length by online coding (Voita & Titov 2020; Holmes's fractions): the labels sent slice by slice,
 * each coded by a probe trained on the slices before it. The cuts are at 1/1024, 1/512 … 1/2 of the training rows in
 * their order; the first slice is coded uniformly.
 */
import type { Perceptron } from '#platform/linalg'
import type { ProbeJob } from './probe-job.ts'

export interface DescriptionLength {
  /** All labels coded uniformly, and online, in bits; null for a number, which has no code. */
  readonly uniform_bits: number | null
  readonly bits: number | null
  readonly compression: number | null
  /**
   * As Holmes adds them up: losses in nats against a uniform code in bits, slices of 2·⌊f·N⌋ rows; for a number,
   * squared errors against smooth-L1 losses.
   */
  readonly original: {
    readonly uniform_length: number
    readonly minimum_description_length: number
    readonly compression: number
  }
}

const fractions = Array.from({ length: 10 }, (_, i) => 2 ** (i - 10))

export function descriptionLength(
  { labels, classes, train }: ProbeJob,
  fit: (rows: Int32Array) => Perceptron,
  lossOf: (rows: Int32Array, outputs: Float32Array) => number,
): DescriptionLength {
  const all = train.length
  const sizes = fractions.map((fraction) => Math.floor(all * fraction)).filter((size) => size > 0)
  const first = sizes[0] ?? all
  let [nats, original] = [0, 0]
  for (const [i, size] of sizes.entries()) {
    const probe = fit(train.subarray(0, size))
    try {
      const next = sizes[i + 1] ?? all
      // fractions are rounded down, so that the next slice may begin a row later than twice this one
      const rows = train.subarray(size, Math.max(next, 2 * size))
      const outputs = probe.outputs(rows)
      const sum = (end: number): number => lossOf(rows.subarray(0, end - size), outputs)
      nats += sum(next)
      original += sum(2 * size)
    } finally {
      probe.release()
    }
  }
  if (classes === 1) {
    const mean = train.reduce((sum, row) => sum + (labels[row] ?? 0), 0) / all
    const uniform = train.reduce((sum, row) => sum + ((labels[row] ?? 0) - mean) ** 2, 0)
    return {
      uniform_bits: null,
      bits: null,
      compression: null,
      original: lengths(uniform, first * (uniform / all) + original),
    }
  }
  const label = Math.log2(classes)
  const bits = first * label + nats / Math.LN2
  return {
    uniform_bits: all * label,
    bits,
    compression: (all * label) / bits,
    original: lengths(all * label, first * label + original),
  }
}

function lengths(uniform: number, own: number): DescriptionLength['original'] {
  return { uniform_length: uniform, minimum_description_length: own, compression: uniform / own }
}
