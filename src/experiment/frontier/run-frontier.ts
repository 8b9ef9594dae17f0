/** Every point scored from one encoding per text: chosen on validation rows, reported on the tasks' own. */
import { Fault, mean, meanOfAll, type Result } from '#core'
import {
  aheadTexts,
  runSweeps,
  type SweepOptions,
  type SweepRest,
  toValidationSweep,
  validationFor,
  validationScore,
} from '#experiment/sweep'
import type { Model } from '#model/checkpoint'
import { type GridPoint, representationName, type VectorType } from '#representation/layers'
import { finishedScore, withoutSettings } from '#result/ledger'
import { type MeanInterval, meansOverTasks, type Side } from '#result/statistics'
import type { Validation } from '#task/rows'
import { type Candidate, chooseSmallest, frontNames } from './front.ts'
import type { FrontierOptions } from './options.ts'
import { pointProgress } from './point-progress.ts'

export interface FrontierPoint {
  readonly representation: string
  readonly dimensions: number
  readonly type: VectorType
  /** A vector's. */
  readonly bytes: number
  /** Mean over the tasks that have validation rows; null where one of them has no score. */
  readonly validation: number | null
  /** Mean over all tasks; null where one of them has no score. */
  readonly test: number | null
  /** Test scores in the order of the tasks. */
  readonly scores: readonly (number | null)[]
  readonly isFront: boolean
  /** The points on the front and the baseline have one. */
  readonly interval?: MeanInterval | undefined
}

export interface FrontierTask {
  readonly task: string
  /** The rows that the choice looked at; null: it has none of them. */
  readonly validation: string | null
}

export interface Frontier {
  readonly model: string
  readonly revision: string
  readonly tasks: readonly FrontierTask[]
  readonly points: readonly FrontierPoint[]
  /** What the points are compared with: the first whole representation with a score on every task, `default` as a rule. */
  readonly baseline: string | null
  /** Null where no task has validation rows: then the front is one in hindsight. */
  readonly chosen: string | null
  readonly loss: number
  /** Why there are no intervals. */
  readonly why: string | null
  /** Points without a score on some task, with the first reason. */
  readonly unscored: { readonly points: number; readonly reason: string } | null
  readonly passed: { readonly texts: number; readonly seconds: number }
  readonly seconds: number
}

/**
 * Throws `run.cancelled`, `file.write`, and what finding the rows throws. A failure of a point is a result with a
 * reason.
 */
export async function runFrontier(model: Model, options: FrontierOptions): Promise<Frontier> {
  const { points, loss = 0.01 } = options
  const started = performance.now()
  const before = model.states?.passed()
  const scored = await scoreTasks(model, options)
  const candidates = points.map((point) => meansOf(point, scored))
  const validates = scored.some(({ validation }) => validation !== null)
  const front = new Set(frontNames(candidates.map((one) => toCandidate(one, validates))))
  const chosen = validates
    ? chooseSmallest(
        candidates.map((one) => toCandidate(one, true)),
        loss,
      )
    : undefined
  const baseline = points.flatMap(({ representation }, at) => {
    const { test, representation: name } = candidates[at] ?? { test: null, representation: '' }
    return representation.kind === 'sized' || test === null ? [] : [name]
  })[0]
  const intervals = await intervalsOf(scored, { names: [...front], baseline, root: options.outputFolder ?? 'results' })
  const lacking = candidates.filter(({ scores }) => scores.includes(null))
  const after = model.states?.passed()
  return {
    model: model.name,
    revision: await model.revision(),
    tasks: scored.map(({ task, validation }) => ({ task, validation })),
    points: candidates.map((one) => ({
      ...one,
      isFront: front.has(one.representation),
      interval: typeof intervals === 'string' ? undefined : intervals.get(one.representation),
    })),
    baseline: baseline ?? null,
    chosen: chosen ?? null,
    loss,
    why: typeof intervals === 'string' ? intervals : null,
    unscored: lacking.length === 0 ? null : { points: lacking.length, reason: firstReason(scored) },
    passed: {
      texts: (after?.texts ?? 0) - (before?.texts ?? 0),
      seconds: (after?.seconds ?? 0) - (before?.seconds ?? 0),
    },
    seconds: (performance.now() - started) / 1000,
  }
}

interface ScoredTask extends FrontierTask {
  /** By the name of the point. */
  readonly validated: ReadonlyMap<string, number>
  /** By the name of the point. */
  readonly results: ReadonlyMap<string, Result>
}

