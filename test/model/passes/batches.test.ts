import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paddingRatio, planBatches } from '../../../src/model/passes/batches.ts'

const lengths = fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 300 })

describe('planBatches', () => {
  test('every text is in exactly one batch', () => {
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 2048 }), (all, budget) => {
        const seen = planBatches(all, { budget }).flat()
        expect(seen.toSorted((a, b) => a - b)).toEqual(all.map((_, index) => index))
      }),
    )
  })

  test('no batch of more than one text exceeds the budget of padded tokens', () => {
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 2048 }), (all, budget) => {
        for (const batch of planBatches(all, { budget })) {
          const longest = Math.max(1, ...batch.map((index) => all[index] ?? 0))
          expect(batch.length === 1 || batch.length * longest <= budget).toBe(true)
        }
      }),
    )
  })

  test('texts of different regimes never share a batch', () => {
    const regime = (length: number): number => (length > 16 ? length : 0)
    fc.assert(
      fc.property(lengths, (all) => {
        for (const batch of planBatches(all, { regime })) {
          expect(new Set(batch.map((index) => regime(Math.max(1, all[index] ?? 0)))).size).toBe(1)
        }
      }),
    )
  })

  test('sorting by length leaves little padding', () => {
    const all = Array.from({ length: 1000 }, (_, index) => 5 + ((index * 37) % 90))
    // Unsorted batches of this mix pad to about 1.8; neighbours in length differ by little.
    expect(paddingRatio(planBatches(all, { budget: 1024 }), all)).toBeLessThan(1.1)
  })
})
