import { expect, test } from 'vitest'
import { summariesOf } from '#experiment/probe'
import type { ProbeUnit } from '../../../src/experiment/probe/units.ts'

const unit = (seed: number, score: number | null, more: Partial<ProbeUnit> = {}): ProbeUnit => ({
  dataSet: 'one',
  control: 'none',
  layer: 3,
  seed,
  instances: 10,
  dropped: 2,
  outcome: { score, macro_f1: score ?? undefined, accuracy: 0.5, epochs: 4, best_epoch: 2 },
  ...more,
})

test('a selectivity compares seeds with themselves', () => {
  const [summary] = summariesOf([unit(0, 0.9), unit(1, 0.8), unit(2, 0.4), unit(1, 0.5, { control: 'randomization' })])
  expect(summary?.score).toBeCloseTo(0.7, 12)
  expect(summary?.controls.randomization?.selectivity).toBeCloseTo(0.3, 12)
  expect(summary?.deviation).toBeCloseTo(Math.sqrt((0.04 + 0.01 + 0.09) / 3), 12)
})

test('a seed without a score leaves the mean without one', () => {
  expect(summariesOf([unit(0, 0.9), unit(1, null)])[0]).toMatchObject({
    score: null,
    deviation: null,
    seeds: { 0: 0.9, 1: null },
    instances: 10,
    dropped: 2,
  })
})
