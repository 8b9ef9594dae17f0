/** How far a table gives texts the similarities that its teacher gives them. */
import { mean, type Matrix } from '#core'
import { pairedCosine, spearman, timesTransposed, unitRows } from '#platform/linalg'

export interface Agreement {
  /** Spearman's correlation of the cosines of all pairs of texts; NaN where all are equal. */
  readonly spearman: number
  /** Mean cosine of a text's vector and its target. */
  readonly cosine: number
}

/** Cosines of all pairs of rows, each pair once. */
export async function pairCosines(vectors: Matrix): Promise<Float32Array> {
  const { rows } = vectors
  const units = unitRows(vectors)
  const products = await timesTransposed(units, units)
  const pairs = new Float32Array((rows * (rows - 1)) / 2)
  let at = 0
  for (let i = 0; i < rows; i++) for (let j = i + 1; j < rows; j++) pairs[at++] = products[i * rows + j] ?? NaN
  return pairs
}

/** `pairs`: of the teacher's vectors; `targets`: these vectors in the table's dimensions. */
export async function agreement(
  vectors: Matrix,
  { pairs, targets }: { pairs: Float32Array; targets: Matrix },
): Promise<Agreement> {
  return { spearman: spearman(await pairCosines(vectors), pairs), cosine: mean(pairedCosine(vectors, targets)) }
}
