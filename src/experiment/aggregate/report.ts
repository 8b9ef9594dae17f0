/** What came of it: task × method, with what is more than chance, and one sentence that says who wins. */
import type { Result } from '#core'
import { hiddenState, scoreMeans } from '#result/ledger'
import { comparePairs, type Comparison, holm, pairName, pSaid, signFlip, type Side } from '#result/statistics'
import type { Recipe } from './candidates.ts'
import { chosen, recipeName, type Scored, type TaskScores } from './choice.ts'
import type { Aggregated, AggregatedTask } from './run-aggregate.ts'
import { layersOf } from '#representation/layers'

/** What every method is held against. */
export const references = ['last', 'best', 'default'] as const
export type Reference = (typeof references)[number]

export interface Held {
  readonly against: Reference
  readonly difference: number | null
  readonly low: number | null
  readonly high: number | null
  readonly p: number | null
  /**
   * Holm's correction over all methods and tasks held against the same; of `mixAgainstSingle`, which is one question a
   * task, over the tasks.
   */
  readonly pHolm: number | null
  /** Why there is no interval. */
  readonly why?: string | undefined
}

export interface MethodCell {
  readonly task: string
  readonly method: string
  /** What validation chose among the method's settings. */
  readonly recipe: Recipe
  readonly representation: string
  /** Of a weighted sum, by hidden state. */
  readonly weights: readonly number[] | undefined
  readonly validation: number | null
  readonly test: number | null
  readonly held: readonly Held[]
}

export interface TaskReport {
  readonly task: string
  /** Where its choices looked. */
  readonly validation: string | null
  readonly cells: readonly MethodCell[]
  /**
   * By validation: among everything, among mixes of more than one layer, and the single layer. Undefined where there is
   * no such candidate.
   */
  readonly chosen: MethodCell | undefined
  readonly mix: MethodCell | undefined
  readonly single: { readonly representation: string; readonly test: number | null } | undefined
  /** Best test score of all that was scored: known only afterwards. */
  readonly hindsight: { readonly representation: string; readonly test: number } | undefined
  readonly last: number | null
  readonly default: number | null
  /** The chosen mix against the chosen single layer. */
  readonly mixAgainstSingle: Held | undefined
}

export interface AggregateReport {
  readonly model: string
  readonly revision: string
  readonly pooling: string
  readonly tasks: readonly TaskReport[]
  /**
   * Mean difference of the mixes to the single layers over the tasks, in score, and its sign-flip p-value; null where
   * there is nothing to compare.
   */
  readonly overTasks: {
    readonly difference: number
    readonly p: number
    readonly better: number
    readonly worse: number
    readonly tasks: number
  } | null
  readonly sentence: string
  readonly passed: Aggregated['passed']
  readonly seconds: number
  readonly corpus: Aggregated['corpus']
}

/**
 * What came of `runAggregate`: per task and method the setting that validation chose, its test score, whether it beats
 * the last layer, the best single layer and `default` by more than chance, and one sentence that says who wins. Reads
 * the scores of single items below `root`; draws are seeded.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { aggregateReport, aggregationNamed, runAggregate } from 'strata-lm/aggregation'
 * import { chooseTasks } from 'strata-lm/tasks'
 *
 * const model = await openModel('assets/models/stories260K')
 * const { tasks, ownData } = await chooseTasks(['./pairs.yaml'])
 * const methods = aggregationNamed('mean,best')
 * const shared = { tasks, ownData, outputFolder: 'out', validationFolder: 'validation' }
 * const report = await aggregateReport(await runAggregate(model, { ...shared, methods, similarities: [] }), 'out')
 * console.log(report.tasks[0]?.chosen?.method) // → best
 * await model.close()
 * ```
 */
export async function aggregateReport(aggregated: Aggregated, root: string): Promise<AggregateReport> {
  const scores = aggregated.tasks.map(taskScores)
  const drafts = await Promise.all(
    aggregated.tasks.map((task, i) => draftOf(task, scores[i] ?? taskScores(task), scores, root)),
  )
  const corrected = withHolm(drafts)
  const compared = corrected.flatMap(({ mixAgainstSingle }) =>
    mixAgainstSingle?.difference === null || mixAgainstSingle === undefined ? [] : [mixAgainstSingle],
  )
  const differences = compared.map(({ difference }) => difference ?? 0)
  const significant = compared.filter(({ pHolm }) => pHolm !== null && pHolm < 0.05)
  const overTasks =
    compared.length === 0
      ? null
      : {
          difference: differences.reduce((sum, value) => sum + value, 0) / differences.length,
          p: signFlip(differences),
          better: significant.filter(({ difference }) => (difference ?? 0) > 0).length,
          worse: significant.filter(({ difference }) => (difference ?? 0) < 0).length,
          tasks: compared.length,
        }
  const { model, revision, pooling, passed, seconds, corpus } = aggregated
  return {
    model,
    revision,
    pooling,
    tasks: corrected,
    overTasks,
    sentence: sentenceOf(corrected, overTasks),
    passed,
    seconds,
    corpus,
  }
}

