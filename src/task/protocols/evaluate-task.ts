/**
 * Scores of a task: every (split, subset) by its type's evaluator; a part that cannot be scored is named, never
 * dropped.
 */
import {
  asFault,
  type Embedder,
  fault,
  type Fault,
  type FaultCode,
  meanOfAll,
  type OnProgress,
  type PromptType,
  type Scores,
  type SequenceClassifier,
  type Similarity,
  type SubsetScores,
} from '#core'
import type { KMeansProfile } from '#platform/linalg'
import { askingTask, type LoadedTask, type PartOf } from '#task/rows'
import type { Checkpoints } from './checkpoints.ts'
import type { Context, ItemColumns, PartScores, Scorer } from './part-scores.ts'
import { scorers } from './scorers.ts'

export interface EvaluateOptions {
  /** The model's own similarity (`pearson`, `spearman` of STS; ranking in retrieval). */
  similarity?: Similarity | undefined
  /** Version of scikit-learn's k-means that clustering follows; default A, which made the published scores. */
  kmeans?: KMeansProfile | undefined
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
  /** Where long searches leave their finished blocks; without, a killed one begins again. */
  checkpoints?: Checkpoints | undefined
}

/** Scores of single items, one entry a (split, subset), for tests of significance. */
export interface ItemScores {
  readonly split: string
  readonly subset: string
  readonly columns: ItemColumns
}

/** A part without a score, and why. */
export interface FailedPart extends PartOf {
  readonly code: FaultCode
  readonly reason: string
}

export interface Evaluation {
  /** mteb's shape: split → one entry per subset. */
  readonly scores: Scores
  /** Mean of the main score over all parts; null as soon as one part has failed. */
  readonly mainScore: number | null
  readonly items: readonly ItemScores[]
  readonly failed: readonly FailedPart[]
}

/**
 * Asks `model` the task: an embedder, or a classifier where the task is one of its head. Undefined scores of a part
 * (constant similarities, vectors that are not finite) make it a failed part; when no part has a
 * score, the first reason is thrown. Scores are unrounded, except where mteb rounds inside its protocol (retrieval, 5
 * decimals).
 */
export async function evaluateTask(
  loaded: LoadedTask,
  model: Embedder | SequenceClassifier,
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  const { similarity = 'cosine', kmeans = 'A', onProgress, signal, checkpoints } = options
  const { profile } = loaded
  const { name } = loaded.task
  const task = askingTask(loaded.task)
  const context: Context = {
    profile,
    similarity,
    kmeans,
    task: loaded.task,
    signal,
    onProgress,
    checkpoints,
    ...('logits' in model
      ? {
          embed: () =>
            Promise.reject(
              fault('task.unsupported', {
                place: name,
                what: "the task asks for vectors, and a classifier's head gives none",
              }),
            ),
          head: {
            labels: model.labels,
            logits: (texts: readonly string[]) => model.logits(texts, { task, onProgress, signal }),
          },
        }
      : {
          embed: (texts: readonly string[], promptType?: PromptType, heard = onProgress) =>
            model.embed(texts, { task, promptType, onProgress: heard, signal }),
        }),
  }
  const scores: Scores = {}
  const items: ItemScores[] = []
  const failed: FailedPart[] = [...loaded.missing]
  let first: Fault | undefined
  for (const { part, score } of partsOf(loaded, context)) {
    const { split, subset, languages } = part
    try {
      if (signal?.aborted) throw fault('run.cancelled', { place: name, what: 'cancelled', cause: signal.reason })
      const { metrics, columns } = await score()
      ;(scores[split] ??= []).push({
        ...metrics,
        ...mainScore(metrics, loaded.task.mainScore, `${name} › ${subset} › ${split}`),
        hf_subset: subset,
        languages,
      })
      items.push({ split, subset, columns })
    } catch (error) {
      const problem = asFault(error, 'engine.run', `${name} › ${subset} › ${split}`)
      if (problem.code === 'run.cancelled' || signal?.aborted) throw problem
      first ??= problem
      failed.push({ split, subset, languages, code: problem.code, reason: problem.message })
    }
  }
  if (items.length === 0) throw first ?? fault('task.empty', { place: name, what: 'nothing to score' })
  return { scores, mainScore: failed.length > 0 ? null : taskScore(scores), items, failed }
}

/** Mean of the main scores of all parts, as mteb averages a task. */
export function taskScore(scores: Scores): number | null {
  const values = Object.values(scores).flatMap((entries) => entries.map(({ main_score: score }) => score))
  return meanOfAll(values)
}

function* partsOf(loaded: LoadedTask, context: Context): Generator<{ part: PartOf; score: () => Promise<PartScores> }> {
  const scorer = scorers[loaded.protocol] as Scorer<PartOf>
  const score = scorer(context)
  for (const part of loaded.parts) yield { part, score: () => score(part) }
}

function mainScore(metrics: PartScores['metrics'], name: string, place: string): Pick<SubsetScores, 'main_score'> {
  const value = metrics[name]
  if (typeof value === 'number' && Number.isFinite(value)) return { main_score: value }
  throw fault('task.value', {
    place,
    what: `${name} is undefined`,
    seen: value === undefined ? 'no such metric' : value,
  })
}
