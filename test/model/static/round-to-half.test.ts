import { expect, test } from 'vitest'
import { narrow, widen } from '#files/formats'
import { roundToHalf } from '../../../src/model/static/round-to-half.ts'

test('gives what storing as float16 and reading again gives', () => {
  const halves = widen(new Uint8Array(Uint16Array.from({ length: 65_536 }, (_, i) => i).buffer), 'F16')
  const finite = halves.filter(Number.isFinite).toSorted()
  const between = finite.subarray(1).map((value, i) => (value + (finite[i] ?? 0)) / 2)
  const next = (values: Float32Array, step: number): Float32Array =>
    new Float32Array(new Int32Array(values.slice().buffer).map((word) => word + step).buffer)
  const outside = Float32Array.of(
    0,
    -0,
    65_504,
    65_519.996,
    65_520,
    -65_520,
    1e9,
    Infinity,
    -Infinity,
    Number.NaN,
    1e-45,
  )
  for (const values of [halves, finite, between, next(between, 1), next(between, -1), next(finite, 1), outside]) {
    const rounded = values.slice()
    roundToHalf(rounded, new Int32Array(rounded.buffer))
    const expected = widen(narrow(values, 'F16'), 'F16')
    expect(rounded.findIndex((value, i) => !Object.is(value, expected[i]))).toBe(-1)
  }
})
