/**
 * Folders of results as rows by tasks: which model was scored on which task and parts, and which results are missing.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fault, type Scores, type SubsetScores } from '#core'
import { checkResultNames, type Choice, type Listed, type ListFilters, listResults, readChoices } from '#result/ledger'
import { type Draft, draftIn, type Identity, keyOf, type Scored } from './draft.ts'
import { combinedRows } from './combined-rows.ts'

export interface ReportTask {
  readonly name: string
  readonly type: string
  /** Parts, such as `test en-en`, that all rows with the task have scored; means and comparisons are over these. */
  readonly parts: readonly string[]
  /** Parts that only some rows have, and that therefore do not count. */
  readonly left: readonly string[]
  /** Perplexities and losses: their scale is not that of other tasks, so they are in no mean. */
  readonly lowerIsBetter: boolean
}

export interface Unreadable {
  readonly path: string
  readonly code: string
  readonly message: string
}

export interface Collected {
  readonly tasks: readonly ReportTask[]
  readonly contenders: readonly Scored[]
  readonly unreadable: readonly Unreadable[]
  /** Number of results found in several folders; the first folder's counts. */
  readonly twice: number
}

/** Recorded scores from elsewhere, one per checkpoint, layer and task. */
export interface RecordedScores {
  readonly model: string
  readonly rows: readonly {
    readonly checkpoint: string
    readonly layer: string
    readonly task: string
    readonly score: number
  }[]
}

export interface ReadResults {
  readonly root: string
  readonly listed: readonly Listed[]
}

export interface CollectOptions extends Pick<ListFilters, 'models' | 'representations' | 'mainScore'> {
  /** Whether a task is included; default: all tasks. */
  readonly wanted?: ((task: string) => boolean) | undefined
  /** Whether a part of a task is included; default: every part. */
  readonly part?: ((task: string, split: string, subset: SubsetScores) => boolean) | undefined
  readonly recorded?: readonly RecordedScores[] | undefined
  /** Results that were read already, by the folder of each: nothing is read again, and a folder may be gone. */
  readonly read?: readonly ReadResults[] | undefined
  /** Chooses and orders the rows; default: all, hidden states by their number. Its exceptions pass through. */
  readonly choose?: ((all: readonly Identity[]) => readonly Identity[]) | undefined
  /** Type of a task, for means by type; '' where it is not known. */
  readonly typeOf?: ((task: string) => string) | undefined
}

/**
 * Rows in the order of folders and paths, hidden states by their number. Throws `file.missing` for a folder that does
 * not exist, and where none holds a result.
 */
export async function collect(
  folders: readonly string[],
  { wanted = () => true, typeOf = () => '', choose, part, recorded = [], read, ...filters }: CollectOptions = {},
): Promise<Collected> {
  const drafts = new Map<string, Draft>()
  const unreadable: Unreadable[] = []
  let twice = 0
  const listed: Listed[] = []
  const roots = read?.map(({ root }) => root) ?? (await Promise.all(folders.map(resultsIn)))
  for (const [at, root] of roots.entries()) {
    for (const one of read?.[at]?.listed ?? (await listResults(root, { ...filters, isWhole: nothing }))) {
      listed.push(one)
      if (!wanted(one.task)) continue
      if (one.result === undefined) {
        unreadable.push({ path: one.path, code: one.fault.code, message: one.fault.message })
        continue
      }
      const draft = draftIn(drafts, one)
      const asked = part === undefined ? one : narrowed(one, part)
      if (asked === undefined) draft.reasons.set(one.task, 'none of its parts is selected')
      else if (!added(draft, asked, root)) twice++
    }
  }
  if (recorded.length === 0) await checkResultNames(roots, listed, filters)
  for (const one of recorded) twice += addRecorded(drafts, one, wanted)
  if (drafts.size === 0 && unreadable.length === 0)
    throw fault('file.missing', {
      place: folders.join(', '),
      what: 'no result that passes the filters',
      hint: 'strata results shows what a folder holds',
    })
  const found = [...drafts.values()]
  const { combined, left } = combinedRows(found, await choicesIn(roots, found), filters.representations === undefined)
  for (const row of combined) drafts.set(keyOf(row), row)
  const chosen =
    choose?.([...drafts.values()]).flatMap((one) => drafts.get(keyOf(one)) ?? []) ?? inOrder([...left, ...combined])
  const rows = withNames(chosen)
  const names = [...new Set(rows.flatMap(({ scores, codes }) => [...scores.keys(), ...codes.keys()]))].sort()
  const tasks = names.map((name) => taskIn(rows, name, typeOf(name)))
  return { tasks, contenders: rows.map((row) => ({ ...row, scores: overCommonParts(row, tasks) })), unreadable, twice }
}

