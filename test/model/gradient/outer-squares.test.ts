import { expect, test } from 'vitest'
import type { Matrix64 } from '#core'
import { randomState } from '#platform/random'
import { sameBits } from '../../platform/wasm/same-bits.ts'
// of no door: a diagonal has few shapes, the kernel pads many
import { addOuterSquares } from '../../../src/model/gradient/outer-squares.ts'

const draws = randomState(3)
const drawn = (rows: number, width: number): Matrix64 => ({
  rows,
  width,
  data: draws.randomSample(rows * width).map((value) => value - 0.5),
})

test.each([
  [1, 1],
  [3, 5],
  [4, 4],
  [7, 8],
  [12, 6],
])('%i outputs, %i inputs: as in plain loops, added to what is there', (outputs, inputs) => {
  const starts = Int32Array.of(0, 1, 5, 12)
  const [gradient, input] = [drawn(12, outputs), drawn(12, inputs)]
  const sums = new Float64Array(outputs * inputs).fill(2)
  addOuterSquares(sums, { gradient, input, starts })
  expect(sums).toEqual(inPlainLoops(new Float64Array(outputs * inputs).fill(2), { gradient, input, starts }))
})

/** The same sums in the same order. */
function inPlainLoops(
  sums: Float64Array,
  { gradient, input, starts }: { gradient: Matrix64; input: Matrix64; starts: Int32Array },
): Float64Array {
  for (let o = 0; o < gradient.width; o++)
    for (let i = 0; i < input.width; i++)
      for (let text = 0; text + 1 < starts.length; text++) {
        let total = 0
        for (let t = starts[text]!; t < starts[text + 1]!; t++)
          total += gradient.data[t * gradient.width + o]! * input.data[t * input.width + i]!
        sums[o * input.width + i]! += total * total
      }
  return sums
}

sameBits(
  'model/gradient/outer-squares.ts',
  { lanes: 4, chunk: 16, least: 1 },
  {
    'of three outputs, in two texts': ({ size, doubles }) => {
      const input = {
        rows: 3,
        width: size,
        data: Float64Array.from([...doubles('a'), ...doubles('b'), ...doubles('c')]),
      }
      const gradient = drawn(3, 3)
      const factors = { gradient, input, starts: Int32Array.of(0, 1, 3) }
      const kernel = new Float64Array(3 * size).fill(1)
      addOuterSquares(kernel, factors)
      return { kernel: { sums: kernel }, loop: { sums: inPlainLoops(new Float64Array(3 * size).fill(1), factors) } }
    },
  },
)
