/**
 * Multinomial and binary logistic regression as scikit-learn ≥ 1.4 fits it with lbfgs: mean log-loss + ‖W‖²/(2·C·n),
 * intercepts free, start at zero, float64. Stopping is loose (tolerance 1e-4), so the path of the optimiser is part of
 * the result.
 */
import { fault, type Matrix, type Matrix64 } from '#core'
import type { Stop } from '#platform/threads'
import type { CrossEntropy } from './cross-entropy.ts'
import { crossEntropy } from './cross-entropy-simd.ts'
import { lbfgs, type LbfgsResult, type Objective } from './lbfgs.ts'
import { timesTransposed, type TimesTransposed, transposed } from './product.ts'

export interface LogisticModel {
  readonly classes: number
  /** One row per class, or a single row for two classes: weights, then the intercept. [K × (width + 1)] */
  readonly coefficients: Matrix64
  readonly iterations: number
  readonly stopped: LbfgsResult['stopped']
}

export interface LogisticOptions {
  /** Inverse strength of the penalty. */
  C?: number | undefined
  tolerance?: number | undefined
  maxIterations?: number | undefined
  product?: TimesTransposed | undefined
  signal?: Stop | undefined
}

/**
 * Logistic regression as scikit-learn fits it with lbfgs, on `x` [rows × width] and one class of 0 … classes − 1 per
 * row. `C` is the inverse strength of the penalty. Throws `task.label` for fewer than two classes, `run.cancelled`.
 *
 * @example
 * ```ts
 * import { fitLogistic, matrix } from 'strata-lm/linalg'
 *
 * const model = await fitLogistic(matrix(4, 1, Float32Array.of(-2, -1, 1, 2)), [0, 0, 1, 1], 2)
 * console.log(model.classes, model.stopped) // → 2 gradient
 * ```
 */
export async function fitLogistic(
  x: Matrix,
  labels: ArrayLike<number>,
  classes: number,
  { C = 1, tolerance = 1e-4, maxIterations = 100, product = timesTransposed, signal }: LogisticOptions = {},
): Promise<LogisticModel> {
  if (classes < 2)
    throw fault('task.label', {
      place: 'logistic regression',
      what: 'training needs at least two classes',
      seen: classes,
    })
  if (labels.length !== x.rows)
    throw fault('internal', {
      place: 'logistic regression',
      what: 'labels do not fit the rows',
      seen: labels.length,
      wanted: x.rows,
    })
  const design = withOnes(x, 0, x.rows)
  const penalty = 1 / (C * x.rows)
  const rows = classes === 2 ? 1 : classes
  const fit = (objective: Objective): Promise<LbfgsResult> =>
    lbfgs(objective, new Float64Array(rows * design.width), {
      maxIterations,
      maxLineSearchSteps: 50,
      gradientTolerance: tolerance,
      functionTolerance: 64 * Number.EPSILON,
      signal,
    })
  const {
    x: found,
    iterations,
    stopped,
  } = await (classes === 2 ? fit(binaryLoss(design, labels, penalty)) : fitSoftmax())
  return { classes, coefficients: { rows, width: design.width, data: found }, iterations, stopped }

  async function fitSoftmax(): Promise<LbfgsResult> {
    const entropy = crossEntropy(x.rows, classes)
    try {
      return await fit(softmaxLoss(design, labels, entropy, penalty, product))
    } finally {
      entropy.release()
    }
  }
}

const blockRows = 4096

/**
 * Class of every row of `x` [rows × width] under every model, in blocks of rows: one list of [rows] per model. All
 * models have the same width.
 *
 * @example
 * ```ts
 * import { fitLogistic, matrix, predictLogistic } from 'strata-lm/linalg'
 *
 * const model = await fitLogistic(matrix(4, 1, Float32Array.of(-2, -1, 1, 2)), [0, 0, 1, 1], 2)
 * const [classes] = await predictLogistic([model], matrix(2, 1, Float32Array.of(-3, 3)))
 * console.log([...(classes ?? [])]) // → [ 0, 1 ]
 * ```
 */
