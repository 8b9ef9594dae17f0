/**
 * Effects of merging: on which tasks a merge is better than all parents, worse than all or between them, and whether
 * merges change alike.
 */
import { fault, mean, populationDeviation } from '#core'
import { type Joint, linkage, rowDistances } from '#platform/linalg'
import { meanScore, type RowDifference } from '#result/statistics'
import type { ReportTask } from './collect.ts'
import type { Scored } from './draft.ts'
import { againstBaseline } from './against-baseline.ts'
import { rowMeant } from './rows-meant.ts'

export type Place = 'better' | 'worse' | 'between'

export interface MergeEffect {
  readonly name: string
  /** By the scores alone; a tie with a parent counts as between. */
  readonly places: Readonly<Record<Place, number>>
  /** Better or worse than every parent, after Holm's correction. */
  readonly surely: Readonly<Record<'better' | 'worse', number>>
  /** Score minus the first parent's score, one per task; null where one of them is missing. */
  readonly differences: readonly (number | null)[]
}

export interface MergeEffects {
  readonly parents: readonly string[]
  /** Tasks that every parent has, and on which higher is better. */
  readonly tasks: readonly string[]
  readonly merges: readonly MergeEffect[]
  /** Names of merges by task. */
  readonly byTask: readonly Readonly<Record<Place, readonly string[]>>[]
  /** Pearson's correlation of the differences, [merges][merges]; null where one of the two does not vary. */
  readonly alike: readonly (readonly (number | null)[])[]
  /** Trees of standardised differences, over tasks that all have: merges by average distance, tasks by Ward's. */
  readonly trees: {
    readonly merges: readonly Joint[]
    readonly tasks: readonly Joint[]
    readonly over: readonly string[]
  } | null
}

export interface EffectOptions {
  readonly tasks: readonly ReportTask[]
  readonly parents: readonly string[]
  /** Name of the row that merges and parents come from: it is no merge of them. */
  readonly base?: string | undefined
  readonly draws?: number | undefined
  readonly seed?: number | undefined
}

/**
 * Merges are all other rows with the parents' representation, the base excepted. Throws `usage.value` for an unknown
 * parent, or where nothing is left to compare.
 */
export async function mergeEffects(
  rows: readonly Scored[],
  { tasks: all, parents: named, base, draws, seed }: EffectOptions,
): Promise<MergeEffects> {
  const parents = named.map((name) => rowMeant(rows, name, { place: '--parents' }))
  const representations = new Set(parents.map(({ representation }) => representation))
  const merges = rows.filter(
    (row) => !parents.includes(row) && row.name !== base && representations.has(row.representation),
  )
  const tasks = all.filter(
    ({ name, lowerIsBetter }) => !lowerIsBetter && parents.every(({ scores }) => scores.has(name)),
  )
  if (representations.size > 1 || merges.length === 0 || tasks.length === 0)
    throw fault('usage.value', {
      place: '--parents',
      what: 'the parents must share a representation and tasks, and there must be merges to compare with them',
      seen: { representations: [...representations], merges: merges.length, tasks: tasks.length },
    })
  const differences = await Promise.all(
    parents.map(
      async ({ name }) =>
        (await againstBaseline([...parents, ...merges], { tasks, means: new Map(), baseline: name, draws, seed }))
          ?.onTasks ?? [],
    ),
  )
  const against = differences.map((own) => new Map(own.map((one) => [`${one.name}\n${one.task}`, one])))
  const [first] = parents
  const names = tasks.map(({ name }) => name)
  const effects = merges.map((merge): MergeEffect & { readonly at: readonly (Place | undefined)[] } => {
    const at = names.map((task) => placeOf(against.map((own) => own.get(`${merge.name}\n${task}`))))
    const sure = names.map((task) => surePlace(against.map((own) => own.get(`${merge.name}\n${task}`))))
    const count = (places: readonly (Place | undefined)[], place: Place): number =>
      places.filter((one) => one === place).length
    return {
      name: merge.name,
      at,
      places: { better: count(at, 'better'), worse: count(at, 'worse'), between: count(at, 'between') },
      surely: { better: count(sure, 'better'), worse: count(sure, 'worse') },
      differences: names.map((task) => difference(merge, first, task)),
    }
  })
  const namesAt = (place: Place, task: number): string[] =>
    effects.filter(({ at }) => at[task] === place).map(({ name }) => name)
  return {
    parents: parents.map(({ name }) => name),
    tasks: names,
    merges: effects.map(({ name, places, surely, differences }) => ({ name, places, surely, differences })),
    byTask: names.map((_, task) => ({
      better: namesAt('better', task),
      worse: namesAt('worse', task),
      between: namesAt('between', task),
    })),
    alike: effects.map((one) => effects.map((other) => pearson(one.differences, other.differences))),
    trees: treesOf(effects, names),
  }
}

function placeOf(against: readonly (RowDifference | undefined)[]): Place | undefined {
  if (against.includes(undefined)) return undefined
  if (against.every((one) => one?.ahead)) return 'better'
  return against.every((one) => one?.ahead === false && one.difference !== 0) ? 'worse' : 'between'
}

function surePlace(against: readonly (RowDifference | undefined)[]): Place | undefined {
  return against.every((one) => (one?.pHolm ?? 1) < 0.05) ? placeOf(against) : undefined
}

function difference(merge: Scored, parent: Scored | undefined, task: string): number | null {
  const [own, other] = [meanScore(merge.scores.get(task)), meanScore(parent?.scores.get(task))]
  return own === undefined || other === undefined ? null : own - other
}

function pearson(a: readonly (number | null)[], b: readonly (number | null)[]): number | null {
  const both = a.flatMap((x, i) => (x === null || b[i] == null ? [] : [[x, b[i]] as const]))
  const [meanX, meanY] = [mean(both.map(([x]) => x)), mean(both.map(([, y]) => y))]
  let [xy, xx, yy] = [0, 0, 0]
  for (const [x, y] of both) {
    xy += (x - meanX) * (y - meanY)
    xx += (x - meanX) ** 2
    yy += (y - meanY) ** 2
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null
}

/**
 * Each task's differences scaled to mean 0 and deviation 1 over the merges, as scikit-learn's StandardScaler does;
 * constant ones become 0.
 */
function treesOf(effects: readonly MergeEffect[], names: readonly string[]): MergeEffects['trees'] {
  const whole = names
    .map((_, task) => task)
    .filter((task) => effects.every(({ differences }) => differences[task] !== null))
  if (effects.length < 3 || whole.length < 3) return null
  const columns = whole.map((task) => standardised(effects.map(({ differences }) => differences[task] ?? 0)))
  const rows = effects.map((_, i) => columns.map((column) => column[i] ?? 0))
  return {
    merges: linkage(rowDistances(rows), rows.length, 'average'),
    tasks: linkage(rowDistances(columns), columns.length, 'ward'),
    over: whole.map((task) => names[task] ?? ''),
  }
}

function standardised(values: readonly number[]): number[] {
  const [middle, deviation] = [mean(values), populationDeviation(values)]
  return values.map((value) => (deviation > 0 ? (value - middle) / deviation : 0))
}
