/**
 * MaxSim (ColBERT, Khattab & Zaharia 2020): Σ over the tokens of a query of the largest dot product with a token of the
 * document.
 */
import { matrix, type Matrix } from '#core'
import { timesTransposed } from '#platform/linalg'

/** Vectors of the tokens of several texts, one text after another. */
export interface TokenVectors {
  /** [tokens × width] */
  readonly vectors: Matrix
  /** Text i has the rows `starts[i]` … `starts[i + 1] − 1`, [texts + 1]. */
  readonly starts: Int32Array
}

/** Dot products that are in memory at once, unless one token of a query has more: 32 MiB. */
const mostProducts = 2 ** 23

/**
 * Scores [queries × documents], exact; products in float32, sums over a query's tokens in float64. A document without
 * tokens has nothing to match, and scores 0. `most`: dot products held at once.
 */
export async function maxSim(
  queries: TokenVectors,
  documents: TokenVectors,
  { most = mostProducts }: { readonly most?: number | undefined } = {},
): Promise<Matrix> {
  const { width, rows: tokens } = queries.vectors
  const count = documents.starts.length - 1
  const sums = new Float64Array((queries.starts.length - 1) * count)
  const block = Math.max(1, Math.floor(most / Math.max(1, documents.vectors.rows)))
  const products = new Float32Array(Math.min(block, tokens) * documents.vectors.rows)
  let query = 0
  for (let from = 0; from < tokens; from += block) {
    const rows = Math.min(block, tokens - from)
    const own = matrix(rows, width, queries.vectors.data.subarray(from * width, (from + rows) * width))
    const into = products.subarray(0, rows * documents.vectors.rows)
    const table = await timesTransposed(own, documents.vectors, into)
    for (let row = 0; row < rows; row++) {
      while (queries.starts[query + 1]! <= from + row) query++
      addLargest(table, row * documents.vectors.rows, documents.starts, sums.subarray(query * count))
    }
  }
  return matrix(queries.starts.length - 1, count, Float32Array.from(sums))
}

/** Adds one token's largest product with each document to its query's sums. */
function addLargest(table: Float32Array, at: number, starts: Int32Array, sums: Float64Array): void {
  for (let document = 0; document + 1 < starts.length; document++) {
    const [begin, end] = [at + starts[document]!, at + starts[document + 1]!]
    if (begin < end) sums[document]! += largest(table, begin, end)
  }
}

/** Four at once: a chain of comparisons waits for each one before. */
function largest(values: Float32Array, begin: number, end: number): number {
  let [a, b, c, d] = [-Infinity, -Infinity, -Infinity, -Infinity]
  let i = begin
  for (; i + 3 < end; i += 4) {
    const [p, q, r, s] = [values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!]
    if (p > a) a = p
    if (q > b) b = q
    if (r > c) c = r
    if (s > d) d = s
  }
  for (; i < end; i++) a = Math.max(a, values[i]!)
  return Math.max(a, b, c, d)
}

/** The texts at `indexes`, in that order. */
export function takeTexts({ vectors, starts }: TokenVectors, indexes: readonly number[]): TokenVectors {
  const { width } = vectors
  const own = new Int32Array(indexes.length + 1)
  indexes.forEach((index, at) => {
    own[at + 1] = own[at]! + starts[index + 1]! - starts[index]!
  })
  const taken = matrix(own[indexes.length]!, width)
  indexes.forEach((index, at) =>
    taken.data.set(vectors.data.subarray(starts[index]! * width, starts[index + 1]! * width), own[at]! * width),
  )
  return { vectors: taken, starts: own }
}