/** Of one task, what a choice may see and what is reported. */
export function taskScores({ task, candidates, validationScores, results }: AggregatedTask): TaskScores {
  const scored = (representation: string): Pick<Scored, 'representation' | 'validation' | 'test'> => ({
    representation,
    validation: validationScores.get(representation) ?? null,
    test: scoreOf(results.get(representation)),
  })
  return {
    task,
    candidates: candidates.map(({ representation: { name, mix }, recipes }) => ({
      recipes,
      mixes: layersOf(mix).length > 1,
      ...scored(name),
    })),
    states: statesIn(results).map((name) => ({
      recipes: [{ method: name, lambda: null, similarity: null }],
      mixes: false,
      ...scored(name),
    })),
  }
}

/** From the first to the last, in whatever order they were scored: what is found again comes before what is made. */
function statesIn(results: AggregatedTask['results']): string[] {
  return [...results.keys()]
    .filter((name) => hiddenState(name) !== undefined)
    .sort((a, b) => (hiddenState(a) ?? 0) - (hiddenState(b) ?? 0))
}

/** Null for a failure, and where a part has no score. */
function scoreOf(result: Result | undefined): number | null {
  return result?.strata.status === 'ok' ? scoreMeans(result.scores ?? {}).all : null
}

async function draftOf(
  task: AggregatedTask,
  scores: TaskScores,
  all: readonly TaskScores[],
  root: string,
): Promise<TaskReport> {
  const methods = [...new Set(scores.candidates.flatMap(({ recipes }) => recipes.map(({ method }) => method)))]
  const picks = methods.flatMap((method) => {
    const pick = chosen(scores, all, ({ recipes }) => recipes.some((recipe) => recipe.method === method))
    return pick === undefined ? [] : [{ method, pick }]
  })
  const overall = chosen(scores, all)
  const mix = chosen(scores, all, ({ mixes }) => mixes)
  const single = singleOf(task, scores, all)
  const sides = new Map<string, Side>()
  for (const [name, result] of task.results) {
    if (result.strata.status !== 'ok' || result.scores === undefined) continue
    const { model, revision, representation } = result.strata
    sides.set(name, { scores: result.scores, place: { root, model, revision, representation } })
  }
  const states = statesIn(task.results)
  const others: Readonly<Record<Reference, string | undefined>> = {
    last: states.at(-1),
    best: single,
    default: 'default',
  }
  const named = [
    ...new Set(
      [...picks.map(({ pick }) => pick), ...(mix === undefined ? [] : [mix])].map(
        ({ representation }) => representation,
      ),
    ),
  ]
  const pairs = named.flatMap((name) =>
    references.flatMap((reference): [string, string][] =>
      others[reference] === undefined ? [] : [[name, others[reference]]],
    ),
  )
  const compared = await comparePairs(task.task, sides, pairs)
  const heldOf = (name: string): Held[] =>
    references.map((against) =>
      held(against, others[against] === undefined ? undefined : compared.get(pairName(name, others[against]))),
    )
  const cellOf = (method: string, pick: Scored): MethodCell => {
    const recipe = pick.recipes.find((one) => one.method === method) ?? { method, lambda: null, similarity: null }
    return {
      task: task.task,
      method,
      recipe,
      representation: pick.representation,
      weights: weightsOf(task, pick.representation),
      validation: pick.validation,
      test: pick.test,
      held: heldOf(pick.representation),
    }
  }
  const anyCell = (pick: Scored | undefined): MethodCell | undefined =>
    pick === undefined ? undefined : cellOf(pick.recipes[0]?.method ?? '', pick)
  const tests = [...task.results].flatMap(([representation, result]) => {
    const test = scoreOf(result)
    return test === null ? [] : [{ representation, test }]
  })
  const mixCell = anyCell(mix)
  return {
    task: task.task,
    validation: task.validation,
    cells: picks.map(({ method, pick }) => cellOf(method, pick)),
    chosen: anyCell(overall),
    mix: mixCell,
    single: single === undefined ? undefined : { representation: single, test: scoreOf(task.results.get(single)) },
    hindsight: tests.reduce<(typeof tests)[number] | undefined>(
      (best, one) => (best === undefined || one.test > best.test ? one : best),
      undefined,
    ),
    last: scoreOf(task.results.get(states.at(-1) ?? '')),
    default: scoreOf(task.results.get('default')),
    mixAgainstSingle: mixCell?.held.find(({ against }) => against === 'best'),
  }
}

function weightsOf({ candidates }: AggregatedTask, name: string): readonly number[] | undefined {
  const mix = candidates.find(({ representation }) => representation.name === name)?.representation.mix
  return mix?.kind === 'sum' ? [...mix.weights] : undefined
}

