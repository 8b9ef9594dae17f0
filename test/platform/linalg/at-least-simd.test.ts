import { expect, test } from 'vitest'
import { mostAtLeast, placesAtLeast } from '#platform/linalg'
import { type Draw, sameBits } from '../wasm/same-bits.ts'

const step = (floorOf: (numbers: Float32Array) => number) => (draw: Draw) => {
  const numbers = draw.floats('numbers').subarray(0, mostAtLeast)
  const floor = floorOf(numbers)
  return {
    kernel: { places: placesAtLeast(numbers, floor).slice() },
    loop: { places: [...numbers.keys()].filter((place) => (numbers[place] ?? NaN) >= floor) },
  }
}

sameBits(
  'platform/linalg/at-least-simd.ts',
  { lanes: 16, chunk: mostAtLeast, most: mostAtLeast },
  {
    'one of them is the floor': step((numbers) => numbers[numbers.length >> 1] ?? 0),
    'zero of either sign': step(() => -0),
    'no floor': step(() => -Infinity),
    'above all': step(() => Infinity),
  },
)

test('places of an earlier call do not return', () => {
  expect(placesAtLeast(new Float32Array(40).fill(1), 1).length).toBe(40)
  expect([...placesAtLeast(Float32Array.of(0, 2), 1)]).toEqual([1])
  expect([...placesAtLeast(new Float32Array(0), 1)]).toEqual([])
})
