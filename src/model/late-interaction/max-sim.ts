/**
 * MaxSim (ColBERT, Khattab & Zaharia 2020): Σ over the tokens of a query of the largest dot product with a token of the
 * document.
 */
import { matrix, type Matrix } from '#core'
import { timesTransposed } from '#platform/linalg'
import { type LargestTable, largestTable } from './largest-simd.ts'

/** Vectors of the tokens of several texts, one text after another. */
export interface TokenVectors {
  /** [tokens × width] */
  readonly vectors: Matrix
  /** Text i has the rows `starts[i]` … `starts[i + 1] − 1`, [texts + 1]. */
  readonly starts: Int32Array
}

/** Dot products that are in memory at once, unless one token of a query has more: 8 MiB stay near the processor. */
const mostProducts = 2 ** 21
/**
 * Tokens of the documents that a product takes. The engine lays them out anew for every product, so that as many tokens
 * of queries as possible should meet them; with fewer of them the product itself is slower.
 */
const mostColumns = 2 ** 10

/**
 * Scores [queries × documents], exact; products in float32, sums over a query's tokens in float64. A document without
 * tokens has nothing to match, and scores 0. `most`: dot products held at once.
 */
export async function maxSim(
  queries: TokenVectors,
  documents: TokenVectors,
  { most = mostProducts }: { readonly most?: number | undefined } = {},
): Promise<Matrix> {
  const [queryCount, count] = [queries.starts.length - 1, documents.starts.length - 1]
  const parts = [...partsOf(documents.starts)]
  // document by document
  const sums = new Float64Array(queryCount * count)
  const columns = parts.reduce((widest, part) => Math.max(widest, tokensIn(documents, part)), 1)
  const table = largestTable(Math.max(columns, Math.min(most, columns * queries.vectors.rows)), queries.vectors.rows)
  try {
    for (const part of parts) await addPart(queries, documents, part, { table, sums })
  } finally {
    table.release()
  }
  const scores = matrix(queryCount, count)
  for (let query = 0; query < queryCount; query++)
    for (let document = 0; document < count; document++)
      scores.data[query * count + document] = sums[document * queryCount + query]!
  return scores
}

/** Neighbours: the first, and the one behind the last. */
type Part = readonly [first: number, end: number]

function tokensIn({ starts }: TokenVectors, [first, end]: Part): number {
  return starts[end]! - starts[first]!
}

/** Documents by their columns; a longer one is a part of its own. */
function* partsOf(starts: Int32Array): Generator<Part> {
  let first = 0
  for (let end = 1; end < starts.length; end++) {
    const isLast = end + 1 === starts.length
    if (!isLast && starts[end + 1]! - starts[first]! <= mostColumns) continue
    yield [first, end]
    first = end
  }
}

/** Adds the largest product of every token of a query with each document of the part to its query's sums. */
async function addPart(
  queries: TokenVectors,
  documents: TokenVectors,
  part: Part,
  { table, sums }: { readonly table: LargestTable; readonly sums: Float64Array },
): Promise<void> {
  const [first, end] = part
  const [columns, queryCount] = [tokensIn(documents, part), queries.starts.length - 1]
  const own = rowsOf(documents.vectors, documents.starts[first]!, columns)
  if (columns === 0) return
  const block = Math.floor(table.numbers.length / columns)
  for (let from = 0; from < queries.vectors.rows; from += block) {
    const rows = Math.min(block, queries.vectors.rows - from)
    await timesTransposed(rowsOf(queries.vectors, from, rows), own, table.numbers.subarray(0, rows * columns))
    for (let document = first; document < end; document++) {
      const begin = documents.starts[document]! - documents.starts[first]!
      const size = tokensIn(documents, [document, document + 1])
      if (size > 0)
        addTokens(
          table.largest({ rows, stride: columns, begin, size }),
          { from, starts: queries.starts },
          sums.subarray(document * queryCount),
        )
    }
  }
}

/** Tokens from `from` on to the sums of their queries. */
function addTokens(
  values: Float32Array,
  { from, starts }: { readonly from: number; readonly starts: Int32Array },
  sums: Float64Array,
): void {
  let query = 0
  for (let token = 0; token < values.length; token++) {
    while (starts[query + 1]! <= from + token) query++
    sums[query]! += values[token]!
  }
}

function rowsOf({ width, data }: Matrix, from: number, rows: number): Matrix {
  return matrix(rows, width, data.subarray(from * width, (from + rows) * width))
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
