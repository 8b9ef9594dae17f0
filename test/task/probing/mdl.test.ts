import { describe, expect, test } from 'vitest'
import type { Perceptron } from '#platform/linalg'
import { type DescriptionLength, descriptionLength } from '../../../src/task/probing/mdl.ts'
import type { ProbeJob } from '../../../src/task/probing/probe-job.ts'

/** A description of `n` labels by probes that know nothing but their slices: every row costs `nats`. */
function described(
  n: number,
  classes: number,
  nats: number,
): { length: DescriptionLength; trained: number[]; coded: number[][] } {
  const train = Int32Array.from({ length: n }, (_, i) => i)
  const labels = Float64Array.from(train, (row) => row % Math.max(2, classes))
  const job = { labels, classes, train } as unknown as ProbeJob
  const [trained, coded] = [[] as number[], [] as number[][]]
  const fit = (rows: Int32Array): Perceptron => {
    trained.push(rows.length)
    return { epochs: 1, best: 1, release: () => undefined, outputs: (asked) => new Float32Array(asked.length) }
  }
  const length = descriptionLength(job, fit, (rows) => {
    coded.push(rows.length === 0 ? [] : [rows[0] ?? 0, rows.at(-1) ?? 0])
    return rows.length * nats
  })
  return { length, trained, coded }
}

describe('descriptionLength', () => {
  test('trains on 1/1024 … 1/2 of the rows in their order and codes what comes next, each row once', () => {
    const { trained, coded } = described(2048, 2, 1)
    expect(trained).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
    expect(coded.filter((_, i) => i % 2 === 0)).toEqual(trained.map((size) => [size, 2 * size - 1]))
  })

  test('a probe that knows nothing takes what uniform coding takes', () => {
    const { length } = described(1000, 4, Math.log(4))
    expect(length.bits).toBeCloseTo(2000, 8)
    expect(length.compression).toBeCloseTo(1, 12)
  })

  test('as Holmes adds up: nats beside bits, slices of twice the fraction', () => {
    // ⌊f·1001⌋ is 1, 3, 7, 15, 31, 62, 125, 250, 500 (1/1024 of it is no row); 994 rows are coded by probes, each for
    // one nat
    const { length } = described(1001, 4, 1)
    expect(length.original.uniform_length).toBe(2002)
    expect(length.original.minimum_description_length).toBeCloseTo(2 * 1 + 994, 8)
    expect(length.bits).toBeCloseTo(2 * 1 + 1000 / Math.LN2, 8)
  })

  test('a number has squared errors in place of a uniform code, and no bits', () => {
    const { length } = described(1024, 1, 0.1)
    expect(length.bits).toBeNull()
    // labels 0 and 1 by turns: each is half away from the mean
    expect(length.original.uniform_length).toBeCloseTo(256, 8)
    expect(length.original.minimum_description_length).toBeCloseTo(0.25 + 1023 * 0.1, 8)
  })
})
