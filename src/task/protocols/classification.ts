/**
 * Classification: ten logistic regressions on small balanced samples, each predicting the whole split (mteb
 * `AbsTaskClassification`).
 */
import { compareCodePoints, fault, matrix, type Matrix, meanOfAll, takeRows } from '#core'
import { fitLogisticEach, type LogisticModel, type LogisticSample, predictLogistic } from '#platform/linalg'
import { type ClassificationPart, type Label, sampledRows } from '#task/rows'
import { averagePrecision, classScores } from './confusion.ts'
import { guarded } from './constant.ts'
import { type Context, embedFinite, type PartScores } from './part-scores.ts'

/** Texts whose vectors are held at once while predicting. */
const blockTexts = 50_000

type ExperimentScores = Record<string, number | null>

export async function scoreClassification(
  { train, test, experiments, tested, split, subset }: ClassificationPart,
  given: Context,
): Promise<PartScores> {
  const guard = guarded(given)
  const { context } = guard
  const classes = sortedClasses([...train.labels, ...test.labels])
  const rank = new Map(classes.map((label, i) => [label, i]))
  const truth = test.labels.map((label) => rank.get(label) ?? 0)
  const trainClasses = train.labels.map((label) => rank.get(label) ?? 0)

  const rows = sampledRows(experiments)
  const vectors = await embedFinite(
    context,
    rows.map((row) => train.texts[row] ?? ''),
  )
  const position = new Map(rows.map((row, i) => [row, i]))
  const fits = await fitEach(
    experiments,
    (sample) =>
      takeRows(
        vectors,
        sample.map((row) => position.get(row) ?? 0),
      ),
    (sample) => sample.map((row) => trainClasses[row] ?? 0),
    context,
  )

  const predictions = await predictAll(test.texts, fits, context)
  guard.refuse(`${context.task.name} › ${subset} › ${split}`)
  const trainIsBinary = new Set(train.labels).size === 2
  const perExperiment = predictions.map((predicted, experiment) => {
    const rows = tested?.[experiment]
    const [own, answers] =
      rows === undefined
        ? [truth, predicted]
        : [rows.map((row) => truth[row] ?? 0), Int32Array.from(rows, (row) => predicted[row] ?? 0)]
    const binary = context.profile === 'mteb-1' ? trainIsBinary : new Set(own).size === 2
    return experimentScores(own, answers, classes, binary, context)
  })
  const correct = shareCorrect(truth, predictions, tested)
  const single = { scores_per_experiment: perExperiment }
  // 1.x writes the list behind the means, 2.x in front
  const metrics =
    context.profile === 'mteb-1' ? { ...means(perExperiment), ...single } : { ...single, ...means(perExperiment) }
  return { metrics, columns: { correct } }
}

/** Share of the experiments asked about a row that got it right. */
function shareCorrect(
  truth: readonly number[],
  predictions: readonly Int32Array[],
  tested: ClassificationPart['tested'],
): Float64Array {
  const correct = new Float64Array(truth.length)
  const asked = new Float64Array(truth.length)
  predictions.forEach((predicted, experiment) => {
    for (const row of tested?.[experiment] ?? truth.keys()) {
      asked[row]! += 1
      correct[row]! += Number(predicted[row] === truth[row])
    }
  })
  return correct.map((count, row) => count / asked[row]!)
}

interface Fit {
  readonly model: LogisticModel
  /** Class of the model → class of the task: a sample may lack some. */
  readonly classes: readonly number[]
}

/** One model a sample of rows; vectors are gathered when a model's turn comes. */
async function fitEach(
  experiments: readonly (readonly number[])[],
  vectorsOf: (sample: readonly number[]) => Matrix,
  labelsOf: (sample: readonly number[]) => readonly number[],
  { signal }: Context,
): Promise<Fit[]> {
  const classesOf = experiments.map((sample) => [...new Set(labelsOf(sample))].sort((a, b) => a - b))
  function* samples(): Generator<LogisticSample> {
    for (const [k, sample] of experiments.entries()) {
      const classes = classesOf[k] ?? []
      const rank = new Map(classes.map((label, i) => [label, i]))
      yield {
        x: vectorsOf(sample),
        labels: labelsOf(sample).map((label) => rank.get(label) ?? 0),
        classes: classes.length,
      }
    }
  }
  const models = await fitLogisticEach(samples(), { signal })
  return models.map((model, k) => ({ model, classes: classesOf[k] ?? [] }))
}

async function predictAll(texts: readonly string[], fits: readonly Fit[], context: Context): Promise<Int32Array[]> {
  const predictions = fits.map(() => new Int32Array(texts.length))
  const models = fits.map(({ model }) => model)
  for (let start = 0; start < texts.length; start += blockTexts) {
    const vectors = await embedFinite(context, texts.slice(start, start + blockTexts))
    const found = await predictLogistic(models, matrix(vectors.rows, vectors.width, vectors.data))
    fits.forEach(({ classes }, m) => found[m]!.forEach((k, i) => (predictions[m]![start + i] = classes[k]!)))
  }
  return predictions
}

function experimentScores(
  truth: readonly number[],
  predicted: Int32Array,
  classes: readonly Label[],
  binary: boolean,
  { profile }: Context,
): ExperimentScores {
  const { precision, precision_weighted, recall, recall_weighted, ...basic } = classScores(
    truth,
    predicted,
    classes.length,
  )
  const ap = binary ? hardLabelPrecision(truth, predicted, classes) : null
  switch (profile) {
    case 'mteb-1':
      return { ...basic, ...(binary ? { ap, ap_weighted: ap } : {}) }
    case 'mteb-2':
      return { ...basic, precision, precision_weighted, recall, recall_weighted, ap, ap_weighted: ap }
    default:
      return profile satisfies never
  }
}

/**
 * Average precision of class 1 with the predicted label itself as score, as mteb calls it; null for labels without a 1,
 * for which scikit-learn has no answer.
 */
function hardLabelPrecision(truth: readonly number[], predicted: Int32Array, classes: readonly Label[]): number | null {
  const numbers = classes.map(Number)
  const positive = numbers.indexOf(1)
  if (positive < 0 || !numbers.every(Number.isFinite)) return null
  return averagePrecision(
    truth.map((label) => label === positive),
    Array.from(predicted, (label) => numbers[label]!),
  )
}

function means(experiments: readonly ExperimentScores[]): ExperimentScores {
  const names = Object.keys(experiments[0] ?? {})
  return Object.fromEntries(
    names.map((name) => {
      const values = experiments.flatMap((scores) => scores[name] ?? [])
      return [name, meanOfAll(values)]
    }),
  )
}

/** Numbers by value, texts by code point: the order decides which of two equal scores wins. */
function sortedClasses(labels: readonly Label[]): Label[] {
  const kinds = new Set(labels.map((label) => typeof label))
  if (kinds.size > 1) throw fault('task.label', { place: 'labels', what: 'some labels are numbers, others texts' })
  return [...new Set(labels)].sort((a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compareCodePoints(String(a), String(b)),
  )
}
