/**
 * The model's own similarity, as sentence-transformers defines its four: distances count negative, so that more is
 * always more alike.
 */
import { matrix, type Matrix, type Similarity } from '#core'
import { paired, type PairedSimilarity, rowNorms, timesTransposed, unitRows } from '#platform/linalg'
import { bitCosine, bitCosines, pairedBitCosine } from './bits.ts'
import type { Context } from './part-scores.ts'

/**
 * Row i of `a` compared to row i of `b` in each of `ways`, by the cosine, and by the model's `similarity`: [rows] each.
 * For the latter, 1.39.7 takes the cosine of scikit-learn; 2.x the dot product of unit vectors, which breaks ties
 * differently.
 */
export function pairedScores<Way extends PairedSimilarity>(
  a: Matrix,
  b: Matrix,
  { similarity, profile, isBits }: Pick<Context, 'similarity' | 'profile' | 'isBits'>,
  ways: readonly Way[],
): Record<Way | 'cosine' | 'similarity', Float32Array> {
  const own = similarity === 'cosine' && profile !== 'mteb-1' && isBits !== true ? 'unitDot' : similarity
  const asked = new Set<PairedSimilarity>([...ways, own, 'cosine'])
  if (isBits === true) asked.delete('cosine')
  const found = paired(a, b, [...asked])
  if (isBits === true) found.cosine = pairedBitCosine(a, b)
  return { ...found, similarity: isDistance(own) ? found[own].map((distance) => -distance) : found[own] }
}

function isDistance(way: PairedSimilarity): boolean {
  return way === 'manhattan' || way === 'euclidean'
}

/**
 * Vectors as `similarityTable` and `similarityOf` want them: of length 1 for the cosine. `into`: memory that a copy may
 * use.
 */
export function prepared(vectors: Matrix, similarity: Similarity, into?: Float32Array): Matrix {
  return similarity === 'cosine' ? unitRows(vectors, into) : vectors
}

/** Every row of `a` against every row of `b`, [a.rows × b.rows]; both prepared. `into`: memory that it may use. */
export async function similarityTable(
  a: Matrix,
  b: Matrix,
  similarity: Similarity,
  into?: Float32Array,
): Promise<Float32Array> {
  switch (similarity) {
    case 'cosine':
    case 'dot':
      return timesTransposed(a, b, into)
    case 'euclidean': {
      // the squares' expansion, as torch.cdist computes tables
      const table = await timesTransposed(a, b)
      const [normsA, normsB] = [rowNorms(a), rowNorms(b)]
      return table.map((product, at) => {
        const [i, j] = [Math.floor(at / b.rows), at % b.rows]
        return -Math.sqrt(Math.max(0, normsA[i]! ** 2 + normsB[j]! ** 2 - 2 * product))
      })
    }
    case 'manhattan': {
      const table = new Float32Array(a.rows * b.rows)
      for (let i = 0; i < a.rows; i++)
        for (let j = 0; j < b.rows; j++)
          table[i * b.rows + j] = -manhattan(a.data, i * a.width, b.data, j * b.width, a.width)
      return table
    }
    default:
      return similarity satisfies never
  }
}

/**
 * How a search compares: vectors as the other two want them, all pairs of two blocks, and one pair. `into`: memory of
 * the result's size, which it may use.
 */
export function comparing({ similarity, isBits }: Pick<Context, 'similarity' | 'isBits'>): {
  readonly prepare: (vectors: Matrix, into?: Float32Array) => Matrix
  readonly table: (a: Matrix, b: Matrix, into?: Float32Array) => Promise<Float32Array>
  readonly pair: (a: Float32Array, b: Float32Array) => number
} {
  if (isBits === true && similarity === 'cosine')
    return { prepare: (vectors) => vectors, table: bitCosines, pair: bitCosine }
  return {
    prepare: (vectors, into) => prepared(vectors, similarity, into),
    table: (a, b, into) => similarityTable(a, b, similarity, into),
    pair: (a, b) => similarityOf(a, b, similarity),
  }
}

/** One prepared vector against another. */
export function similarityOf(a: Float32Array, b: Float32Array, similarity: Similarity): number {
  switch (similarity) {
    case 'cosine':
    case 'dot': {
      let sum = 0
      for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!
      return Math.fround(sum)
    }
    case 'euclidean': {
      let sum = 0
      for (let k = 0; k < a.length; k++) sum += (a[k]! - b[k]!) ** 2
      return Math.fround(-Math.sqrt(sum))
    }
    case 'manhattan':
      return Math.fround(-manhattan(a, 0, b, 0, a.length))
    default:
      return similarity satisfies never
  }
}

/** Rows `from` … `from + count − 1`, no copy. */
export function rowBlock({ width, data }: Matrix, from: number, count: number): Matrix {
  return matrix(count, width, data.subarray(from * width, (from + count) * width))
}

function manhattan(a: Float32Array, atA: number, b: Float32Array, atB: number, width: number): number {
  let sum = 0
  for (let k = 0; k < width; k++) sum += Math.abs(a[atA + k]! - b[atB + k]!)
  return sum
}
