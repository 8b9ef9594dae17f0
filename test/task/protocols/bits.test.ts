import { expect, test } from 'vitest'
import { matrix, type Matrix } from '#core'
import { randomState } from '#platform/random'
import { comparing, pairedScores } from '../../../src/task/protocols/similarity.ts'

const width = 384
const random = randomState(3)
const bits = (rows: number): Matrix =>
  matrix(
    rows,
    width,
    Float32Array.from({ length: rows * width }, () => random.word() & 1),
  )
const [a, b] = [bits(40), bits(60)]

/** Both ones over the root of the product of ones, rounded once. */
function byHand(i: number, j: number): number {
  const [one, other] = [a.data.subarray(i * width, (i + 1) * width), b.data.subarray(j * width, (j + 1) * width)]
  const count = (values: Float32Array): number => values.filter((bit) => bit === 1).length
  return Math.fround(one.filter((bit, k) => bit === 1 && other[k] === 1).length / Math.sqrt(count(one) * count(other)))
}

test('cosines of bits are those of their counts, rounded once: equal ones tie', async () => {
  const { prepare, table, pair } = comparing({ similarity: 'cosine', isBits: true })
  const found = await table(prepare(a), prepare(b))
  const wanted = Array.from({ length: a.rows * b.rows }, (_, at) => byHand(Math.floor(at / b.rows), at % b.rows))
  expect([...found]).toEqual(wanted)
  expect(new Set(wanted).size).toBeLessThan(wanted.length)
  expect(pair(a.data.subarray(0, width), b.data.subarray(width, 2 * width))).toBe(byHand(0, 1))
  const first = matrix(a.rows, width, b.data.subarray(0, a.rows * width))
  const { cosine } = pairedScores(a, first, { similarity: 'cosine', profile: 'mteb-2', isBits: true }, [])
  expect([...cosine]).toEqual(Array.from({ length: a.rows }, (_, i) => byHand(i, i)))
})

test('a row of zeros has the cosine 0', async () => {
  const none = matrix(1, width, new Float32Array(width))
  const { table } = comparing({ similarity: 'cosine', isBits: true })
  expect([...(await table(none, b))]).toEqual(Array.from({ length: b.rows }, () => 0))
})