/**
 * The single layer that validation chooses: where quality is validation, its best state, as the method `best` takes it,
 * else as the choice among mixes is made.
 */
function singleOf(
  { quality: { values, from } }: AggregatedTask,
  scores: TaskScores,
  all: readonly TaskScores[],
): string | undefined {
  if (from !== 'validation') return chosen(scores, all, undefined, 'states')?.representation
  return `h${values.indexOf(Math.max(...values))}`
}

function held(against: Reference, comparison: Comparison | undefined): Held {
  const { difference = null, interval, why } = comparison ?? {}
  return {
    against,
    difference,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    p: interval?.p ?? null,
    pHolm: null,
    ...(why === undefined ? {} : { why }),
  }
}

/**
 * What is asked of every method and task is one family a reference; whether the chosen mix beats the chosen layer is
 * asked once a task, and is a family of its own.
 */
function withHolm(drafts: readonly TaskReport[]): TaskReport[] {
  const families = new Map<Reference, Map<string, number>>(references.map((reference) => [reference, new Map()]))
  const keyOf = ({ task, representation }: MethodCell): string => `${task}\n${representation}`
  for (const { cells } of drafts)
    for (const cell of cells)
      for (const { against, p } of cell.held) if (p !== null) families.get(against)?.set(keyOf(cell), p)
  const corrected = new Map([...families].map(([reference, family]) => [reference, holmBy(family)]))
  const mended = (cell: MethodCell): MethodCell => ({
    ...cell,
    held: cell.held.map((one) => ({ ...one, pHolm: corrected.get(one.against)?.get(keyOf(cell)) ?? null })),
  })
  const primary = holmBy(
    new Map(
      drafts.flatMap(({ task, mixAgainstSingle: one }): [string, number][] =>
        one?.p === null || one === undefined ? [] : [[task, one.p]],
      ),
    ),
  )
  return drafts.map((draft) => ({
    ...draft,
    cells: draft.cells.map(mended),
    chosen: draft.chosen && mended(draft.chosen),
    mix: draft.mix && mended(draft.mix),
    mixAgainstSingle: draft.mixAgainstSingle && { ...draft.mixAgainstSingle, pHolm: primary.get(draft.task) ?? null },
  }))
}

function holmBy(family: ReadonlyMap<string, number>): Map<string, number> {
  const corrected = holm([...family.values()])
  return new Map([...family.keys()].map((key, i) => [key, corrected[i] ?? 1]))
}

/** What a careful reader would say. */
function sentenceOf(tasks: readonly TaskReport[], overTasks: AggregateReport['overTasks']): string {
  const whole = tasks.filter(
    ({ mix, single }) => mix !== undefined && mix.test !== null && single !== undefined && single.test !== null,
  )
  if (overTasks === null || whole.length === 0)
    return 'No mix of layers and single layer were both chosen by validation and scored: there is nothing to compare.'
  const mean = (values: readonly (number | null | undefined)[]): number =>
    values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length
  const [mixed, alone] = [mean(whole.map(({ mix }) => mix?.test)), mean(whole.map(({ single }) => single?.test))]
  const over = whole.length === 1 ? `On ${whole[0]?.task ?? ''}` : `Over ${whole.length} tasks`
  const [first] = whole
  const which = whole.length === 1 && first?.mix !== undefined ? ` (${recipeName(first.mix.recipe)})` : ''
  const head = `${over} the mix of layers that validation chose${which} scores ${points(mixed)}, the single layer that validation chose ${points(alone)} (${mixed < alone ? '' : '+'}${points(mixed - alone)})`
  const counted =
    whole.length === 1
      ? singleVerdict(first)
      : `after Holm's correction it is better on ${overTasks.better}, worse on ${overTasks.worse}, and no different on the other ${overTasks.tasks - overTasks.better - overTasks.worse}; over tasks ${pSaid(overTasks.p)}`
  const hindsight = mean(whole.map(({ hindsight: best }) => best?.test))
  const verdict =
    overTasks.tasks > 1
      ? overTasks.p < 0.05
        ? overTasks.difference > 0
          ? 'Mixing layers helps.'
          : 'Mixing layers hurts.'
        : 'That mixing layers helps is not shown.'
      : ''
  return [
    `${head}; ${counted}.`,
    verdict,
    `The best in hindsight, which nobody could have chosen, has ${points(hindsight)}.`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function points(value: number): string {
  return `${value < 0 ? '−' : ''}${(100 * Math.abs(value)).toFixed(2)}`
}

function singleVerdict(task: TaskReport | undefined): string {
  const one = task?.mixAgainstSingle
  if (one === undefined || one.low === null || one.high === null)
    return `whether that is more than chance cannot be said (${one?.why ?? 'no single items'})`
  const [low, high] = [one.low, one.high].map(points)
  const p = one.pHolm ?? 1
  return `the difference is ${p < 0.05 ? 'more than' : 'not more than'} chance (95 % interval ${low} to ${high}, ${pSaid(p)})`
}
