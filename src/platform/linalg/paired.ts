/**
 * Similarity of row i of one matrix to row i of another, in the float32 of the reference: every element is rounded as
 * there, because ties between pairs decide rank correlations. Sums are taken in float64 and rounded once, where BLAS
 * keeps float32 partial sums.
 */
import { fault, type Floats, type Matrix, type Matrix64 } from '#core'
import { eachRowBlock, type RowBlock } from './rows-simd.ts'

const f32 = Math.fround
const epsilon32 = 2 ** -23
/** PyTorch's `normalize` divides shorter rows by this. */
const shortest = 1e-12

/** `unitDot`: the dot product of unit rows, as PyTorch's `normalize` and `sum` give it: 0 wherever a row is zero. */
export type PairedSimilarity = 'cosine' | 'unitDot' | 'dot' | 'manhattan' | 'euclidean'

/**
 * Row i of `a` compared to row i of `b`, both [rows × width], for every i, in several ways at once: [rows] for each.
 * Throws `internal` when the shapes differ.
 */
export function paired<Way extends PairedSimilarity>(
  a: Matrix,
  b: Matrix,
  ways: readonly Way[],
): Record<Way, Float32Array> {
  if (a.rows !== b.rows || a.width !== b.width) {
    throw fault('internal', {
      place: 'paired similarity',
      what: 'matrices differ in shape',
      seen: [a.rows, a.width],
      wanted: [b.rows, b.width],
    })
  }
  const all = Object.fromEntries(ways.map((way) => [way, new Float32Array(a.rows)])) as Record<Way, Float32Array>
  const { cosine, unitDot, dot, manhattan, euclidean }: Partial<Record<PairedSimilarity, Float32Array>> = all
  eachRowBlock([a, b], (block, from, rows) => {
    const fill = (out: Float32Array, value: (row: number) => number): void => {
      for (let row = 0; row < rows; row++) out[from + row] = value(row)
    }
    if (cosine !== undefined || unitDot !== undefined) compareUnits(block, { cosine, unitDot }, fill)
    if (dot !== undefined) {
      const sums = block.products()
      fill(dot, (row) => sums[row]!)
    }
    if (manhattan === undefined && euclidean === undefined) return
    const [absolute, squares] = block.distances()
    if (manhattan !== undefined) fill(manhattan, (row) => absolute[row]!)
    if (euclidean !== undefined) fill(euclidean, (row) => Math.sqrt(f32(squares[row]!)))
  })
  return all
}

/** Similarities of rows divided by their lengths: near zero, scikit-learn and PyTorch divide by other numbers. */
function compareUnits(
  block: RowBlock,
  { cosine, unitDot }: { readonly [way in 'cosine' | 'unitDot']: Float32Array | undefined },
  fill: (out: Float32Array, value: (row: number) => number) => void,
): void {
  const norms = ([0, 1] as const).map((k) => normsOf(block, k))
  const divided = (divisor: (norm: number) => number): ReturnType<RowBlock['quotients']> => {
    norms.forEach((own, k) => scaleBy(block.scales[k]!, own, divisor))
    return block.quotients()
  }
  // norms below 10 ε are taken for zero and left alone (scikit-learn's _handle_zeros_in_scale)
  const tiny = 10 * epsilon32
  const [squares, products] = divided((norm) => (norm < tiny ? 1 : norm))
  if (cosine !== undefined) fill(cosine, (row) => 1 - f32(0.5 * f32(squares[row]!)))
  if (unitDot === undefined) return
  if (norms.some((own) => own.some((norm) => norm < tiny))) divided((norm) => Math.max(norm, shortest))
  fill(unitDot, (row) => products[row]!)
}

/** Lengths of the rows of the first matrix or the second. */
function normsOf(block: RowBlock, matrix: 0 | 1): Float32Array {
  const squares = block.squares(matrix)
  const norms = new Float32Array(squares.length)
  for (let row = 0; row < norms.length; row++) norms[row] = Math.sqrt(f32(squares[row]!))
  return norms
}

function scaleBy(scales: Float32Array, norms: Float32Array, divisor: (norm: number) => number): void {
  for (let row = 0; row < norms.length; row++) scales[row] = divisor(norms[row]!)
}

