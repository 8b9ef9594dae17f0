/**
 * Similarity of row i of one matrix to row i of another, in the float32 of the reference: every element is rounded as
 * there, because ties between pairs decide rank correlations. Sums are taken in float64 and rounded once, where BLAS
 * keeps float32 partial sums.
 */
import { fault, type Floats, type Matrix, type Matrix64 } from '#core'

const f32 = Math.fround
const epsilon32 = 2 ** -23

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
  // norms below 10 ε are taken for zero and left alone (scikit-learn's _handle_zeros_in_scale)
  const [scaleA, scaleB] = [rowNorms(a), rowNorms(b)].map((norms) =>
    norms.map((norm) => (norm < 10 * epsilon32 ? 1 : norm)),
  ) as [Float32Array, Float32Array]
  return perRow(a, b, (at, width, i) => {
    const [normA, normB] = [scaleA[i]!, scaleB[i]!]
    let sum = 0
    for (let k = at; k < at + width; k++) {
      const difference = f32(f32(a.data[k]! / normA) - f32(b.data[k]! / normB))
      sum += difference * difference
    }
    return 1 - f32(0.5 * f32(sum))
  })
}

/** Dot product of unit rows, as PyTorch's `normalize` and `sum` give it: 0 wherever a row is zero. */
export function pairedUnitDot(a: Matrix, b: Matrix): Float32Array {
  const [scaleA, scaleB] = [rowNorms(a), rowNorms(b)].map((norms) => norms.map((norm) => Math.max(norm, 1e-12))) as [
    Float32Array,
    Float32Array,
  ]
  return perRow(a, b, (at, width, i) => {
    const [normA, normB] = [scaleA[i]!, scaleB[i]!]
    let sum = 0
    for (let k = at; k < at + width; k++) sum += f32(f32(a.data[k]! / normA) * f32(b.data[k]! / normB))
    return sum
  })
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
  return perRow(a, b, (at, width) => {
    let sum = 0
    for (let k = at; k < at + width; k++) sum += f32(a.data[k]! * b.data[k]!)
    return sum
  })
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
  return perRow(a, b, (at, width) => {
    let sum = 0
    for (let k = at; k < at + width; k++) sum += Math.abs(f32(a.data[k]! - b.data[k]!))
    return sum
  })
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
  return perRow(a, b, (at, width) => {
    let sum = 0
    for (let k = at; k < at + width; k++) sum += f32(a.data[k]! - b.data[k]!) ** 2
    return Math.sqrt(f32(sum))
  })
}

/** Euclidean length of every row. */
export function rowNorms({ rows, width, data }: Matrix): Float32Array {
  const norms = new Float32Array(rows)
  for (let i = 0; i < rows; i++) {
    let sum = 0
    for (let k = i * width; k < (i + 1) * width; k++) sum += data[k]! * data[k]!
    norms[i] = Math.sqrt(f32(sum))
  }
  return norms
}

/**
 * A copy with rows of length 1; rows shorter than 1e-12 are divided by 1e-12, as PyTorch's `normalize` does.
 *
 * @example
 * ```ts
 * import { matrix, unitRows } from 'strata-lm/linalg'
 *
 * const { data } = unitRows(matrix(1, 2, Float32Array.of(3, 4)))
 * console.log(data[0]?.toFixed(2), data[1]?.toFixed(2)) // → 0.60 0.80
 * ```
 */
export function unitRows(source: Matrix): Matrix {
  const { rows, width } = source
  const data = new Float32Array(source.data.length)
  const norms = rowNorms(source)
  for (let i = 0; i < rows; i++) {
    const norm = Math.max(norms[i]!, 1e-12)
    for (let k = i * width; k < (i + 1) * width; k++) data[k] = source.data[k]! / norm
  }
  return { rows, width, data }
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

function perRow(a: Matrix, b: Matrix, value: (at: number, width: number, row: number) => number): Float32Array {
  if (a.rows !== b.rows || a.width !== b.width) {
    throw fault('internal', {
      place: 'paired similarity',
      what: 'matrices differ in shape',
      seen: [a.rows, a.width],
      wanted: [b.rows, b.width],
    })
  }
  const out = new Float32Array(a.rows)
  for (let i = 0; i < a.rows; i++) out[i] = value(i * a.width, a.width, i)
  return out
}
