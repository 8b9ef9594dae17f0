/** What a probe's answers are worth. */
import { mean } from '#core'
import { pearson } from '#platform/linalg'

/** F1 of each class; undefined for one that is neither among the labels nor among the answers. */
export function f1ByClass(
  answers: ArrayLike<number>,
  labels: ArrayLike<number>,
  classes: number,
): (number | undefined)[] {
  const [right, answered, there] = [new Float64Array(classes), new Float64Array(classes), new Float64Array(classes)]
  for (let i = 0; i < labels.length; i++) {
    const [answer = 0, label = 0] = [answers[i], labels[i]]
    answered[answer] = (answered[answer] ?? 0) + 1
    there[label] = (there[label] ?? 0) + 1
    if (answer === label) right[label] = (right[label] ?? 0) + 1
  }
  return Array.from({ length: classes }, (_, k) => {
    const all = (answered[k] ?? 0) + (there[k] ?? 0)
    return all === 0 ? undefined : (2 * (right[k] ?? 0)) / all
  })
}

/** Mean F1 over the classes that are there or were answered (torchmetrics 0.6.1, `F1(average='macro')`). */
export function macroF1(answers: ArrayLike<number>, labels: ArrayLike<number>, classes: number): number {
  const known = f1ByClass(answers, labels, classes).filter((value) => value !== undefined)
  return known.length === 0 ? 0 : mean(known)
}

export function accuracy(answers: ArrayLike<number>, labels: ArrayLike<number>): number {
  let right = 0
  for (let i = 0; i < labels.length; i++) if (answers[i] === labels[i]) right++
  return right / labels.length
}

export interface ProbeScores {
  readonly macro_f1?: number | undefined
  readonly accuracy?: number | undefined
  /** Null where either side is constant. */
  readonly pearson?: number | null | undefined
}

/** Scores of outputs [rows × classes], or of one number per row. */
export function scoresOf(outputs: Float32Array, labels: ArrayLike<number>, classes: number): ProbeScores {
  if (classes === 1) return { pearson: pearsonOf(outputs, labels) }
  const answers = answersOf(outputs, classes)
  return { macro_f1: macroF1(answers, labels, classes), accuracy: accuracy(answers, labels) }
}

/** What stopping and rankings go by: macro-F1, or Pearson's r. */
export function mainScore({ macro_f1, pearson: r = null }: ProbeScores): number | null {
  return macro_f1 ?? r
}

export function answersOf(outputs: Float32Array, classes: number): Int32Array {
  return Int32Array.from({ length: outputs.length / classes }, (_, row) => {
    let best = 0
    for (let k = 1; k < classes; k++)
      if ((outputs[row * classes + k] ?? 0) > (outputs[row * classes + best] ?? 0)) best = k
    return best
  })
}

function pearsonOf(outputs: Float32Array, labels: ArrayLike<number>): number | null {
  const r = pearson(Float64Array.from(outputs), Float64Array.from(labels))
  return Number.isFinite(r) ? r : null
}
