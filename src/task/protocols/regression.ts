/** Numbers by linear regression, ten times (mteb `AbsTaskRegression`, in 1.x `AbsTaskTextRegression`). */
import { compensatedMean, fault, takeRows } from '#core'
import { fitLinear, kendall, type LinearModel, predictLinear } from '#platform/linalg'
import { type RegressionPart, sampledRows } from '#task/rows'
import { guarded } from './constant.ts'
import { type Context, embedFinite, type PartScores } from './part-scores.ts'

/** Texts whose vectors are held at once while predicting. */
const blockTexts = 50_000

interface Errors {
  readonly mse: number
  readonly mae: number
  readonly rmse: number
  readonly r2: number
  readonly kendalltau: number
}

export async function scoreRegression(
  { train, test, experiments, subset, split }: RegressionPart,
  context: Context,
): Promise<PartScores> {
  const place = `${context.task.name} › ${subset} › ${split}`
  if (test.values.every((value) => value === test.values[0]))
    throw fault('task.value', { place, what: 'every text has the same value', seen: test.values[0] })
  const guard = guarded(context)
  const rows = sampledRows(experiments)
  const position = new Map(rows.map((row, i) => [row, i]))
  const vectors = await embedFinite(
    guard.context,
    rows.map((row) => train.texts[row] ?? ''),
  )
  // experiments that train on all rows share one list, and one fit
  const fits = new Map<readonly number[], LinearModel>()
  for (const sample of experiments) {
    context.signal?.throwIfAborted()
    if (fits.has(sample)) continue
    const x = takeRows(
      vectors,
      sample.map((row) => position.get(row) ?? 0),
    )
    fits.set(
      sample,
      await fitLinear(
        x,
        sample.map((row) => train.values[row] ?? NaN),
      ),
    )
  }
  const models = [...fits.values()]
  const predicted = models.map(() => new Float32Array(test.texts.length))
  for (let start = 0; start < test.texts.length; start += blockTexts) {
    const found = await predictLinear(
      models,
      await embedFinite(guard.context, test.texts.slice(start, start + blockTexts)),
    )
    found.forEach((values, m) => predicted[m]!.set(values, start))
  }
  guard.refuse(place)
  const scores = new Map([...fits.keys()].map((sample, m) => [sample, errors(test.values, predicted[m]!)]))
  const own = experiments.map((sample) => predicted[[...fits.keys()].indexOf(sample)]!)
  const average = Float64Array.from(
    test.values,
    (_, i) => own.reduce((sum, values) => sum + values[i]!, 0) / own.length,
  )
  const perExperiment = experiments.map((sample) => scores.get(sample)!)
  return { metrics: summary(perExperiment, context), columns: { value: test.values, predicted: average } }
}

/** As scikit-learn's `mean_squared_error`, `mean_absolute_error`, `r2_score` and scipy's `kendalltau`. */
function errors(truth: readonly number[], predicted: Float32Array): Errors {
  const middle = compensatedMean(truth)
  let [squares, absolutes, spread] = [0, 0, 0]
  truth.forEach((value, i) => {
    squares += (value - predicted[i]!) ** 2
    absolutes += Math.abs(value - predicted[i]!)
    spread += (value - middle) ** 2
  })
  const mse = squares / truth.length
  return {
    mse,
    mae: absolutes / truth.length,
    rmse: Math.sqrt(mse),
    r2: 1 - squares / spread,
    kendalltau: kendall(truth, predicted),
  }
}

function summary(scores: readonly Errors[], { profile }: Context): Record<string, unknown> {
  const named = (
    names: readonly (keyof Errors)[],
  ): { means: Record<string, number | null>; experiments: Record<string, number | null>[] } => ({
    means: Object.fromEntries(names.map((name) => [name, defined(compensatedMean(scores.map((own) => own[name])))])),
    experiments: scores.map((own) => Object.fromEntries(names.map((name) => [name, defined(own[name])]))),
  })
  switch (profile) {
    case 'mteb-1': {
      const { means, experiments } = named(['mae', 'mse', 'rmse', 'r2', 'kendalltau'])
      return { ...means, scores_per_experiment: experiments }
    }
    case 'mteb-2': {
      const { means, experiments } = named(['mse', 'mae', 'r2', 'kendalltau', 'rmse'])
      return { scores_per_experiment: experiments, ...means }
    }
    default:
      return profile satisfies never
  }
}

function defined(value: number): number | null {
  return Number.isNaN(value) ? null : value
}
