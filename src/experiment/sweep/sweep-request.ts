/**
 * The request of a sweep: as its caller gives it, with gaps; and completed once, for everything that plans or runs it.
 */
import { type CallOptions, fault, suggestion } from '#core'
import type { KMeansProfile } from '#platform/linalg'
import type { Keep, Model } from '#model/checkpoint'
import { layersOf, type Representation, toWhole, type WholeRepresentation } from '#representation/layers'
import type { OverwriteStrategy } from '#result/ledger'
import { type TaskRequest, requestTask, type Profile, type TaskInfo, type TaskSelection } from '#task/rows'
import type { Benchmark, OwnTasks, SkippedTask } from '#task/registry'

/** Another model that puts the first documents of every search in order, and how many. */
export interface RerankOptions {
  readonly model: Model
  /** It searches among them by its vectors; undefined: it scores them in pairs with their query. */
  readonly representation?: Representation | undefined
  readonly top: number
}

export interface SweepOptions extends CallOptions {
  tasks: readonly TaskInfo[]
  representations: readonly Representation[]
  /**
   * `all` stores every state of a text, `last` only the slots that `default` needs, a number the states up to it. Default:
   * as far as the representations reach.
   */
  keep?: Keep | undefined
  outputFolder?: string | undefined
  /** For tasks of retrieval and reranking; others have no search. */
  rerank?: RerankOptions | undefined
  profile?: Profile | undefined
  /** Version of scikit-learn's k-means that clustering follows; default A. */
  kmeans?: KMeansProfile | undefined
  overwriteStrategy?: OverwriteStrategy | undefined
  splits?: readonly string[] | undefined
  subsets?: readonly string[] | undefined
  /** Every task that `splits` and `subsets` were given for, where `tasks` are some of them; default: `tasks`. */
  namedFor?: readonly TaskInfo[] | undefined
  languages?: readonly string[] | undefined
  /** Share of the texts of every part of the tasks; default: all. Scores of a share have their own name. */
  share?: number | undefined
  /** Selections of benchmarks by task; a task without one runs in full. */
  selections?: ReadonlyMap<string, TaskSelection> | undefined
  /** Requested tasks that cannot run, for the plan. */
  skipped?: readonly SkippedTask[] | undefined
  /** Benchmarks of the selections, for their sizes. */
  benchmarks?: readonly Benchmark[] | undefined
  /** True: data sets that are not on this machine are not downloaded. */
  offline?: boolean | undefined
  /** The user's own data sets, by the path in their tasks. */
  ownData?: OwnTasks['data'] | undefined
  /** Folder for corpora that do not fit in memory; default: the system's temporary folder. */
  scratch?: string | undefined
}

/** The same without gaps. */
export interface SweepRequest extends CallOptions {
  readonly representations: readonly Representation[]
  readonly keep: Keep
  readonly outputFolder: string
  readonly rerank: RerankOptions | undefined
  readonly kmeans: KMeansProfile
  readonly overwriteStrategy: OverwriteStrategy
  readonly skipped: readonly SkippedTask[]
  readonly benchmarks: readonly Benchmark[]
  readonly offline: boolean
  readonly ownData: OwnTasks['data']
  readonly scratch: string | undefined
  /** Request of any task, including members of aggregates, with its splits and subsets. */
  readonly asked: (task: TaskInfo) => TaskRequest
}

/**
 * Throws `usage.value` for a subset that none of the tasks has: a misspelt name must not pass because another one was
 * right.
 */
export function requestSweep({
  tasks,
  representations,
  keep = findReach(representations),
  outputFolder = 'results',
  rerank,
  kmeans = 'A',
  overwriteStrategy = 'only-missing',
  skipped = [],
  benchmarks = [],
  offline = false,
  ownData = new Map(),
  scratch,
  signal,
  onProgress,
  selections = new Map(),
  profile,
  splits,
  subsets,
  namedFor = tasks,
  languages,
  share,
}: SweepOptions): SweepRequest {
  if (subsets !== undefined) checkSubsets(subsets, namedFor)
  const known = new Map<string, TaskRequest>()
  const asked = (task: TaskInfo): TaskRequest => {
    const one =
      known.get(task.name) ??
      requestTask(task, {
        profile,
        splits,
        subsets,
        isShared: namedFor.length > 1,
        languages,
        share,
        selection: selections.get(task.name),
      })
    known.set(task.name, one)
    return one
  }
  return {
    representations,
    keep,
    outputFolder,
    rerank,
    kmeans,
    overwriteStrategy,
    skipped,
    benchmarks,
    offline,
    ownData,
    scratch,
    signal,
    onProgress,
    asked,
  }
}

type OfText = Extract<WholeRepresentation, { kind: 'default' | 'splade' }>

/** Nothing but the last state goes into it. */
function isOfText(one: WholeRepresentation): one is OfText {
  return one.kind === 'default' || one.kind === 'splade'
}

/** The vectors that these representations read. */
export function findReach(representations: readonly Representation[]): Keep {
  const whole = representations.map(toWhole).filter((one) => one.kind !== 'tokens')
  if (whole.every(isOfText)) return 'last'
  return whole.reduce<Keep>((reach, one) => {
    if (reach === 'all' || isOfText(one)) return 'all'
    return Math.max(Number(reach), ...(one.kind === 'state' ? [one.h] : layersOf(one.mix)))
  }, 0)
}

/**
 * Names of subsets are given for all tasks at once, and each task answers to those it has. Throws `usage.value` for a
 * name that none of them has.
 */
export function checkSubsets(subsets: readonly string[], tasks: readonly TaskInfo[]): void {
  const known = [...new Set(tasks.flatMap((task) => Object.keys(task.subsets)))]
  const wrong = subsets.find((name) => !known.includes(name))
  if (wrong === undefined) return
  throw fault('usage.value', {
    place: '--subsets',
    what: tasks.length === 1 ? `${tasks[0]?.name ?? ''} has no such subset` : 'none of the tasks has such a subset',
    seen: wrong,
    wanted: known.length > 40 ? `${known.slice(0, 40).join(', ')}, …` : known.join(', '),
    hint: suggestion(wrong, known),
  })
}
