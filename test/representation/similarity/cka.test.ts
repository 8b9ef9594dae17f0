import { expect, test } from 'vitest'
import { type Matrix, matrix } from '#core'
import { timesTransposed } from '#platform/linalg'
import { randomState } from '#platform/random'
import { crossSquares } from '../../../src/representation/similarity/cka.ts'

const drawn = (rows: number, width: number, seed: number): Matrix =>
  matrix(
    rows,
    width,
    Float32Array.from(randomState(seed).randomSample(rows * width), (value) => value - 0.5),
  )

async function squaresOfWhole(x: Matrix, y: Matrix): Promise<number> {
  let sum = 0
  for (const value of await timesTransposed(x, y)) sum += value * value
  return sum
}

test.for([
  [300, 513, 900],
  [256, 128, 64],
  [513, 40, 700],
  [255, 600, 300],
  [400, 700, 63],
] as const)(
  'products in parts, %i × %i columns of %i texts, have the bits of the whole',
  async ([left, right, texts]) => {
    const [x, y] = [drawn(left, texts, 1), drawn(right, texts, 2)]
    expect(await crossSquares(x, y)).toBe(await squaresOfWhole(x, y))
    expect(await crossSquares(x, x)).toBe(await squaresOfWhole(x, x))
    expect(await crossSquares(y, y)).toBe(await squaresOfWhole(y, y))
  },
)
