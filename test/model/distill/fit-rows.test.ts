import { expect, test } from 'vitest'
import { matrix, type Matrix } from '#core'
import {
  agreement,
  fitRows,
  frequencyWeights,
  onAxes,
  pairCosines,
  reduceTable,
  textRows,
  textVectors,
} from '#model/distill'
import { randomState } from '#platform/random'

const draws = randomState(11)

function drawn(rows: number, width: number): Matrix {
  return matrix(
    rows,
    width,
    Float32Array.from(draws.randomSample(rows * width), (value) => value - 0.5),
  )
}

test('weights by counts are a / (a + p), and 1 for a token that does not occur', () => {
  expect([...frequencyWeights([6, 2, 0], 0.5)]).toEqual([0.5 / 1.25, 0.5 / 0.75, 1])
  expect([...frequencyWeights([0, 0], 0.5)]).toEqual([1, 1])
})

test('rows on the axes of a table are its rows', async () => {
  const rows = drawn(50, 6)
  const mean = new Float64Array(6)
  for (let i = 0; i < 300; i++) mean[i % 6] = (mean[i % 6] ?? 0) + (rows.data[i] ?? 0) / 50
  const copy = matrix(50, 6, Float32Array.from(rows.data))
  const { table, axes } = await reduceTable(rows, 4)
  const projected = await onAxes(copy, mean, axes)
  expect(projected.width).toBe(4)
  projected.data.forEach((value, i) => expect(value).toBeCloseTo(table.data[i] ?? NaN, 6))
})

test('without axes only the mean is taken off', async () => {
  const { data } = await onAxes(matrix(2, 2, Float32Array.of(1, 2, 3, 4)), Float64Array.of(1, -1), undefined)
  expect([...data]).toEqual([0, 3, 2, 5])
})

test('a text is the sum of its tokens’ rows over their number, weighted where rows are shared', () => {
  const table = matrix(3, 2, Float32Array.of(4, 0, 0, 8, 1, 1))
  const texts = [Int32Array.of(0, 1, 1, 1), Int32Array.of(2)]
  expect([...textVectors(textRows(texts, 3), table).data]).toEqual([1, 6, 1, 1])
  const sharing = { mapping: Int32Array.of(1, 1, 0), weights: Float64Array.of(2, 0.5, 3) }
  // (2 + 3 · 0.5) / 4 of row 1, and 3 of row 0
  expect([...textVectors(textRows(texts, 3, sharing), table).data]).toEqual([0, 7, 12, 0])
})

test('agreement is that of the cosines of pairs, and of each text with its target', async () => {
  const vectors = matrix(3, 2, Float32Array.of(1, 0, 2, 2, 0, 3))
  expect([...(await pairCosines(vectors))].map((value) => value.toFixed(3))).toEqual(['0.707', '0.000', '0.707'])
  const pairs = Float32Array.of(0.1, 0.2, 0.1)
  const targets = matrix(3, 2, Float32Array.of(0, 1, 1, 1, 0, 1))
  const { spearman, cosine } = await agreement(vectors, { pairs, targets })
  expect(spearman).toBeCloseTo(-1, 6)
  expect(cosine).toBeCloseTo(2 / 3, 6)
})

test('rows are fitted where texts have their tokens, and a smaller ridge comes nearer to the targets', async () => {
  const [table, goal] = [drawn(30, 5), drawn(30, 5)]
  // tokens 28 and 29 never occur
  const texts = Array.from({ length: 200 }, () => Int32Array.from(draws.randint(0, 28, 6)))
  const rows = textRows(texts, 30)
  const targets = textVectors(rows, goal)
  const lengths = (vectors: Matrix): Float64Array =>
    Float64Array.from({ length: 200 }, (_, i) => Math.hypot(...vectors.data.subarray(i * 5, i * 5 + 5)))
  const [now, wanted] = [lengths(textVectors(rows, table)), lengths(targets)]
  const missing = ({ data }: Matrix): number =>
    data.reduce((sum, value, at) => {
      const i = Math.floor(at / 5)
      return sum + (value / (now[i] ?? NaN) - (targets.data[at] ?? NaN) / (wanted[i] ?? NaN)) ** 2
    }, 0)
  const left = [missing(textVectors(rows, table))]
  let last = table
  for await (const fitted of fitRows(table, rows, targets)) {
    expect(fitted.table.data.subarray(28 * 5)).toEqual(table.data.subarray(28 * 5))
    left.push(missing(textVectors(rows, fitted.table)))
    last = fitted.table
  }
  expect(left).toEqual(left.toSorted((a, b) => b - a))
  const pairs = await pairCosines(targets)
  const { spearman, cosine } = await agreement(textVectors(rows, last), { pairs, targets })
  expect(spearman).toBeGreaterThan(0.85)
  expect(cosine).toBeGreaterThan(0.95)
})

test('a fit that is stopped ends', async () => {
  const texts = textRows([Int32Array.of(0, 1), Int32Array.of(1)], 2)
  const fits = fitRows(drawn(2, 3), texts, drawn(2, 3), { signal: AbortSignal.abort() })
  await expect(fits.next()).rejects.toThrow('abort')
})
