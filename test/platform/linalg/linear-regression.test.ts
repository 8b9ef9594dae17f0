import { describe, expect, test } from 'vitest'
import { type Matrix, matrix } from '#core'
import { randomState } from '#platform/random'
import { fitLinear, predictLinear } from '#platform/linalg'

/** Uniform rows, and targets that are a known line through them. */
function line(rows: number, width: number, seed: number): { x: Matrix; weights: Float64Array; targets: Float64Array } {
  const draws = randomState(seed)
  const x = matrix(
    rows,
    width,
    Float32Array.from(draws.randomSample(rows * width), (value) => value - 0.5),
  )
  const weights = draws.randomSample(width).map((value) => value - 0.5)
  const targets = Float64Array.from(
    { length: rows },
    (_, i) => 2 + weights.reduce((sum, weight, k) => sum + weight * (x.data[i * width + k] ?? 0), 0),
  )
  return { x, weights, targets }
}
const largest = (values: ArrayLike<number>): number => Math.max(...Array.from(values, Math.abs))

describe('least squares', () => {
  test.each([
    [200, 30],
    [2048, 384],
  ])('%i rows of %i columns give a line back', async (rows, width) => {
    const { x, weights, targets } = line(rows, width, 1)
    const model = await fitLinear(x, targets)
    // targets and coefficients are float32 numbers
    expect(largest(model.coefficients.map((value, k) => value - (weights[k] ?? 0)))).toBeLessThan(1e-5)
    expect(Math.abs(model.intercept - 2)).toBeLessThan(1e-5)
    const [predicted] = await predictLinear([model], x)
    expect(largest(targets.map((value, i) => value - (predicted?.[i] ?? NaN)))).toBeLessThan(1e-5)
  })

  test('fewer rows than columns: the targets are met by coefficients in the span of the centred rows', async () => {
    const { x, targets } = line(20, 50, 2)
    const model = await fitLinear(x, targets)
    const [predicted] = await predictLinear([model], x)
    expect(largest(targets.map((value, i) => value - (predicted?.[i] ?? NaN)))).toBeLessThan(1e-5)
    // adding anything outside that span would make them longer
    const longer = model.coefficients.reduce((sum, value) => sum + value * value, 0)
    const known = line(20, 50, 2).weights.reduce((sum, value) => sum + value * value, 0)
    expect(longer).toBeLessThan(known)
  })

  test('columns that are copies share their weight, a constant one has none', async () => {
    const { x, weights, targets } = line(100, 6, 3)
    const wide = matrix(100, 13)
    for (let i = 0; i < 100; i++)
      for (let k = 0; k < 13; k++) wide.data[i * 13 + k] = k === 12 ? 7 : (x.data[i * 6 + (k % 6)] ?? 0)
    const { coefficients, intercept } = await fitLinear(wide, targets)
    expect(
      largest(Array.from({ length: 12 }, (_, k) => (coefficients[k] ?? NaN) - (weights[k % 6] ?? 0) / 2)),
    ).toBeLessThan(1e-5)
    expect(Math.abs(coefficients[12] ?? NaN)).toBeLessThan(1e-6)
    expect(intercept).toBeCloseTo(2, 4)
  })

  test('constant targets are their own prediction; no rows are a fault', async () => {
    const { x } = line(30, 5, 4)
    const model = await fitLinear(x, new Float64Array(30).fill(3.5))
    expect(Array.from((await predictLinear([model], x))[0] ?? [])).toEqual(Array.from({ length: 30 }, () => 3.5))
    await expect(fitLinear(matrix(0, 5), [])).rejects.toMatchObject({ code: 'task.empty' })
  })
})
