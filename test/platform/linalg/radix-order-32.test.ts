import { expect, test } from 'vitest'
import { radixOrder32 } from '#platform/linalg'

const { fround } = Math
const hard = [0, -0, 1e-40, -1e-40, 1, -1, fround(0.1), fround(-0.1), 3e38, -3e38, Infinity, -Infinity]
/** Ties of every kind, in no order. */
const madeValues = (length: number): Float32Array =>
  Float32Array.from(
    { length },
    (_, i) => (hard[(i * 7) % hard.length] ?? NaN) * (i % 3 === 0 ? 1 : ((i * i) % 997) + 1),
  )

// 4,096 and more are counted by larger digits
test.for([400, 4095, 4096, 9000])('the order of %i values is that of a stable comparison', (length) => {
  const values = madeValues(length)
  const wanted = Uint32Array.from(values, (_, place) => place).sort((a, b) => {
    const [first = NaN, second = NaN] = [values[a], values[b]]
    if (first === second) return a - b
    return first < second ? -1 : 1
  })
  expect(radixOrder32(values)).toEqual(wanted)
  // a part of a larger array is read from its own beginning
  expect(radixOrder32(values.subarray(8, 9))).toEqual(Uint32Array.of(0))
  expect(radixOrder32(new Float32Array(0))).toEqual(new Uint32Array(0))
})
