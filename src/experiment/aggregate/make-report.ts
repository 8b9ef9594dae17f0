/**
 * From scores to the report: the mix and the layer that validation chooses, and whether they differ by more than
 * chance.
 */
import { holmBy, overTasks } from '#result/statistics'
import { chosen, type Scored, type TaskScores } from './choice.ts'
import { type Reference, type ReferenceDifference, references, toReferences } from './references.ts'
import type { AggregateReport, MethodCell, TaskReport } from './report.ts'
import type { Aggregated, AggregatedTask } from './run-aggregate.ts'
import { finishedScore } from '#result/ledger'
import { statesIn, taskScores } from './task-scores.ts'
import { toSentence } from './verdict.ts'

/**
 * The report of `runAggregate`: per task and method the setting that validation chose, its test score, whether it beats
 * the last layer, the best single layer and `default` by more than chance, and one sentence with the overall outcome.
 * Reads the scores of single items below `root`; draws are seeded.
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
  const tasks = withHolm(drafts)
  const over = mixesOverTasks(tasks)
  const { model, revision, pooling, passed, seconds, corpus } = aggregated
  const sentence = toSentence(tasks, over)
  return { model, revision, pooling, tasks, overTasks: over, sentence, passed, seconds, corpus }
}

function mixesOverTasks(all: readonly TaskReport[]): AggregateReport['overTasks'] {
  const compared = all.flatMap(({ mixAgainstSingle: one }) =>
    one === undefined || one.difference === null ? [] : [{ value: one.difference, pHolm: one.pHolm }],
  )
  if (compared.length === 0) return null
  const { difference, p, tasks } = overTasks(compared.map(({ value }) => value))
  const surely = compared.filter(({ pHolm }) => pHolm !== null && pHolm < 0.05)
  return {
    difference,
    p,
    better: surely.filter(({ value }) => value > 0).length,
    worse: surely.filter(({ value }) => value < 0).length,
    tasks,
  }
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
  const mix = chosen(scores, all, ({ mixes }) => mixes)
  const single = singleOf(task, scores, all)
  const last = statesIn(task.results).at(-1)
  const compared = [...picks.map(({ pick }) => pick), ...(mix === undefined ? [] : [mix])]
  const differencesOf = await toReferences(task, [...new Set(compared.map(({ representation }) => representation))], {
    of: { last, best: single, default: 'default' },
    root,
  })
  const cellOf = (method: string, pick: Scored): MethodCell => ({
    task: task.task,
    method,
    recipe: pick.recipes.find((one) => one.method === method) ?? { method, lambda: null, similarity: null },
    representation: pick.representation,
    weights: weightsOf(task, pick.representation),
    validation: pick.validation,
    test: pick.test,
    held: differencesOf(pick.representation),
  })
  const anyCell = (pick: Scored | undefined): MethodCell | undefined =>
    pick === undefined ? undefined : cellOf(pick.recipes[0]?.method ?? '', pick)
  const mixCell = anyCell(mix)
  return {
    task: task.task,
    validation: task.validation,
    cells: picks.map(({ method, pick }) => cellOf(method, pick)),
    chosen: anyCell(chosen(scores, all)),
    mix: mixCell,
    single:
      single === undefined ? undefined : { representation: single, test: finishedScore(task.results.get(single)) },
    hindsight: bestTest(task),
    last: finishedScore(task.results.get(last ?? '')),
    default: finishedScore(task.results.get('default')),
    mixAgainstSingle: mixCell?.held.find(({ against }) => against === 'best'),
  }
}

/** The first among equals. */
function bestTest({ results, candidates }: AggregatedTask): TaskReport['hindsight'] {
  const recipes = new Map(candidates.map(({ representation, recipes: own }) => [representation.name, own[0] ?? null]))
  const tests = [...results].flatMap(([representation, result]) => {
    const test = finishedScore(result)
    return test === null ? [] : [{ representation, recipe: recipes.get(representation) ?? null, test }]
  })
  return tests.reduce<TaskReport['hindsight']>(
    (best, one) => (best === undefined || one.test > best.test ? one : best),
    undefined,
  )
}

function weightsOf({ candidates }: AggregatedTask, name: string): readonly number[] | undefined {
  const mix = candidates.find(({ representation }) => representation.name === name)?.representation.mix
  return mix?.kind === 'sum' ? [...mix.weights] : undefined
}

/**
 * The single layer that validation chooses: where quality is validation, its best state, as the method `best` takes it;
 * otherwise chosen as mixes are.
 */
export function singleOf(
  { quality: { values, from } }: AggregatedTask,
  scores: TaskScores,
  all: readonly TaskScores[],
): string | undefined {
  if (from !== 'validation') return chosen(scores, all, undefined, 'states')?.representation
  return `h${values.indexOf(Math.max(...values))}`
}

/**
 * The differences of all methods and tasks form one family per reference; the differences between chosen mix and chosen
 * layer, one per task, form another.
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
    held: cell.held.map((one): ReferenceDifference => ({
      ...one,
      pHolm: corrected.get(one.against)?.get(keyOf(cell)) ?? null,
    })),
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