/** A report shows main scores alone. */
const nothing = (): boolean => false

/** Number of scores that were there already. */
function addRecorded(
  drafts: Map<string, Draft>,
  { model, rows }: RecordedScores,
  wanted: (task: string) => boolean,
): number {
  let twice = 0
  for (const { checkpoint, layer, task, score } of rows) {
    if (!wanted(task)) continue
    const draft = draftIn(drafts, { model, revision: checkpoint, representation: layer })
    if (draft.scores.has(task)) twice++
    else draft.scores.set(task, { test: [{ hf_subset: 'default', languages: [], main_score: score }] })
  }
  return twice
}

function withNames(chosen: readonly Draft[]): (Draft & { readonly name: string })[] {
  const differ = (of: (draft: Draft) => string): boolean => new Set(chosen.map(of)).size > 1
  const several = {
    models: differ(({ model }) => model),
    revisions: revisionsDiffer(chosen),
    representations: differ(({ representation }) => representation),
  }
  return chosen.map((draft) => ({ ...draft, name: nameOf(draft, several) }))
}

function taskIn(rows: readonly Draft[], name: string, type: string): ReportTask {
  return {
    name,
    type: type || subfieldIn(rows, name),
    ...commonParts(rows.flatMap(({ scores }) => (scores.has(name) ? [scores.get(name) ?? {}] : []))),
    lowerIsBetter: rows.some(({ scores }) =>
      Object.values(scores.get(name) ?? {}).some((subsets) => subsets.some((one) => one['higher_is_better'] === false)),
    ),
  }
}

/** What a probe's results say of the linguistic subfield of their data set; '' where they say nothing. */
function subfieldIn(rows: readonly Draft[], task: string): string {
  for (const { scores } of rows)
    for (const parts of Object.values(scores.get(task) ?? {}))
      for (const { subfield } of parts) if (typeof subfield === 'string') return subfield
  return ''
}

/**
 * False for a folder without a single result, such as that of a search whose results are elsewhere. Throws
 * `file.missing` where it is no folder.
 */
export async function holdsResults(folder: string): Promise<boolean> {
  return (await listResults(await resultsIn(folder))).length > 0
}

/** What validation chose for the models of these rows, by model and revision. */
async function choicesIn(roots: readonly string[], rows: readonly Identity[]): Promise<Map<string, Choice[]>> {
  const found = new Map<string, Choice[]>()
  for (const { model, revision } of rows) {
    const key = `${model}\n${revision}`
    if (found.has(key)) continue
    found.set(key, [])
    for (const root of roots) found.get(key)?.push(...(await readChoices({ root, model, revision })))
  }
  return found
}

/** The folder itself, or its `results`: an experiment's folder holds them there. Throws `file.missing`. */
async function resultsIn(folder: string): Promise<string> {
  const isFolder = async (path: string): Promise<boolean> =>
    (await stat(path).catch(() => undefined))?.isDirectory() === true
  if (!(await isFolder(folder))) throw fault('file.missing', { place: folder, what: 'no such folder of results' })
  const inner = join(folder, 'results')
  return (await isFolder(inner)) ? inner : folder
}

/** The result with those parts alone; undefined where none remains. A failure has no parts. */
function narrowed(
  one: Listed & { readonly fault?: never },
  part: NonNullable<CollectOptions['part']>,
): Listed | undefined {
  const { result, task } = one
  if (result.scores === undefined) return one
  const scores = Object.entries(result.scores).flatMap(([split, subsets]) => {
    const left = subsets.filter((subset) => part(task, split, subset))
    return left.length === 0 ? [] : [[split, left] as const]
  })
  return scores.length === 0 ? undefined : { ...one, result: { ...result, scores: Object.fromEntries(scores) } }
}

