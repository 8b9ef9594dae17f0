import { describe, expect, test } from 'vitest'
import { trainProbe, type ProbeOutcome } from '../../../src/task/probing/train-probe.ts'
import type { ProbeJob } from '../../../src/task/probing/probe-job.ts'
import { goldenOf } from '../../golden-of.ts'
import { type DrawnData, probeData } from './probe-data.ts'

interface Recorded {
  readonly data: DrawnData
  readonly hidden?: readonly number[]
  readonly profile: 'corrected' | 'holmes'
  readonly scores: readonly number[]
}

const rows = (from: number, to: number): Int32Array => Int32Array.from({ length: to - from }, (_, i) => from + i)
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function jobOf(
  { data, hidden, profile }: Pick<Recorded, 'data' | 'hidden' | 'profile'>,
  seed: number,
  mdl = false,
): ProbeJob {
  const { x, targets } = probeData(data)
  const [train, test] = [Math.floor((data.n * 7) / 10), Math.floor((data.n * 8) / 10)]
  const seen = new Uint8Array(data.n - test)
  return {
    x,
    labels: targets,
    classes: data.K,
    train: rows(0, train),
    dev: rows(train, test),
    test: rows(test, data.n),
    seen,
    seed,
    settings: { profile, probe: hidden === undefined ? 'linear' : 'mlp', mdl },
  }
}

describe('trainProbe', () => {
  const { probes } = goldenOf<{ readonly probes: readonly Recorded[] }>('task/probing', 'probes')

  test.each(probes)('five seeds score as torch’s do: $data.K classes, $profile', (recorded) => {
    const scores = [0, 1, 2, 3, 4].map((seed) => trainProbe(jobOf(recorded, seed)).score ?? 0)
    // the draws are others: means of five seeds differ by less than a point
    expect(Math.abs(mean(scores) - mean(recorded.scores))).toBeLessThan(0.01)
  })

  const small = { data: { n: 400, d: 6, K: 3, seed: 3, noise: 0.1 }, profile: 'corrected' } as const

  test('the corrected profile does not care how inputs are scaled, the other does', () => {
    const score = (profile: 'corrected' | 'holmes', by: number): ProbeOutcome => {
      const job = jobOf({ ...small, profile }, 1)
      return trainProbe({ ...job, x: { ...job.x, data: job.x.data.map((value) => value * by) } })
    }
    // a power of two: no bit of a standardised input changes
    expect(score('corrected', 1 / 64)).toEqual(score('corrected', 1))
    expect(score('holmes', 1 / 64).score).not.toBe(score('holmes', 1).score)
  })

  test('seen and unseen are the rows that are flagged', () => {
    const job = jobOf(small, 1)
    const half = trainProbe({ ...job, seen: job.seen.map((_, i) => (i < 30 ? 1 : 0)) })
    expect(trainProbe({ ...job, test: job.test.subarray(0, 30) }).macro_f1).toBe(half.seen?.macro_f1)
    expect(trainProbe({ ...job, test: job.test.subarray(30) }).accuracy).toBe(half.unseen?.accuracy)
    expect(trainProbe(job).seen).toBeUndefined()
  })

  test('labels that can be read off are shorter online than coded uniformly; labels by chance are not', () => {
    const job = jobOf({ ...small, data: { ...small.data, n: 2000, noise: 0 } }, 1, true)
    const { mdl } = trainProbe(job)
    expect(mdl?.uniform_bits).toBeCloseTo(1400 * Math.log2(3), 8)
    expect(mdl?.compression).toBeGreaterThan(1.15)
    const chance = trainProbe({ ...job, labels: job.labels.map((_, row) => (row * 7919) % 3) })
    expect(chance.mdl?.compression).toBeLessThan(1)
  })
})
