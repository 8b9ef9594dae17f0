import { describe, expect, test } from 'vitest'
import { philox } from '#platform/random'
import { type Cut, keyScratch, magnitudes, ranking } from '../../../../src/model/merge-methods/ranking.ts'
import { keeper } from '../../../../src/model/merge-methods/sparsifiers/keep.ts'
import { sameBits } from '../../../platform/wasm/same-bits.ts'

/** Values on a grid, so that many are equal. */
function drawn(length: number, grid: number): Float64Array {
  const words = new Uint32Array(length)
  philox(`${length} ${grid}`)(0, words)
  return Float64Array.from(words, (word) => Math.round((word / 2 ** 31 - 1) * grid) / grid)
}

const cases = [1, 2, 7, 1024, 1025, 3001].flatMap((length) => [3, 50, 1e6].map((grid) => [length, grid] as const))
const shares = [
  [0, 0.5],
  [0.1, 0.3],
  [0, 0.01],
  [0.2, 0.8],
  [0, 1],
] as const

describe.each(cases)('of %d values on a grid of %d', (length, grid) => {
  test.each(shares)('after %d from the top the next %d are kept, of equal ones the first', (dropped, share) => {
    const values = drawn(length, grid)
    const kept = Math.max(1, Math.floor(share * length))
    const top = Math.min(Math.floor(dropped * length), length - kept)
    const falling = Array.from(values.keys()).toSorted(
      (i, j) => Math.fround(Math.abs(values[j]!)) - Math.fround(Math.abs(values[i]!)) || i - j,
    )
    const want = new Float64Array(length)
    for (const i of falling.slice(top, top + kept)) want[i] = values[i]! * 2

    const order = ranking(() => [top, top + kept])
    const keys = keyScratch(length)
    keys.values.set(values)
    magnitudes(keys.bits, length)
    order.high(keys.bits, length)
    order.low(keys.bits, length)
    const [upper, lower] = order.cuts()
    const borders = keeper(dropped === 0 ? undefined : upper, lower!)
    for (const step of [length, 700, 1]) {
      const got = values.slice()
      borders.restart()
      for (let from = 0; from < length; from += step) borders.keep(got, from, Math.min(step, length - from), 2)
      expect(got.map((value) => value + 0)).toEqual(want.map((value) => value + 0))
    }
  })
})

sameBits(
  'model/merge-methods/sparsifiers/keep.ts',
  { lanes: 2, chunk: 2 ** 10 },
  {
    'count, keep'({ size, doubles }) {
      const values = doubles('delta')
      const keys = Array.from(new Uint32Array(Float32Array.from(values).buffer), (word) => word & 0x7fffffff)
      const falling = keys.toSorted((a, b) => b - a)
      const border = (place: number): Cut => ({ key: falling[place] ?? 0, equals: 1 + (size % 2) })
      const [top, bottom] = [border(size >> 3), border(size >> 1)]
      const seen = [0, 0]
      const isBefore = ({ key, equals }: Cut, i: number, which: 0 | 1): boolean =>
        keys[i]! > key || (keys[i] === key && seen[which]!++ < equals)
      const loop = values.map((value, i) => {
        const [above, inside] = [isBefore(top, i, 0), isBefore(bottom, i, 1)]
        return value * (inside && !above ? 1 : 0) * 1.5
      })
      keeper(top, bottom).keep(values, 0, size, 1.5)
      return { kernel: { values }, loop: { values: loop } }
    },
  },
)
