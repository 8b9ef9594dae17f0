/**
 * Every requested way to combine a model's layers, on tasks: qualities and choices by validation rows, scores by the
 * tasks' own.
 */
import { Fault, fault, type Result } from '#core'
import {
  runSweep,
  sameResult,
  type SweepRest,
  type SweepResult,
  toValidationSweep,
  validationFor,
  validationScore,
} from '#experiment/sweep'
import { type Model, statesOf } from '#model/checkpoint'
import { type Representation, representationName } from '#representation/layers'
import { withoutSettings } from '#result/ledger'
import type { TaskInfo, Validation } from '#task/rows'
import { type Candidate, makeCandidates, noCorpus } from './candidates.ts'
import { type LayerSpace, openLayerSpace } from './layer-space.ts'
import type { AggregateOptions } from './options.ts'
import {
  borrowedQuality,
  givenQuality,
  measuredQuality,
  type Quality,
  similarityQuality,
  validatedStates,
} from './quality.ts'
import { trainingTexts } from './training-texts.ts'

/** Raised when a change affects which combinations are found, or how one is chosen. */
export const aggregateArithmetic = 1

/** A task with all of its scores. */
export interface AggregatedTask {
  readonly task: string
  /** The rows used for its choices; null: it has no validation rows. */
  readonly validation: string | null
  readonly quality: Quality
  readonly candidates: readonly Candidate[]
  /**
   * Validation scores by the name of the representation, `h0` … and every candidate; failed ones and those not
   * requested are absent.
   */
  readonly validationScores: ReadonlyMap<string, number>
  /**
   * Results of the task itself, by the name of the representation with its settings: `default`, `h0` … and every
   * candidate.
   */
  readonly results: ReadonlyMap<string, Result>
}

export interface Aggregated {
  readonly model: string
  readonly revision: string
  readonly pooling: string
  readonly states: number
  readonly tasks: readonly AggregatedTask[]
  /** Tasks whose rows cannot be read, or that give no score to choose by: the others go without them. */
  readonly failed: readonly { readonly task: string; readonly error: Fault }[]
  /** Texts of the corpus; null: none was needed. */
  readonly corpus: { readonly name: string; readonly texts: number } | null
  /** Layer × layer by name, [n × n]. */
  readonly similarities: ReadonlyMap<string, Float64Array>
  /** Texts and tokens that passed the model in this run, and the seconds it took. */
  readonly passed: { readonly texts: number; readonly tokens: number; readonly seconds: number }
  readonly seconds: number
}

/**
 * Tries every combination of methods and settings on every task: each is built on the corpus, chosen on validation
 * rows, and scored on test rows. `onResult` receives each test result as it is on disk, reused ones too; a failure is a
 * result with a reason. Throws `usage.conflict` for a model without layers, `usage.value` for settings that lack their
 * data.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { aggregationNamed, runAggregate } from 'strata-lm/aggregation'
 * import { chooseTasks } from 'strata-lm/tasks'
 *
 * const model = await openModel('assets/models/stories260K')
 * const { tasks, ownData } = await chooseTasks(['./pairs.yaml'])
 * const { tasks: scored } = await runAggregate(model, {
 *   tasks,
 *   ownData,
 *   methods: aggregationNamed('mean,best'),
 *   similarities: [],
 *   outputFolder: 'out',
 *   validationFolder: 'validation',
 * })
 * console.log(scored.map(({ task }) => task)) // → [ 'pairs' ]
 * await model.close()
 * ```
 */
