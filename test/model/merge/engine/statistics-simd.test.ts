import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runLength, sumsOfRun } from '../../../../src/model/merge/engine/statistics-simd.ts'
import { mostElements, tensorStatistics } from '../../../../src/model/merge/engine/statistics.ts'
import { sameBits } from '../../../platform/wasm/same-bits.ts'

/** One element after the other, as the interface says it. */
function plain(base: Float64Array | undefined, input: Float64Array, out: Float64Array): Record<string, number> {
  const sums = { square: 0, product: 0, far: 0, agree: 0, changed: 0, kept: 0 }
  input.forEach((value, i) => {
    const from = base?.[i] ?? 0
    const [change, step] = [value - from, out[i]! - from]
    sums.square += value * value
    sums.product += value * out[i]!
    sums.far += change * change
    if (change * step > 0 || (change === 0 && step === 0)) sums.agree++
    if (change !== 0) sums.changed++
    if (change !== 0 && step !== 0) sums.kept++
  })
  return sums
}

// Small whole numbers and halves: every sum is exact in float64, so that no order of adding shows.
const number = fc.integer({ min: -8, max: 8 }).map((whole) => whole / 2)
const rows = fc
  .integer({ min: 1, max: 70 })
  .chain((length) =>
    fc.tuple(
      ...['base', 'one', 'two', 'out'].map(() =>
        fc.array(number, { minLength: length, maxLength: length }).map((row) => Float64Array.from(row)),
      ),
    ),
  )

describe('the sums of a run', () => {
  test('are those of its elements one by one, with a base and without', () => {
    fc.assert(
      fc.property(rows, fc.boolean(), ([base, one, two, out], hasBase) => {
        const from = hasBase ? base : undefined
        expect(sumsOfRun(from, [one!, two!], out!, out!.length)).toEqual(
          [one!, two!, out!].map((input) => plain(from, input, out!)),
        )
      }),
    )
  })
})

describe('the statistics of a tensor', () => {
  test('do not depend on its blocks', () => {
    const count = 3 * runLength + 777
    const values = (seed: number): Float32Array =>
      Float32Array.from({ length: count }, (_, i) => Math.sin(i * seed) * 0.1)
    const [base, one, two, out] = [values(1.1), values(1.2), values(1.3), values(1.4)]
    const inBlocks = (size: number): unknown => {
      const statistics = tensorStatistics(count, 2, true)
      for (let offset = 0; offset < count; offset += size) {
        const cut = (all: Float32Array): Float32Array => all.subarray(offset, Math.min(count, offset + size))
        statistics.add({ offset, length: cut(out).length, base: cut(base), inputs: [cut(one), cut(two)] }, cut(out))
      }
      return statistics.result()
    }
    const whole = inBlocks(count)
    expect(whole).toMatchObject({ elements: count })
    for (const size of [1, 7, runLength - 1, runLength, 5000]) expect(inBlocks(size)).toEqual(whole)
  })

  test('look at even runs of a large tensor', () => {
    const count = 5 * mostElements + 3
    const statistics = tensorStatistics(count, 1, false)
    const runs = statistics.chosen(0, count)
    const seen = runs.reduce((sum, [from, to]) => sum + to - from, 0)
    expect(seen).toBeGreaterThan(0.8 * mostElements)
    expect(seen).toBeLessThanOrEqual(mostElements)
    expect(new Set(runs.slice(1).map(([from], k) => from - runs[k]![0])).size).toBe(1)
  })
})

/** The same with two sums side by side, of even and of odd elements. */
function inTwos(base: Float64Array | undefined, input: Float64Array, out: Float64Array): number[] {
  const [even, odd] = [0, 1].map((first) => {
    const of = (values: Float64Array): Float64Array => values.filter((_, i) => i % 2 === first)
    return Object.values(plain(base === undefined ? undefined : of(base), of(input), of(out)))
  })
  return even!.map((sum, k) => sum + odd![k]!)
}

sameBits(
  'model/merge/engine/statistics-simd.ts',
  { lanes: 2, chunk: runLength, least: 1, most: runLength },
  {
    run({ doubles }) {
      const [base, one, two, out] = ['base', 'one', 'two', 'out'].map(doubles)
      const kernel = [base, undefined]
        .flatMap((from) => sumsOfRun(from, [one!, two!], out!, out!.length))
        .flatMap((sums) => Object.values(sums) as number[])
      return {
        kernel: { sums: kernel },
        loop: {
          sums: [base, undefined].flatMap((from) => [one!, two!, out!].flatMap((input) => inTwos(from, input, out!))),
        },
      }
    },
  },
)
