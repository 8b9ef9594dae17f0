/**
 * Rows of a table fitted to a teacher's vectors of whole texts, as tokenlearn trains them, in closed form: ridge
 * regression of what the rows lack, so that a row moves by as much as the texts with its token ask for.
 */
import type { Matrix } from '#core'
import { solveSparseRidge, type SparseRows } from '#platform/linalg'
import { textVectors } from './text-rows.ts'

/** Ridges that are tried, as multiples of the mean squared length of a row of C. */
const ridgeFactors = [30, 10, 3, 1, 0.3, 0.1, 0.03] as const

export interface FittedRows {
  readonly factor: number
  /** Number of ridges that are tried. */
  readonly factors: number
  readonly table: Matrix
}

/**
 * For each ridge, the table E of least ‖C E − T‖² + λ‖E − E₀‖², where every row of C is divided by the length of its
 * text's vector in E₀, and T has length 1: the encoder normalises, and cosines are what counts. Rows of tokens that no
 * text holds stay. `targets`: [texts × width].
 */
export async function* fitRows(
  table: Matrix,
  texts: SparseRows,
  targets: Matrix,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<FittedRows> {
  const { width } = table
  const { seen, scaled, lacking, squares } = equations(table, texts, targets)
  const onIteration = async (): Promise<void> => {
    // lets an interruption be heard
    await new Promise((resolve) => setImmediate(resolve))
    signal?.throwIfAborted()
  }
  let corrections: Float64Array | undefined
  for (const factor of ridgeFactors) {
    corrections = await solveSparseRidge(scaled, lacking, {
      ridge: (factor * squares) / scaled.rows,
      from: corrections,
      onIteration,
    })
    const data = Float32Array.from(table.data)
    for (const [i, row] of seen.entries())
      for (let k = 0; k < width; k++)
        data[row * width + k] = (data[row * width + k] ?? 0) + (corrections[i * width + k] ?? 0)
    yield { factor, factors: ridgeFactors.length, table: { ...table, data } }
  }
}

/** C over the rows that occur, each row of it scaled; T − C E₀; and the sum of the squares of C. */
function equations(table: Matrix, texts: SparseRows, targets: Matrix) {
  const { width } = table
  const seen = Int32Array.from(new Set(texts.columns)).sort()
  const place = new Map(Array.from(seen, (row, i) => [row, i]))
  const now = textVectors(texts, table)
  const values = Float64Array.from(texts.values)
  const data = new Float64Array(texts.rows * width)
  let squares = 0
  for (let i = 0; i < texts.rows; i++) {
    const own = now.data.subarray(i * width, (i + 1) * width)
    const target = targets.data.subarray(i * width, (i + 1) * width)
    const [length, wanted] = [norm(own), norm(target)]
    // a text without a direction says nothing
    const [share, goal] = length === 0 || wanted === 0 ? [0, 0] : [1 / length, 1 / wanted]
    for (let k = 0; k < width; k++) data[i * width + k] = goal * (target[k] ?? 0) - share * (own[k] ?? 0)
    for (let e = texts.starts[i] ?? 0; e < (texts.starts[i + 1] ?? 0); e++) {
      const value = share * (values[e] ?? 0)
      values[e] = value
      squares += value ** 2
    }
  }
  return {
    seen,
    scaled: { ...texts, width: seen.length, columns: texts.columns.map((row) => place.get(row) ?? 0), values },
    lacking: { rows: texts.rows, width, data },
    squares,
  }
}

function norm(values: Float32Array): number {
  let sum = 0
  for (const value of values) sum += value * value
  return Math.sqrt(sum)
}
