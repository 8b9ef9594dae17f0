import { describe, expect, test } from 'vitest'
import { conditionNumbers, embeddingGates, hiddenGates, type PromptVectors, randomGates } from '#model/merge'

const layers = (...vectors: number[][]): PromptVectors => vectors.map((vector) => Float64Array.from(vector))
const rounded = (values: ArrayLike<number>): number[] =>
  Array.from(values, (value) => Math.round(value * 1e6) / 1e6 + 0)

describe('rows from prompts', () => {
  const first = { positive: [layers([3, 0], [0, 2]), layers([1, 0], [0, 4])], negative: [layers([0, 2], [3, 3])] }
  const second = { positive: [layers([0, 5], [1, 1])], negative: [] }

  test('hidden: mean of the positive less mean of the negative, of length one, layer by layer', () => {
    const [one, two] = hiddenGates([first, second])
    const a = Math.hypot(2, 2)
    expect(rounded(one!)).toEqual(rounded([2 / a, -2 / a, 0, 1]))
    expect(rounded(two!)).toEqual(rounded([-1, 0, Math.SQRT1_2, Math.SQRT1_2]))
  })

  test('cheap_embed: both sides have length one before they are compared', () => {
    const [one] = embeddingGates([first, second])
    expect(rounded(one!)).toEqual(rounded([Math.SQRT1_2, -Math.SQRT1_2, 0, 1]))
  })

  test('a row of zeros stays one', () => {
    expect([...hiddenGates([{ positive: [layers([0, 0])], negative: [] }])[0]!]).toEqual([0, 0])
  })
})

describe('rows from the seed', () => {
  const size = { layers: 2, experts: 4, width: 4096, seed: 7 }
  const moments = (values: Float32Array): [mean: number, variance: number] => {
    const mean = values.reduce((a, b) => a + b, 0) / values.length
    return [mean, values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length]
  }

  test('random: standard normal', () => {
    const [mean, variance] = moments(randomGates('random', size)[0]!)
    // five standard errors of 16,384 draws: 5 / √n, and 5 · √(2 / n)
    expect(Math.abs(mean)).toBeLessThan(0.04)
    expect(Math.abs(variance - 1)).toBeLessThan(0.056)
  })

  test('uniform_random: within one over the root of the width, all of it used', () => {
    const [rows] = randomGates('uniform_random', size)
    const bound = 1 / Math.sqrt(4096)
    expect(rows!.every((value) => Math.abs(value) <= bound)).toBe(true)
    // variance of a uniform number is width² / 12
    expect(Math.abs(moments(rows!)[1] / (bound ** 2 / 3) - 1)).toBeLessThan(0.04)
  })

  test('the same seed gives the same numbers, another seed or layer others', () => {
    const rows = randomGates('random', size)
    expect(randomGates('random', size)).toEqual(rows)
    expect(randomGates('random', { ...size, seed: 8 })[0]).not.toEqual(rows[0])
    expect(rows[1]).not.toEqual(rows[0])
  })
})

test('condition numbers: one for orthogonal rows, infinite for equal ones', async () => {
  const [orthogonal, skew, equal] = await conditionNumbers(
    [Float32Array.of(1, 0, 0, 1), Float32Array.of(1, 0, 1, 0.5), Float32Array.of(1, 2, 1, 2)],
    2,
  )
  expect(orthogonal).toBeCloseTo(1, 10)
  // singular values of [[1, 0], [1, 1/2]]: product 1/2, sum of squares 9/4
  expect(skew).toBeCloseTo((9 / 4 + Math.sqrt((9 / 4) ** 2 - 1)) / (2 * 0.5), 5)
  expect(equal).toBe(Infinity)
})