export async function runAggregate(
  model: Model,
  { onResult = () => undefined, ...given }: AggregateOptions & { onResult?: (result: SweepResult) => void },
): Promise<Aggregated> {
  const options = { namedFor: given.tasks, ...given }
  const started = performance.now()
  const states = statesOf(model)
  const before = states.passed()
  const failed = new Map<string, Fault>()
  const { space, corpus } = await spaceOf(model, options, failed)
  const similarities = await similaritiesOf(space, states.count, options)
  const rounds = await qualitiesOf(model, similarities, options, failed)
  const tasks: AggregatedTask[] = []
  for (const round of rounds) {
    const candidates = await makeCandidates(space, round.qualityBy, {
      ...options,
      lambdas: options.lambdas ?? [0.5],
      layerNorm: options.layerNorm ?? 'none',
      components: options.components ?? 768,
      similarities,
    })
    space?.expect(
      candidates.flatMap(({ representation: { mix }, same }) =>
        mix.kind === 'projection' && same === undefined ? [mix] : [],
      ),
    )
    tasks.push(await scored(model, round, candidates, { ...options, onResult }))
  }
  space?.expect([])
  const after = states.passed()
  return {
    model: model.name,
    revision: await model.revision(),
    pooling: model.settings.pooling.join('+'),
    states: states.count,
    tasks,
    failed: [...failed].map(([task, error]) => ({ task, error })),
    corpus: corpus === undefined ? null : { name: corpus.name, texts: corpus.texts.length },
    similarities,
    passed: {
      texts: after.texts - before.texts,
      tokens: after.tokens - before.tokens,
      seconds: after.seconds - before.seconds,
    },
    seconds: (performance.now() - started) / 1000,
  }
}

/** The corpus is read only when something is computed on it. */
async function spaceOf(
  model: Model,
  options: AggregateOptions,
  failed: Map<string, Fault>,
): Promise<{ space: LayerSpace | undefined; corpus: AggregateOptions['corpus'] }> {
  const measured = usesSimilarity(options) && options.similarities.some((one) => !('matrix' in one))
  if (!measured && !options.methods.some(({ uses }) => uses.includes('corpus')))
    return { space: undefined, corpus: undefined }
  const corpus =
    options.corpus ??
    (await trainingTexts(options, (task, error) => {
      if (options.tasks.length === 1) throw error
      failed.set(task, error)
    }))
  const [first] = failed.values()
  if (corpus === undefined && first !== undefined && failed.size === options.tasks.length) throw first
  if (corpus === undefined) return { space: undefined, corpus }
  const { layerNorm = 'none', transform, sampleSize, trials, seed, signal, onProgress } = options
  return {
    space: openLayerSpace(model, corpus, { layerNorm, transform, sampleSize, trials, seed, signal, onProgress }),
    corpus,
  }
}

function usesSimilarity({ methods, quality }: AggregateOptions): boolean {
  return quality === 'diagonal' || quality === 'row_mean' || methods.some(({ uses }) => uses.includes('similarity'))
}

async function similaritiesOf(
  space: LayerSpace | undefined,
  states: number,
  options: AggregateOptions,
): Promise<Map<string, Float64Array>> {
  if (!usesSimilarity(options)) return new Map()
  for (const source of options.similarities)
    if ('matrix' in source && source.matrix.length !== states ** 2)
      throw fault('usage.value', {
        place: source.name,
        what: 'the similarity matrix has a different number of layers',
        seen: Math.sqrt(source.matrix.length),
        wanted: states,
      })
  const measures = options.similarities.flatMap((source) => ('matrix' in source ? [] : [source]))
  if (measures.length > 0 && space === undefined) throw fault('usage.value', noCorpus)
  const measured = measures.length === 0 ? undefined : await space?.similarities(measures)
  return new Map(
    options.similarities.flatMap((source) => {
      const matrix = 'matrix' in source ? source.matrix : measured?.get(source.name)
      return matrix === undefined ? [] : [[source.name, matrix]]
    }),
  )
}

interface Round {
  readonly task: TaskInfo
  readonly validation: Validation | undefined
  readonly qualityBy: (similarity: string | null) => Quality
}

