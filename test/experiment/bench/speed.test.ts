import { describe, expect, test } from 'vitest'
import { millionPrice, sizeMeasured, toSpread } from '../../../src/experiment/bench/speed.ts'

describe('rates and latencies', () => {
  test('a rate is the number of texts over the seconds of all calls, per round', () => {
    const rounds = [
      { calls: [1, 3], texts: 8, tokens: 40 },
      { calls: [1, 1], texts: 8, tokens: 40 },
      { calls: [2, 6], texts: 8, tokens: 40 },
    ]
    // 8/4, 8/2, 8/8 texts per second
    const { textsPerSecond, tokensPerSecond, latency } = sizeMeasured(4, rounds)
    expect(textsPerSecond).toEqual({ median: 2, low: 1, high: 4 })
    expect(tokensPerSecond).toEqual({ median: 10, low: 5, high: 20 })
    // sorted 1 1 1 2 3 6: p50 half way between 1 and 2; p95 at 4.75: 3 + 0.75 · 3
    expect(latency.p50).toBe(1.5)
    expect(latency.p95).toBeCloseTo(5.25, 12)
    expect(latency.p99).toBeCloseTo(5.85, 12)
    expect(latency.calls).toBe(6)
  })

  test('tokens that nobody counts have no rate', () => {
    expect(sizeMeasured(1, [{ calls: [1], texts: 1, tokens: 0 }]).tokensPerSecond).toBeNull()
  })

  test('the spread does not depend on the order', () => {
    expect(toSpread([3, 1, 2, 10])).toEqual(toSpread([10, 2, 1, 3]))
    expect(toSpread([3, 1, 2, 10])).toEqual({ median: 2.5, low: 1, high: 10 })
  })

  test('a million texts are paid for at the fastest batch size', () => {
    const slow = sizeMeasured(1, [{ calls: [1], texts: 10, tokens: 0 }])
    const fast = sizeMeasured(64, [{ calls: [1], texts: 1000, tokens: 0 }])
    // 1,000 seconds at 3.6 per hour
    expect(millionPrice([slow, fast], 3.6)).toBeCloseTo(1, 12)
  })
})
