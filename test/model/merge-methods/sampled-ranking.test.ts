import { expect, test } from 'vitest'
import { philox } from '#platform/random'
import { ranking } from '../../../src/model/merge-methods/ranking.ts'
import { sampledRanking } from '../../../src/model/merge-methods/sampled-ranking.ts'

const count = 400_000
const places = [140_000, 200_000]
const step = 30_001

/** Magnitudes around one, as changes of weights are: sums of bytes. */
function magnitudes(seed: string, digits: number): Uint32Array {
  const words = new Uint32Array(count)
  philox(seed)(0, words)
  const values = Float32Array.from(
    words,
    (word) =>
      Math.abs((word & 255) + ((word >>> 8) & 255) + ((word >>> 16) & 255) - 382.5 + (word >>> 24) / digits) / 256,
  )
  return new Uint32Array(values.buffer)
}

function ranked(keys: Uint32Array, sample: Uint32Array): { cuts: readonly unknown[]; passes: number[] } {
  const order = sampledRanking(places, count)
  if (sample.length > 0) order.sample(sample, sample.length)
  const passes = order.passes.flatMap((pass, at) => {
    if (!order.needs(at)) return []
    for (let from = 0; from < count; from += step) pass(keys.slice(from, from + step), Math.min(step, count - from))
    return [at]
  })
  return { cuts: order.cuts(), passes }
}

function inTwoPasses(keys: Uint32Array): readonly unknown[] {
  const order = ranking(() => places)
  order.high(keys, count)
  order.low(keys, count)
  return order.cuts()
}

test.each([1, 255, 1e9])(
  'a sample spares passes and changes no border, nor does one that tells the wrong ones (%d)',
  (digits) => {
    const keys = magnitudes('keys', digits)
    const own = keys.filter((_, i) => i % 2 === 0)
    const larger = Uint32Array.from(own, (key) => key + 2 ** 24)
    const wanted = inTwoPasses(keys)
    expect(ranked(keys, new Uint32Array(0))).toEqual({ cuts: wanted, passes: [1, 2] })
    expect(ranked(keys, own)).toEqual({ cuts: wanted, passes: [0] })
    expect(ranked(keys, larger)).toEqual({ cuts: wanted, passes: [0, 1, 2] })
    // counters are used again: what was counted before does not show
    expect(ranked(keys, own)).toEqual({ cuts: wanted, passes: [0] })
  },
)

test('a sample too small to place a border is not relied on', () => {
  const keys = magnitudes('keys', 1)
  expect(ranked(keys, keys.subarray(0, 50))).toEqual({ cuts: inTwoPasses(keys), passes: [1, 2] })
})