export async function predictLogistic(
  models: readonly LogisticModel[],
  x: Matrix,
  { product = timesTransposed }: Pick<LogisticOptions, 'product'> = {},
): Promise<Int32Array[]> {
  const stacked = stack(models)
  const predictions = models.map(() => new Int32Array(x.rows))
  for (let start = 0; start < x.rows; start += blockRows) {
    const block = withOnes(x, start, Math.min(start + blockRows, x.rows))
    const scores = await product(block, stacked)
    for (let i = 0; i < block.rows; i++) {
      let at = i * stacked.rows
      models.forEach((model, m) => {
        predictions[m]![start + i] =
          model.classes === 2 ? Number(scores[at]! > 0) : firstMaximum(scores, at, model.coefficients.rows)
        at += model.coefficients.rows
      })
    }
  }
  return predictions
}

/** Rows start … end of x in float64 with a column of ones behind. */
function withOnes(x: Matrix, start: number, end: number): Matrix64 {
  const width = x.width + 1
  const data = new Float64Array((end - start) * width)
  for (let i = start; i < end; i++) {
    const at = (i - start) * width
    data.set(x.data.subarray(i * x.width, (i + 1) * x.width), at)
    data[at + x.width] = 1
  }
  return { rows: end - start, width, data }
}

function stack(models: readonly LogisticModel[]): Matrix64 {
  const width = models[0]?.coefficients.width ?? 0
  const rows = models.reduce((sum, model) => sum + model.coefficients.rows, 0)
  const data = new Float64Array(rows * width)
  let at = 0
  for (const { coefficients } of models) {
    data.set(coefficients.data, at)
    at += coefficients.data.length
  }
  return { rows, width, data }
}

function firstMaximum(scores: Float64Array, at: number, count: number): number {
  let best = 0
  for (let k = 1; k < count; k++) if (scores[at + k]! > scores[at + best]!) best = k
  return best
}

/** Half the squared weights without intercepts, times penalty; adds its gradient. */
function addPenalty(coefficients: Float64Array, gradient: Float64Array, width: number, penalty: number): number {
  let sum = 0
  for (let start = 0; start < coefficients.length; start += width) {
    for (let i = start; i < start + width - 1; i++) {
      sum += coefficients[i]! ** 2
      gradient[i]! += penalty * coefficients[i]!
    }
  }
  return 0.5 * penalty * sum
}

function softmaxLoss(
  design: Matrix64,
  labels: ArrayLike<number>,
  { scores, residuals, loss }: CrossEntropy,
  penalty: number,
  product: TimesTransposed,
): Objective {
  const { rows, width } = design
  const classes = residuals.length / rows
  const features = transposed(design) // [(width + 1) × rows]
  return async (coefficients, gradient) => {
    await product(design, { rows: classes, width, data: coefficients }, scores)
    const sum = loss(labels)
    await product({ rows: classes, width: rows, data: residuals }, features, gradient)
    return sum / rows + addPenalty(coefficients, gradient, width, penalty)
  }
}

function binaryLoss(design: Matrix64, labels: ArrayLike<number>, penalty: number): Objective {
  const { rows, width, data } = design
  return (coefficients, gradient) => {
    gradient.fill(0)
    let loss = 0
    for (let i = 0; i < rows; i++) {
      const at = i * width
      let score = 0
      for (let k = 0; k < width; k++) score += data[at + k]! * coefficients[k]!
      const label = labels[i]!
      loss += softplus(score) - label * score
      const residual = (1 / (1 + Math.exp(-score)) - label) / rows
      for (let k = 0; k < width; k++) gradient[k]! += residual * data[at + k]!
    }
    return loss / rows + addPenalty(coefficients, gradient, width, penalty)
  }
}

/** log(1 + eˣ) without overflow. */
function softplus(x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x))
}