/** A finished result replaces a failure from any folder; returns false when there already is a finished one. */
function added(draft: Draft, { result, task }: Listed, root: string): boolean {
  const { strata, scores } = result ?? {}
  const failed = strata?.status === 'failed' || scores === undefined
  // a failure next to a score is no second result
  if (draft.scores.has(task)) return failed
  if (failed) {
    if (draft.codes.has(task)) return false
    draft.codes.set(task, strata?.code ?? 'result.invalid')
    draft.reasons.set(task, strata?.reason ?? 'no scores')
    return true
  }
  const without = Object.values(scores)
    .flat()
    .filter(({ main_score: score }) => score === null)
  if (without.length > 0) {
    draft.codes.set(task, 'task.value')
    draft.reasons.set(task, `no score on ${without.map(({ hf_subset: subset }) => subset).join(', ')}`)
    return true
  }
  draft.scores.set(task, scores)
  draft.roots.set(task, root)
  draft.stored.set(task, draft.representation)
  draft.combination ??= strata?.settings['combination']
  draft.codes.delete(task)
  draft.reasons.delete(task)
  const seconds = strata?.seconds ?? result?.evaluation_time
  if (seconds !== undefined) draft.seconds.set(task, seconds)
  return true
}

function revisionsDiffer(drafts: readonly Draft[]): boolean {
  return (
    new Set(drafts.map(({ model, revision }) => `${model}\n${revision}`)).size >
    new Set(drafts.map(({ model }) => model)).size
  )
}

/** The parts of its identity that differ from row to row, and the representation, unless several models share it. */
function nameOf(
  { model, revision, representation }: Draft,
  several: { readonly models: boolean; readonly revisions: boolean; readonly representations: boolean },
): string {
  const at = several.revisions ? `@${/^[0-9a-f]{40}$/.test(revision) ? revision.slice(0, 12) : revision}` : ''
  const whose = several.models ? `${model}${at}` : at.slice(1)
  return [whose, several.models && !several.representations ? '' : representation]
    .filter((part) => part !== '')
    .join(' ')
}

/**
 * Models and revisions in the order in which they were found; within one, h2 before h10, and hidden states before other
 * representations.
 */
function inOrder(drafts: readonly Draft[]): Draft[] {
  const places = [...new Set(drafts.map(({ model, revision }) => `${model}\n${revision}`))]
  const placeOf = ({ model, revision }: Draft): number => places.indexOf(`${model}\n${revision}`)
  const number = ({ representation }: Draft): number => Number(/^h(\d+)/.exec(representation)?.[1] ?? Infinity)
  return drafts.toSorted((a, b) => placeOf(a) - placeOf(b) || (number(a) === number(b) ? 0 : number(a) - number(b)))
}

function partNames(scores: Scores): string[] {
  return Object.entries(scores).flatMap(([split, subsets]) =>
    subsets.map(({ hf_subset: subset }) => `${split} ${subset}`),
  )
}

/** Parts that all rows have; where there are none, those that most rows have. */
function commonParts(all: readonly Scores[]): Pick<ReportTask, 'parts' | 'left'> {
  const counted = new Map<string, number>()
  for (const scores of all) for (const part of partNames(scores)) counted.set(part, (counted.get(part) ?? 0) + 1)
  const most = Math.max(0, ...counted.values())
  const parts = [...counted].filter(([, count]) => count === most).map(([part]) => part)
  return { parts, left: [...counted.keys()].filter((part) => !parts.includes(part)) }
}

/** Scores of the parts that count; a task that lacks one of them has no score, and a reason. */
function overCommonParts({ scores, reasons }: Draft, tasks: readonly ReportTask[]): Map<string, Scores> {
  const kept = new Map<string, Scores>()
  for (const { name, parts } of tasks) {
    const own = scores.get(name)
    if (own === undefined) continue
    const filtered = Object.entries(own).map(
      ([split, subsets]) =>
        [split, subsets.filter(({ hf_subset: subset }) => parts.includes(`${split} ${subset}`))] as const,
    )
    const there = Object.fromEntries(filtered.filter(([, subsets]) => subsets.length > 0))
    if (partNames(there).length === parts.length) kept.set(name, there)
    else reasons.set(name, `only ${partNames(own).join(', ')}`)
  }
  return kept
}
