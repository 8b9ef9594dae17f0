/**
 * Ordinary least squares with an intercept, as scikit-learn's `LinearRegression` fits float32 rows: columns and targets
 * are centred, singular values below max(rows, width) · ε of float32 count as none (scikit-learn 1.6 – 1.8), and of all
 * solutions the shortest is taken. Arithmetic is float64; coefficients and predictions are rounded to float32, in which
 * scikit-learn holds them.
 */
import { fault, type Matrix, type Matrix64 } from '#core'
import { randomState } from '#platform/random'
import { solvePositive } from './cholesky.ts'
import { timesTransposed, transposed } from './product.ts'
import { svd } from './svd.ts'

export interface LinearModel {
  readonly coefficients: Float32Array
  readonly intercept: number
}

const float32Epsilon = 2 ** -23
/** Vectors that look for directions in which the rows do not vary. */
const probes = 8

/**
 * Ordinary least squares with an intercept, as scikit-learn's `LinearRegression` fits float32 rows `x` [rows × width]
 * to one target per row. Throws `task.empty` without rows.
 *
 * @example
 * ```ts
 * import { fitLinear, matrix } from 'strata-lm/linalg'
 *
 * const { coefficients, intercept } = await fitLinear(matrix(3, 1, Float32Array.of(1, 2, 3)), [3, 5, 7])
 * console.log(coefficients[0]?.toFixed(3), intercept.toFixed(3)) // → 2.000 1.000
 * ```
 */
export async function fitLinear(x: Matrix, targets: ArrayLike<number>): Promise<LinearModel> {
  const { rows, width } = x
  if (rows === 0) throw fault('task.empty', { place: 'linear regression', what: 'no rows to fit' })
  if (targets.length !== rows)
    throw fault('internal', {
      place: 'linear regression',
      what: 'targets do not fit the rows',
      seen: targets.length,
      wanted: rows,
    })
  const y = Float64Array.from(targets, Math.fround)
  const centre = Math.fround(y.reduce((sum, value) => sum + value, 0) / rows)
  for (let i = 0; i < rows; i++) y[i]! -= centre
  const means = new Float64Array(width)
  for (let i = 0; i < rows; i++) for (let k = 0; k < width; k++) means[k]! += x.data[i * width + k]!
  for (let k = 0; k < width; k++) means[k] = Math.fround(means[k]! / rows)
  const centred: Matrix64 = { rows, width, data: Float64Array.from(x.data, (value, i) => value - means[i % width]!) }

  const cutoff = Math.max(rows, width) * float32Epsilon
  const solved = (await solveFullRank(centred, y, cutoff)) ?? (await solveBySvd(centred, y, cutoff))
  const coefficients = Float32Array.from(solved)
  let shift = 0
  for (let k = 0; k < width; k++) shift += means[k]! * coefficients[k]!
  return { coefficients, intercept: Math.fround(centre - Math.fround(shift)) }
}

/**
 * Predictions of every model for every row of `x` [rows × width]: one list of [rows] per model.
 *
 * @example
 * ```ts
 * import { fitLinear, matrix, predictLinear } from 'strata-lm/linalg'
 *
 * const model = await fitLinear(matrix(3, 1, Float32Array.of(1, 2, 3)), [3, 5, 7])
 * const [predicted] = await predictLinear([model], matrix(1, 1, Float32Array.of(10)))
 * console.log(predicted?.[0]?.toFixed(3)) // → 21.000
 * ```
 */
export async function predictLinear(models: readonly LinearModel[], x: Matrix): Promise<Float32Array[]> {
  const stacked: Matrix64 = { rows: models.length, width: x.width, data: new Float64Array(models.length * x.width) }
  models.forEach(({ coefficients }, m) => stacked.data.set(coefficients, m * x.width))
  const predictions = models.map(() => new Float32Array(x.rows))
  const step = Math.max(64, Math.floor(2 ** 21 / x.width))
  for (let start = 0; start < x.rows; start += step) {
    const end = Math.min(x.rows, start + step)
    const block = {
      rows: end - start,
      width: x.width,
      data: Float64Array.from(x.data.subarray(start * x.width, end * x.width)),
    }
    const products = await timesTransposed(block, stacked)
    models.forEach(({ intercept }, m) => {
      for (let i = 0; i < block.rows; i++)
        predictions[m]![start + i] = Math.fround(products[i * models.length + m]!) + intercept
    })
  }
  return predictions
}

/**
 * By the smaller of the two Gram matrices, when no singular value is near the cutoff – else undefined. Centred rows sum
 * to nothing: where there are fewer of them than columns that direction is filled, which changes nothing, as the
 * targets are centred too.
 */
async function solveFullRank(x: Matrix64, y: Float64Array, cutoff: number): Promise<Float64Array | undefined> {
  const tall = x.rows > x.width
  const columns = transposed(x)
  const side = tall ? columns : x
  const n = side.rows
  const gram: Matrix64 = { rows: n, width: n, data: await timesTransposed(side, side) }
  const largest = await largestEigenvalue(gram)
  if (!(largest > 0)) return undefined
  if (!tall) for (let i = 0; i < gram.data.length; i++) gram.data[i]! += largest / n
  const right = new Float64Array((probes + 1) * n)
  if (tall)
    for (let k = 0; k < n; k++) for (let i = 0; i < x.rows; i++) right[k]! += columns.data[k * x.rows + i]! * y[i]!
  else right.set(y)
  const noise = randomState(0).randomSample(probes * n)
  for (let p = 0; p < probes; p++)
    right.set(unit(noise.subarray(p * n, (p + 1) * n).map((value) => value - 0.5)), (p + 1) * n)
  const { solution, ridge } = await solvePositive(gram, { rows: probes + 1, width: n, data: right })
  if (ridge > 0) return undefined
  // a direction whose eigenvalue is below the cutoff's would make a random unit vector at least this long, unless it is
  // nearly orthogonal to all probes
  const longest = Array.from({ length: probes }, (_, p) => length(solution.subarray((p + 1) * n, (p + 2) * n))).reduce(
    (a, b) => Math.max(a, b),
    0,
  )
  if (!(longest < 0.05 / Math.sqrt(n) / (cutoff ** 2 * largest))) return undefined
  const own = solution.slice(0, n)
  if (tall) return own
  return timesTransposed({ rows: 1, width: n, data: own }, columns)
}

async function solveBySvd(x: Matrix64, y: Float64Array, cutoff: number): Promise<Float64Array> {
  const { u, s, v } = await svd(x)
  const out = new Float64Array(x.width)
  for (let r = 0; r < s.length; r++) {
    if (!(s[r]! > cutoff * s[0]!)) continue
    let share = 0
    for (let i = 0; i < x.rows; i++) share += u.data[i * u.width + r]! * y[i]!
    for (let k = 0; k < x.width; k++) out[k]! += (share / s[r]!) * v.data[k * v.width + r]!
  }
  return out
}

/** By power iteration; a few percent too low at worst, which the wide margin of the test allows for. */
async function largestEigenvalue(a: Matrix64): Promise<number> {
  let vector = unit(randomState(1).randomSample(a.rows))
  let found = 0
  for (let step = 0; step < 30; step++) {
    const next = await timesTransposed({ rows: 1, width: a.rows, data: vector }, a)
    found = length(next)
    if (!(found > 0)) return found
    vector = unit(next)
  }
  return found
}

function length(vector: Float64Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
}

function unit(vector: Float64Array): Float64Array {
  const size = length(vector)
  return vector.map((value) => value / size)
}