/**
 * Cosine of row i of `a` and row i of `b`, both [rows × width], for every i, as scikit-learn's `1 −
 * paired_cosine_distances`: 1 − ½‖a/‖a‖ − b/‖b‖‖², which is 0.5 between a zero row and another, and 1 between two zero
 * rows. Throws `internal` when the shapes differ.
 *
 * @example
 * ```ts
 * import { matrix, pairedCosine } from 'strata-lm/linalg'
 *
 * const a = matrix(2, 2, Float32Array.of(1, 0, 1, 1))
 * const b = matrix(2, 2, Float32Array.of(2, 0, 0, 3))
 * console.log([...pairedCosine(a, b)].map((value) => value.toFixed(4)).join(' ')) // → 1.0000 0.7071
 * ```
 */
export function pairedCosine(a: Matrix, b: Matrix): Float32Array {
  return paired(a, b, ['cosine']).cosine
}

/**
 * Dot product of row i of `a` and row i of `b`, for every i: [rows]. Throws `internal` when the shapes differ.
 *
 * @example
 * ```ts
 * import { matrix, pairedDot } from 'strata-lm/linalg'
 *
 * console.log([...pairedDot(matrix(1, 2, Float32Array.of(1, 2)), matrix(1, 2, Float32Array.of(3, 4)))]) // → [ 11 ]
 * ```
 */
export function pairedDot(a: Matrix, b: Matrix): Float32Array {
  return paired(a, b, ['dot']).dot
}

/**
 * Sum of absolute differences of row i of `a` and row i of `b`, for every i: [rows]. Throws `internal` when the shapes
 * differ.
 *
 * @example
 * ```ts
 * import { matrix, pairedManhattan } from 'strata-lm/linalg'
 *
 * console.log([...pairedManhattan(matrix(1, 2, Float32Array.of(0, 0)), matrix(1, 2, Float32Array.of(3, 4)))])
 * // → [ 7 ]
 * ```
 */
export function pairedManhattan(a: Matrix, b: Matrix): Float32Array {
  return paired(a, b, ['manhattan']).manhattan
}

/**
 * Euclidean distance of row i of `a` and row i of `b`, for every i: [rows]. Throws `internal` when the shapes differ.
 *
 * @example
 * ```ts
 * import { matrix, pairedEuclidean } from 'strata-lm/linalg'
 *
 * console.log([...pairedEuclidean(matrix(1, 2, Float32Array.of(0, 0)), matrix(1, 2, Float32Array.of(3, 4)))])
 * // → [ 5 ]
 * ```
 */
export function pairedEuclidean(a: Matrix, b: Matrix): Float32Array {
  return paired(a, b, ['euclidean']).euclidean
}

/** Euclidean length of every row. */
export function rowNorms(source: Matrix): Float32Array {
  const norms = new Float32Array(source.rows)
  eachRowBlock([source], (block, from, rows) => norms.set(normsOf(block, 0).subarray(0, rows), from))
  return norms
}

/**
 * A copy with rows of length 1; rows shorter than 1e-12 are divided by 1e-12, as PyTorch's `normalize` does. `into`:
 * memory for the copy, of its size.
 *
 * @example
 * ```ts
 * import { matrix, unitRows } from 'strata-lm/linalg'
 *
 * const { data } = unitRows(matrix(1, 2, Float32Array.of(3, 4)))
 * console.log(data[0]?.toFixed(2), data[1]?.toFixed(2)) // → 0.60 0.80
 * ```
 */
export function unitRows(source: Matrix, into: Float32Array = new Float32Array(source.data.length)): Matrix {
  const { rows, width } = source
  const divide = (block: RowBlock): void => {
    scaleBy(block.scales[0], normsOf(block, 0), (norm) => Math.max(norm, shortest))
    block.divide()
  }
  eachRowBlock([source], divide, into)
  return { rows, width, data: into }
}

/** The same in float64; a row of zeros stays. */
export function unitRows64({ rows, width, data }: Matrix<Floats>): Matrix64 {
  const out = Float64Array.from(data)
  for (let i = 0; i < rows; i++) {
    const own = out.subarray(i * width, (i + 1) * width)
    let sum = 0
    for (let k = 0; k < width; k++) sum += own[k]! * own[k]!
    const norm = Math.sqrt(sum)
    if (norm > 0) for (let k = 0; k < width; k++) own[k]! /= norm
  }
  return { rows, width, data: out }
}
