/** Texts as sums over the rows of a table: what the encoder of a static table computes, as a sparse matrix. */
import type { Matrix } from '#core'
import { type SparseRows, sparseTimes } from '#platform/linalg'

export interface Sharing {
  /** Row of every token. */
  readonly mapping: Int32Array
  /** Weight of every token. */
  readonly weights: Float64Array
}

/**
 * One row per text: for each row of the table, the weights of its tokens in the text, summed, over the number of tokens.
 * Without `sharing` a token has its own row, which holds its weight. A text needs a token.
 */
export function textRows(texts: readonly Int32Array[], tableRows: number, sharing?: Sharing): SparseRows {
  const starts = new Int32Array(texts.length + 1)
  const columns: number[] = []
  const values: number[] = []
  texts.forEach((ids, i) => {
    const sums = new Map<number, number>()
    for (const id of ids) {
      const [row, weight] = sharing === undefined ? [id, 1] : [sharing.mapping[id] ?? 0, sharing.weights[id] ?? 0]
      sums.set(row, (sums.get(row) ?? 0) + weight / ids.length)
    }
    for (const [row, sum] of [...sums].sort(([a], [b]) => a - b)) {
      columns.push(row)
      values.push(sum)
    }
    starts[i + 1] = columns.length
  })
  return {
    rows: texts.length,
    width: tableRows,
    starts,
    columns: Int32Array.from(columns),
    values: Float64Array.from(values),
  }
}

/** Vectors of texts, not normalised: [texts × width]. */
export function textVectors(texts: SparseRows, table: Matrix): Matrix {
  return { rows: texts.rows, width: table.width, data: Float32Array.from(sparseTimes(texts, table)) }
}