/** Validation rows first, task by task, and the tasks' own after them. */
async function scoreTasks(model: Model, options: FrontierOptions): Promise<ScoredTask[]> {
  const { tasks, points, validationFolder, onResult } = options
  const { representations, ...rest } = sweepOf(options)
  const scored = tasks.map((task) => ({
    task,
    validated: new Map<string, number>(),
    results: new Map<string, Result>(),
  }))
  const validations: { readonly validation: Validation; readonly validated: Map<string, number> }[] = []
  const rules: (string | null)[] = []
  for (const { task, validated } of scored) {
    const validation = await validationFor(task, rest)
    rules.push(validation?.rule ?? null)
    if (validation !== undefined) validations.push({ validation, validated })
  }
  const sweeps = validations.map(({ validation }) => toValidationSweep(validation, rest, validationFolder))
  const progress = pointProgress(options.onProgress, {
    stage: 'score',
    total: points.length * (sweeps.length + tasks.length),
  })
  const all = [...sweeps, { ...rest, tasks }].map((sweep) => ({ ...sweep, representations }))
  // many points on a task take as long as its encoding: whatever fits in the cache is encoded meanwhile
  const call = { signal: options.signal, onProgress: progress.onProgress, room: aheadTexts }
  for await (const { sweep, ...one } of runSweeps(model, all, call)) {
    const { result } = one
    const name = withoutSettings(result.strata.representation)
    const { validation, validated } = validations[sweep] ?? {}
    if (validation !== undefined) {
      const score = scoreIn(result, validation)
      if (score !== undefined) validated?.set(name, score)
    } else {
      const own = scored.find(({ task }) => task.name === result.task_name)
      // members of an aggregate are no task of the frontier
      if (own === undefined) continue
      own.results.set(name, result)
      onResult?.(one)
    }
    progress.ended()
  }
  return scored.map(({ task, ...maps }, at) => ({ task: task.name, validation: rules[at] ?? null, ...maps }))
}

function sweepOf({
  points,
  loss: _loss,
  validationFolder: _folder,
  onResult: _onResult,
  ...sweep
}: FrontierOptions): SweepRest & Pick<SweepOptions, 'representations'> {
  return {
    ...sweep,
    namedFor: sweep.tasks,
    keep: 'all',
    representations: points.map(({ representation }) => representation),
  }
}

/** A point that has no score is left out of the choice; the test result says why. */
function scoreIn(result: Result, validation: Validation): number | undefined {
  try {
    return validationScore(result, validation)
  } catch (error) {
    if (error instanceof Fault && error.code === 'task.empty') return undefined
    throw error
  }
}

type Means = Omit<FrontierPoint, 'isFront' | 'interval'>

function meansOf({ representation, dimensions, type, bytes }: GridPoint, tasks: readonly ScoredTask[]): Means {
  const name = representationName(representation)
  const scores = tasks.map(({ results }) => finishedScore(results.get(name)))
  const validated = tasks.flatMap(({ validation, validated: own }) =>
    validation === null ? [] : (own.get(name) ?? NaN),
  )
  const whole = validated.length > 0 && validated.every(Number.isFinite)
  return {
    representation: name,
    dimensions,
    type,
    bytes,
    scores,
    validation: whole ? mean(validated) : null,
    test: meanOfAll(scores),
  }
}

/** Scored by what a choice may look at, or, where that does not exist, in hindsight. */
function toCandidate({ representation: name, bytes, validation, test }: Means, validates: boolean): Candidate {
  return { name, bytes, score: validates ? validation : test }
}

async function intervalsOf(
  tasks: readonly ScoredTask[],
  { names, baseline, root }: { names: readonly string[]; baseline: string | undefined; root: string },
): Promise<ReadonlyMap<string, MeanInterval> | string> {
  if (baseline === undefined) return 'no point has a score on every task'
  const wanted = [...new Set([baseline, ...names])].filter((name) =>
    tasks.every(({ results }) => isScored(results, name)),
  )
  return meansOverTasks(
    tasks.map(({ task, results }) => ({
      task,
      sides: new Map(wanted.map((name) => [name, sideOf(results.get(name), root)])),
    })),
    { against: baseline },
  )
}

function isScored(results: ScoredTask['results'], name: string): boolean {
  return results.get(name)?.strata.status === 'ok'
}

function sideOf(result: Result | undefined, root: string): Side {
  const { scores = {}, strata } = result ?? {}
  if (strata === undefined) return { scores }
  const { model, revision, representation } = strata
  return { scores, place: { root, model, revision, representation } }
}

function firstReason(tasks: readonly ScoredTask[]): string {
  for (const { results } of tasks)
    for (const { strata, task_name: task } of results.values())
      if (strata.status === 'failed') return `${task} ${strata.representation}: ${strata.reason ?? 'no reason given'}`
  return 'the score is undefined'
}