/** Qualities of all tasks before any is scored: a task without validation rows uses the others'. */
async function qualitiesOf(
  model: Model,
  similarities: ReadonlyMap<string, Float64Array>,
  options: AggregateOptions,
  failed: Map<string, Fault>,
): Promise<Round[]> {
  const { quality = 'validation', qualityTransforms: transforms = {}, validationFolder } = options
  const n = statesOf(model).count
  const rest = restOf(options)
  const validations = new Map<string, Validation | undefined>()
  for (const task of options.tasks)
    await withoutIt(task, options, failed, async () => {
      validations.set(task.name, await validationFor(task, rest))
    })
  const tasks = options.tasks.filter(({ name }) => validations.has(name))
  const always =
    (one: Quality): Round['qualityBy'] =>
    () =>
      one
  const roundOf = (task: TaskInfo, qualityBy: Round['qualityBy']): Round => ({
    task,
    validation: validations.get(task.name),
    qualityBy,
  })
  if (typeof quality === 'object') {
    const values = await quality.read(n)
    if (values.length !== n)
      throw fault('usage.value', {
        place: quality.name,
        what: 'the number of qualities differs from the number of layers',
        seen: values.length,
        wanted: n,
      })
    const given = givenQuality(values, quality.name, transforms)
    return tasks.map((task) => roundOf(task, always(given)))
  }
  if (quality !== 'validation') {
    const by = new Map(
      [...similarities].map(([name, matrix]) => [name, similarityQuality(matrix, n, quality, transforms)] as const),
    )
    const [first] = by.values()
    return tasks.map((task) =>
      roundOf(task, (name) => {
        const own = (name === null ? first : by.get(name)) ?? first
        if (own === undefined)
          throw fault('usage.value', {
            place: '--quality',
            what: `${quality} needs a similarity`,
            hint: '--similarity cka',
          })
        return own
      }),
    )
  }
  const measured = new Map<string, Quality>()
  for (const task of tasks) {
    const validation = validations.get(task.name)
    if (validation === undefined) continue
    await withoutIt(task, options, failed, async () => {
      const states = await validatedStates(model, validation, rest, validationFolder)
      measured.set(task.name, measuredQuality(states, validation, transforms))
    })
  }
  const borrowed = borrowedQuality(measured, transforms)
  return tasks
    .flatMap((task) => (failed.has(task.name) ? [] : [task]))
    .map((task) => {
      const own = measured.get(task.name) ?? borrowed
      if (own !== undefined) return roundOf(task, always(own))
      throw fault('usage.value', {
        place: task.name,
        what: 'no rows to choose by: neither a development split nor a training split, and no other task that has one',
        hint: '--quality diagonal, row_mean or a file; or name more tasks',
      })
    })
}

/** A task that fails leaves the others to be combined; the last one ends the run with its reason. */
async function withoutIt(
  { name }: TaskInfo,
  { tasks, signal }: AggregateOptions,
  failed: Map<string, Fault>,
  work: () => Promise<void>,
): Promise<void> {
  if (failed.has(name)) return
  try {
    await work()
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof Fault) || failed.size + 1 >= tasks.length) throw error
    failed.set(name, error)
  }
}

function restOf({
  methods: _methods,
  similarities: _similarities,
  quality: _quality,
  corpus: _corpus,
  tasks: _tasks,
  ...rest
}: AggregateOptions): SweepRest {
  return { ...rest, keep: 'all' }
}

/** Validation first, then the task itself; candidates with equal vectors are scored once. */
async function scored(
  model: Model,
  { task, validation, qualityBy }: Round,
  candidates: readonly Candidate[],
  { onResult, ...options }: AggregateOptions & { onResult: (result: SweepResult) => void },
): Promise<AggregatedTask> {
  const rest = restOf(options)
  const leaders = candidates.filter(({ same }) => same === undefined).map(({ representation }) => representation)
  const states = Array.from({ length: statesOf(model).count }, (_, h) => ({ kind: 'state' as const, h }))
  const own: readonly Representation[] = model.defaultLacks === undefined ? [{ kind: 'default' }] : []
  const all: readonly Representation[] = [...own, ...states, ...leaders]
  const validated = new Map<string, number>()
  if (validation !== undefined) {
    const sweep = {
      ...toValidationSweep(validation, rest, options.validationFolder),
      representations: [...states, ...leaders],
    }
    for await (const { result } of runSweep(model, sweep))
      if (result.strata.status === 'ok')
        validated.set(withoutSettings(result.strata.representation), validationScore(result, validation))
  }
  const results = new Map<string, Result>()
  for await (const one of runSweep(model, { ...rest, tasks: [task], representations: all })) {
    if (one.result.task_name !== task.name) continue
    results.set(withoutSettings(one.result.strata.representation), one.result)
    onResult(one)
  }
  for (const { representation, same } of candidates) {
    if (same === undefined) continue
    const [score, result] = [validated.get(representationName(same)), results.get(representationName(same))]
    if (score !== undefined) validated.set(representation.name, score)
    if (result === undefined) continue
    const own = await sameResult(model, task, representation, { ...rest, result })
    results.set(representation.name, own)
    onResult({ result: own, state: 'done', reason: '' })
  }
  return {
    task: task.name,
    validation: validation?.rule ?? null,
    quality: qualityBy(null),
    candidates,
    validationScores: validated,
    results,
  }
}
