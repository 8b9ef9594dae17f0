/**
 * Scores of a task: every (split, subset) by its type's evaluator; a part that cannot be scored is named, never
 * dropped.
 */
import {
  type AskOptions,
  asFault,
  type Calibration,
  type Embedder,
  fault,
  type Fault,
  type FaultCode,
  meanOfAll,
  type OnProgress,
  type Reranker,
  type Scores,
  type Searcher,
  type SequenceClassifier,
  type Similarity,
  type SubsetScores,
  bracketNearest,
} from '#core'
import type { KMeansProfile } from '#platform/linalg'
import { askingTask, type LoadedTask, type PartOf, textBlocks } from '#task/rows'
import type { Checkpoints } from './checkpoints.ts'
import { scoreByPlugin } from './define.ts'
import type { Context, ItemColumns, PartScores, Reranking, Scorer, SecondSearch } from './part-scores.ts'
import { scorers } from './scorers.ts'

export interface EvaluateOptions {
  /** The model's own similarity (`pearson`, `spearman` of STS; ranking in retrieval). */
  similarity?: Similarity | undefined
  /** Version of scikit-learn's k-means that clustering follows; default A, which made the published scores. */
  kmeans?: KMeansProfile | undefined
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
  /** Puts the first documents of the search in order. */
  reranking?: Reranking | undefined
  /** Searches among the first `top` documents of the search. */
  second?: { readonly model: Embedder | Searcher; readonly similarity: Similarity; readonly top: number } | undefined
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

/** Throws `task.unsupported` for a task that searches nothing. */
function rescoringOf({ rescore }: Embedder, { protocol, task }: LoadedTask, asking: AskOptions): Context['rescore'] {
  if (rescore === undefined) return undefined
  if (protocol === 'AbsTaskRetrieval')
    return { candidates: rescore.candidates, embed: (texts) => rescore.embed(texts, asking) }
  throw fault('task.unsupported', {
    place: task.name,
    what: 'the documents of a search are rescored, and this task has no search',
    hint: 'leave `:rescore` out of the representation',
  })
}

/** Whom a task may be put to. */
export type Subject = Embedder | SequenceClassifier | Searcher | Reranker

type Answering = Pick<Context, 'embed' | 'isBits' | 'rescore' | 'head' | 'searcher' | 'reranking'>

/** What the protocols may ask of it. */
function answering(
  current: () => Subject,
  loaded: LoadedTask,
  call: Pick<AskOptions, 'task' | 'onProgress' | 'signal'>,
): Answering {
  const model = current()
  const { task, onProgress, signal } = call
  const without = (what: string, wanted?: string): Answering => ({
    embed: () => Promise.reject(fault('task.unsupported', { place: loaded.task.name, what, wanted })),
  })
  if ('logits' in model)
    return {
      ...without("the task asks for vectors, and a classifier's head gives none"),
      head: { labels: model.labels, logits: (texts) => model.logits(texts, call) },
    }
  if ('search' in model)
    return {
      ...without(
        'the task asks for one vector per text, and the model searches by other means',
        'a task of retrieval or reranking',
      ),
      searcher: model,
    }
  if ('score' in model)
    return {
      ...without('the task asks for vectors, and a reranker gives scores of pairs'),
      reranking: { reranker: model },
    }
  return {
    embed: (texts, promptType, heard = onProgress) =>
      (current() as Embedder).embed(texts, { ...call, promptType, onProgress: heard }),
    isBits: model.isBits,
    rescore: rescoringOf(model, loaded, { task, promptType: 'query', signal }),
  }
}

function secondSearch(
  { model, similarity, top }: NonNullable<EvaluateOptions['second']>,
  loaded: LoadedTask,
  call: Parameters<typeof answering>[2],
): SecondSearch {
  const { embed, isBits, rescore, searcher } = answering(() => model, loaded, call)
  // it ranks the documents of the first search, not those that it would have found itself
  const among = searcher && { ...searcher, cutsFirst: undefined }
  return { top, by: { similarity, embed, isBits, rescore, searcher: among, reranking: undefined } }
}

/**
 * Scores an embedder on a loaded task – or a classifier, where the task is one of its head; a searcher or a reranker,
 * where it is one of retrieval. A part whose scores are
 * undefined (constant similarities, vectors that are not finite) is a failed part; when no part has a score, the first
 * reason is thrown. Scores are in 0 … 1 and unrounded, except where mteb rounds within its protocol (retrieval, 5
 * decimals). Throws the first part's fault, `run.cancelled`.
 *
 * @example
 * ```ts
 * import { evaluateTask, loadTask, readTaskFiles, type Embedder } from 'strata-lm/tasks'
 *
 * const lengths: Embedder = {
 *   representation: 'length',
 *   width: 2,
 *   embed: async (texts) => ({
 *     rows: texts.length,
 *     width: 2,
 *     data: Float32Array.from(texts.flatMap((t) => [t.length, 9])),
 *   }),
 * }
 * const { tasks, data } = await readTaskFiles(['pairs.yaml'])
 * const loaded = await loadTask(tasks[0]!, { openDataset: async (path) => data.get(path)!(), profile: 'mteb-2' })
 * const { mainScore } = await evaluateTask(loaded, lengths)
 * console.log(mainScore?.toFixed(3)) // → 0.209
 * loaded.close()
 * ```
 */
export async function evaluateTask(
  loaded: LoadedTask,
  model: Subject,
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  const { similarity = 'cosine', kmeans = 'A', onProgress, signal, checkpoints, reranking, second } = options
  const { profile } = loaded
  const { name } = loaded.task
  const task = askingTask(loaded.task)
  // where vectors are quantised, a part's own texts are its calibration set: no other part can move its score
  let embedder = model
  const context: Context = {
    profile,
    similarity,
    kmeans,
    task: loaded.task,
    signal,
    onProgress,
    checkpoints,
    asking: { task, onProgress, signal },
    ...answering(() => embedder, loaded, { task, onProgress, signal }),
    ...(reranking === undefined ? {} : { reranking }),
    ...(second === undefined ? {} : { second: secondSearch(second, loaded, { task, onProgress, signal }) }),
  }
  const scores: Scores = {}
  const items: ItemScores[] = []
  const failed: FailedPart[] = [...loaded.missing]
  let first: Fault | undefined
  for (const { part, score } of partsOf(loaded, context)) {
    const { split, subset, languages } = part
    try {
      if (signal?.aborted) throw fault('run.cancelled', { place: name, what: 'cancelled', cause: signal.reason })
      if ('calibrate' in model && model.calibrate !== undefined)
        embedder = await model.calibrate(calibrationOf(loaded, part), { onProgress, signal })
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

/**
 * The score of a task: the mean of the main scores of all its parts (split, subset), in 0 … 1; null as soon as one has
 * none.
 *
 * @example
 * ```ts
 * import { taskScore } from 'strata-lm/tasks'
 *
 * const part = (hf_subset: string, main_score: number) => ({ hf_subset, main_score, languages: ['eng-Latn'] })
 * console.log(taskScore({ test: [part('en', 0.8), part('de', 0.6)] })) // → 0.7
 * ```
 */
export function taskScore(scores: Scores): number | null {
  const values = Object.values(scores).flatMap((entries) => entries.map(({ main_score: score }) => score))
  return meanOfAll(values)
}

/** All texts of a part, queries and documents alike. */
function* calibrationOf(loaded: LoadedTask, part: PartOf): Generator<Calibration> {
  const task = askingTask(loaded.task)
  for (const { texts, promptType } of loaded.texts(part))
    for (const block of textBlocks(texts)) yield { texts: block, promptType, task }
}

function* partsOf(loaded: LoadedTask, context: Context): Generator<{ part: PartOf; score: () => Promise<PartScores> }> {
  const { scorer } = loaded.task
  const score =
    scorer === undefined ? (scorers[loaded.protocol] as Scorer<PartOf>)(context) : scoreByPlugin(scorer, context)
  for (const part of loaded.parts) yield { part, score: () => score(part) }
}

function mainScore(metrics: PartScores['metrics'], name: string, place: string): Pick<SubsetScores, 'main_score'> {
  const value = metrics[name]
  if (typeof value === 'number' && Number.isFinite(value)) return { main_score: value }
  throw fault('task.value', {
    place,
    what: `${name} is undefined`,
    seen: value === undefined ? `no such metric${bracketNearest(name, Object.keys(metrics))}` : value,
  })
}
