import { expect, test } from 'vitest'
import type { Matrix64 } from '#core'
import { randomState } from '#platform/random'
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
  for (let o = 0; o < outputs; o++) {
    for (let i = 0; i < inputs; i++) {
      let wanted = 2
      for (let text = 0; text < 3; text++) {
        let total = 0
        for (let t = starts[text]!; t < starts[text + 1]!; t++)
          total += gradient.data[t * outputs + o]! * input.data[t * inputs + i]!
        wanted += total ** 2
      }
      // the same sums in the same order
      expect(sums[o * inputs + i]).toBe(wanted)
    }
  }
})
