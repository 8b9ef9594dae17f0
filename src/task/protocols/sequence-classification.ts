/** Sequence classification: the label of the largest logit of the model's own head, by its name. */
import { fault, row } from '#core'
import type { LabelledPart } from '#task/rows'
import { classScores } from './confusion.ts'
import { type Context, finite, type PartScores } from './part-scores.ts'

/** Texts whose logits are held at once. */
const blockTexts = 10_000

export async function scoreSequenceClassification(
  { texts, labels, names, split, subset }: LabelledPart,
  context: Context,
): Promise<PartScores> {
  const place = `${context.task.name} › ${subset} › ${split}`
  const { head, task } = context
  if (head === undefined)
    throw fault('task.unsupported', { place, what: 'the task is for models with a head for sequence classification' })
  const columns = headNames(head.labels, names, place)
  const places = new Map(names.map((name, i) => [name, i]))
  const truth = labels.map((label) => places.get(label) ?? -1)
  const predicted = new Int32Array(texts.length)
  for (let start = 0; start < texts.length; start += blockTexts) {
    const block = texts.slice(start, start + blockTexts)
    const logits = finite(await head.logits(block), block, task)
    for (let i = 0; i < logits.rows; i++)
      predicted[start + i] = places.get(columns[largest(row(logits, i))] ?? '') ?? names.length
  }
  const metrics = classScores(truth, predicted, names.length + 1)
  return {
    metrics: { ...metrics },
    columns: {
      correct: Float64Array.from(truth, (label, i) => Number(label === predicted[i])),
      // places in the task's list; one past its end for a label that the task does not have
      predicted: Float64Array.from(predicted),
    },
  }
}

/**
 * Names of the head's columns; `LABEL_n` is the task's own number n. A head that knows none of the labels cannot be
 * asked: `task.label`.
 */
export function headNames(labels: readonly string[], names: readonly string[], place: string): readonly string[] {
  const head = labels.map((label) => {
    const number = /^LABEL_(\d+)$/.exec(label)?.[1]
    return number === undefined ? label : (names[Number(number)] ?? label)
  })
  if (head.some((label) => names.includes(label))) return head
  throw fault('task.label', {
    place,
    what: "none of the head's labels is one of the task's",
    seen: head.slice(0, 5),
    wanted: names.slice(0, 5),
  })
}

/** The first of equal ones. */
function largest(values: Float32Array): number {
  let best = 0
  for (let k = 1; k < values.length; k++) if (values[k]! > values[best]!) best = k
  return best
}
