/**
 * One probe: trained on the vectors of the training rows, stopped by the dev rows, scored on the test rows. Settings
 * are Holmes's (Waldis et al. 2024, its code's defaults).
 */
import type { Matrix } from '#core'
import {
  fitPerceptron,
  lossInPlace,
  type Perceptron,
  type PerceptronLoss,
  type PerceptronOptions,
} from '#platform/linalg'
import type { Stop } from '#platform/threads'
import { type DescriptionLength, descriptionLength } from './mdl.ts'
import type { ProbeJob } from './probe-job.ts'
import { answersOf, f1ByClass, mainScore, type ProbeScores, scoresOf } from './scores.ts'
import { hiddenWidth } from './settings.ts'

export interface ProbeOutcome extends ProbeScores {
  /** The one that counts; null where it is undefined. */
  readonly score: number | null
  readonly seen?: ProbeScores | undefined
  readonly unseen?: ProbeScores | undefined
  /** Null for a class that is neither there nor answered. */
  readonly f1_by_class?: readonly (number | null)[] | undefined
  readonly epochs: number
  readonly best_epoch: number
  readonly mdl?: DescriptionLength | undefined
}

/** Deterministic: the same job gives the same numbers, in whatever thread. */
export function trainProbe(job: ProbeJob, signal?: Stop): ProbeOutcome {
  const { labels, classes, train, test, seen, settings } = job
  const probe = fitProbe(job, train, { signal })
  try {
    const outputs = probe.outputs(test)
    const truth = Float64Array.from(test, (row) => labels[row] ?? 0)
    const full = scoresOf(outputs, truth, classes)
    const part = (flag: number): ProbeScores | undefined => {
      const rows = Array.from(test.keys()).filter((i) => seen[i] === flag)
      if (rows.length === 0) return undefined
      const some = Float32Array.from(rows.flatMap((i) => Array.from(outputs.subarray(i * classes, (i + 1) * classes))))
      return scoresOf(
        some,
        rows.map((i) => truth[i] ?? 0),
        classes,
      )
    }
    return {
      score: mainScore(full),
      ...full,
      seen: part(1),
      unseen: part(0),
      f1_by_class:
        classes > 2 ? f1ByClass(answersOf(outputs, classes), truth, classes).map((value) => value ?? null) : undefined,
      epochs: probe.epochs,
      best_epoch: probe.best,
      mdl: settings.mdl
        ? descriptionLength(job, (rows) => fitProbe(job, rows, { ...slices(job), signal }), lossOf(job))
        : undefined,
    }
  } finally {
    probe.release()
  }
}

/** Sum of the losses in nats over rows and their outputs. */
function lossOf({ settings, labels, classes }: ProbeJob): (rows: Int32Array, outputs: Float32Array) => number {
  const loss = lossNamed(settings, classes)
  const scores = new Float64Array(classes)
  return (rows, outputs) => {
    let sum = 0
    for (const [i, row] of rows.entries()) {
      scores.set(outputs.subarray(i * classes, (i + 1) * classes))
      sum += lossInPlace(loss, scores, labels[row] ?? 0)
    }
    return sum
  }
}

/** Probes of a description length are stopped by the score on the dev rows, and their gradients are cut. */
function slices({ labels, classes, dev }: ProbeJob): Partial<PerceptronOptions> {
  const truth = Float64Array.from(dev, (row) => labels[row] ?? 0)
  return { patience: 4, clip: 1, goodness: (outputs) => mainScore(scoresOf(outputs, truth, classes)) ?? -Infinity }
}

function fitProbe(
  { x, labels, classes, dev, seed, settings }: ProbeJob,
  train: Int32Array,
  options: Partial<PerceptronOptions>,
): Perceptron {
  const { profile, probe } = settings
  return fitPerceptron(
    { x, targets: labels, train, dev, standard: profile === 'corrected' ? standardOf(x, train) : undefined },
    {
      outputs: classes,
      loss: lossNamed(settings, classes),
      hidden: probe === 'mlp' ? [hiddenWidth] : [],
      seed,
      ...options,
    },
  )
}

function lossNamed({ profile }: ProbeJob['settings'], classes: number): PerceptronLoss {
  if (classes === 1) return 'smooth-l1'
  return profile === 'holmes' ? 'double-softmax' : 'cross-entropy'
}

/** Mean and deviation of each column over some rows; a constant column becomes 0. */
function standardOf({ data, width }: Matrix, rows: Int32Array): { shift: Float32Array; scale: Float32Array } {
  const [means, squares] = [new Float64Array(width), new Float64Array(width)]
  for (const row of rows)
    for (let i = 0; i < width; i++) means[i] = (means[i] ?? 0) + (data[row * width + i] ?? 0) / rows.length
  for (const row of rows)
    for (let i = 0; i < width; i++)
      squares[i] = (squares[i] ?? 0) + ((data[row * width + i] ?? 0) - (means[i] ?? 0)) ** 2 / rows.length
  return {
    shift: Float32Array.from(means),
    scale: Float32Array.from(squares, (value) => (value > 1e-12 ? 1 / Math.sqrt(value) : 0)),
  }
}
