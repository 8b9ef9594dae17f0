import { expect, test } from 'vitest'
import { matrix } from '#core'
import { maxSim, type TokenVectors } from '#model/late-interaction'

/** Small whole numbers: float32 holds every product and sum exactly, so that equal means equal. */
function texts(lengths: readonly number[], width: number, seed: number): TokenVectors {
  const starts = Int32Array.of(0, ...lengths.map((_, i) => lengths.slice(0, i + 1).reduce((a, b) => a + b, 0)))
  const rows = starts.at(-1) ?? 0
  const data = Float32Array.from({ length: rows * width }, (_, i) => ((i * 37 + seed * 101) % 13) - 9)
  return { vectors: matrix(rows, width, data), starts }
}

/** As the definition says it. */
function plain(queries: TokenVectors, documents: TokenVectors): number[][] {
  const tokens = ({ vectors: { data, width }, starts }: TokenVectors): number[][][] =>
    Array.from({ length: starts.length - 1 }, (_, i) =>
      Array.from({ length: starts[i + 1]! - starts[i]! }, (__, t) => {
        const at = (starts[i]! + t) * width
        return [...data.subarray(at, at + width)]
      }),
    )
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, k) => sum + x * b[k]!, 0)
  return tokens(queries).map((query) =>
    tokens(documents).map((document) =>
      document.length === 0 ? 0 : query.reduce((sum, q) => sum + Math.max(...document.map((d) => dot(q, d))), 0),
    ),
  )
}

const queries = texts([3, 0, 1, 7, 2], 5, 1)
const documents = texts([4, 1, 0, 9, 6, 2, 5], 5, 2)

// 27 document tokens: one row of a table at a time, parts of a query, more than all
test.each([1, 27, 55, 100, 351, 2 ** 20])('%i products at once give the scores of the definition', async (most) => {
  const { rows, width, data } = await maxSim(queries, documents, { most })
  expect([rows, width]).toEqual([5, 7])
  expect([...data]).toEqual(plain(queries, documents).flat())
})

test('documents of more tokens than one product takes are scored part by part, and a long one alone', async () => {
  const many = texts([700, 300, 100, 3, 1500, 0, 20, 1004, 1], 5, 3)
  expect([...(await maxSim(queries, many)).data]).toEqual(plain(queries, many).flat())
})

test('the largest may be negative: a document without a like token is not lifted to 0', async () => {
  const one = { vectors: matrix(1, 2, Float32Array.of(1, 0)), starts: Int32Array.of(0, 1) }
  const other = { vectors: matrix(2, 2, Float32Array.of(-1, 0, -0.5, 1)), starts: Int32Array.of(0, 2) }
  expect([...(await maxSim(one, other)).data]).toEqual([-0.5])
})

test('a query and a document without tokens score 0', async () => {
  const none = { vectors: matrix(0, 5), starts: Int32Array.of(0, 0) }
  expect([...(await maxSim(none, documents)).data]).toEqual([0, 0, 0, 0, 0, 0, 0])
  expect([...(await maxSim(queries, none)).data]).toEqual([0, 0, 0, 0, 0])
})
