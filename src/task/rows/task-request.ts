/**
 * The selected part of a task, settled once: code that reads or scores its rows carries this value, and has no defaults
 * of its own.
 */
import { asFault, fault, type Fault, suggestion } from '#core'
import type { TaskSelection } from './task.ts'
import { chooseLanguages, languageNames, speaks } from './languages.ts'
import type { Profile } from './profiles.ts'
import type { TaskInfo } from './task.ts'

export interface TaskChoice {
  /** Default: `mteb-2`. */
  profile?: Profile | undefined
  /** Default: the benchmark's, otherwise the task's. Any split of the data set may be named. */
  splits?: readonly string[] | undefined
  subsets?: readonly string[] | undefined
  /** `splits` are named for several tasks: each answers to those that its data have. */
  isShared?: boolean | undefined
  /** Keeps subsets in which one of these languages occurs. */
  languages?: readonly string[] | undefined
  /** What a benchmark asks of the task; the names above choose among it. */
  selection?: TaskSelection | undefined
  /** Share of each part's questions – pairs, test texts, queries –, above 0 and below 1; default: all. */
  share?: number | undefined
}

export interface TaskRequest {
  readonly task: TaskInfo
  readonly profile: Profile
  readonly splits: readonly string[]
  /** Splits that the data lack are left out as long as there is another. */
  readonly isLenient: boolean
  /** In the task's order; empty when the choice leaves none. */
  readonly subsets: readonly string[]
  /** Why no subset is left; loading throws it. */
  readonly refusal: Fault | undefined
  /** Undefined: everything is asked. */
  readonly share: number | undefined
}

/** Never throws: a choice that leaves nothing of this task is its refusal, and becomes its failed result. */
export function requestTask(
  task: TaskInfo,
  { profile = 'mteb-2', splits, subsets, isShared = false, languages, selection = {}, share }: TaskChoice = {},
): TaskRequest {
  const isLenient = isShared && splits !== undefined && splits.length > 1
  const asked = { task, profile, splits: splits ?? selection.splits ?? task.splits, isLenient, share }
  try {
    return { ...asked, subsets: subsetsOf(task, { subsets, languages, selection }), refusal: undefined }
  } catch (error) {
    return { ...asked, subsets: [], refusal: asFault(error, 'task.subset', task.name) }
  }
}

function subsetsOf(
  task: TaskInfo,
  { subsets, languages, selection }: Pick<TaskChoice, 'subsets' | 'languages'> & { selection: TaskSelection },
): readonly string[] {
  const { subsets: among } = selection
  // Names are given for all tasks at once: each task answers to those it has.
  const own = (subsets ?? among)?.filter(
    (name) => Object.hasOwn(task.subsets, name) && (among === undefined || among.includes(name)),
  )
  if (own?.length !== 0) {
    try {
      return chooseSubsets(task, own, languages)
    } catch (error) {
      if (among === undefined) throw error
    }
  }
  if (among !== undefined)
    throw fault('task.empty', {
      place: task.name,
      what: 'no subset is left of those the benchmark asks for',
      seen: subsets ?? languages,
      wanted: among,
    })
  return chooseSubsets(task, subsets, languages)
}

/**
 * Subsets of a task that the names and languages choose, in the task's order. Throws `task.subset` for a name it does
 * not have, `task.empty` when the languages leave none.
 */
function chooseSubsets(
  task: TaskInfo,
  subsets: readonly string[] | undefined,
  languages: readonly string[] | undefined,
): string[] {
  const all = Object.keys(task.subsets)
  for (const subset of subsets ?? []) {
    if (!Object.hasOwn(task.subsets, subset))
      throw fault('task.subset', { place: task.name, what: `no subset ${subset}`, hint: suggestion(subset, all) })
  }
  const asked = new Set(subsets)
  const named = subsets === undefined ? all : all.filter((subset) => asked.has(subset))
  if (languages === undefined) return named
  const known = languageNames(Object.values(task.subsets).flat())
  const codes = languages.flatMap((code) => (known.has(code) ? [code] : codesIn(code, known)))
  const chosen = named.filter((subset) => speaks(task.subsets[subset] ?? [], codes))
  if (chosen.length > 0) return chosen
  throw fault('task.empty', {
    place: task.name,
    what: 'no subset is left after the language filter',
    seen: languages,
    wanted: [...known].filter((code) => !code.includes('-')),
  })
}

/** A code the task does not have may still be the short form of one it has. */
function codesIn(code: string, known: ReadonlySet<string>): readonly string[] {
  try {
    return chooseLanguages([code], known).codes
  } catch {
    return []
  }
}
