/** Rows by tasks as tables: scores first; where there are many tasks, means of their groups, and a folded table per group. */
import { dash, decimals, mean, points, pText, signed, signedPoints, significant } from '#core'
import type { RowDifference } from '#result/statistics'
import type { Report, Standing } from './report.ts'
import { level, listNames } from './sentence-parts.ts'
import { type Cell, type Column, numbers, type Table } from './table.ts'
import { groupTasks, type TaskGroup } from './task-groups.ts'

/** Maximum number of tasks that are columns of one table. */
const mostColumns = 12
/** From this number of rows on, the highest mean is at the top. */
const manyRows = 30

export function standingTables(report: Report, standing: Standing, place: number): Table[] {
  const { kind, rows: found } = standing
  const before = report.standings.slice(0, place).filter((one) => one.kind === kind).length
  const id = before === 0 ? kind : `${kind}-${before + 1}`
  const rows = found.length < manyRows ? found : found.toSorted((a, b) => (b.mean ?? -Infinity) - (a.mean ?? -Infinity))
  const scores = scoresIn(report, { ...standing, rows })
  const groups = scores.tasks.length > mostColumns ? groupTasks(scores.tasks) : []
  return [
    standingTable(report, { ...standing, rows }, { id, scores, groups }),
    ...groups.map((group, at) => groupTable(group, { id: `${id}-group-${at}`, scores, only: groups.length === 1 })),
  ]
}

interface StandingScores {
  readonly title: string
  readonly names: readonly string[]
  readonly tasks: Report['tasks']
  readonly cell: (name: string, task: string) => Cell
  readonly score: (name: string, task: string) => number | null
}

function scoresIn(report: Report, { kind, rows, tasks: asked }: Standing): StandingScores {
  const tasks = report.tasks.filter(({ name }) => asked.includes(name))
  const places = new Map(report.tasks.map(({ name }, at) => [name, at]))
  const byName = new Map(report.rows.map((row) => [row.name, row]))
  const reasons = new Map(report.missing.map((one) => [`${one.name}\n${one.task}`, one]))
  const differences = new Map(report.held?.onTasks.map((one) => [`${one.name}\n${one.task}`, one]))
  const score = (name: string, task: string): number | null => byName.get(name)?.scores[places.get(task) ?? -1] ?? null
  const lower = new Set(tasks.flatMap(({ name, lowerIsBetter }) => (lowerIsBetter ? [name] : [])))
  const top = new Map(
    tasks.map(({ name: task }) => [
      task,
      (lower.has(task) ? least : greatest)(rows.map(({ name }) => score(name, task))),
    ]),
  )
  const cell = (name: string, task: string): Cell => {
    const value = score(name, task)
    const why = reasons.get(`${name}\n${task}`)
    if (value === null)
      return why?.code == null
        ? { text: dash, value: null, tip: why?.reason }
        : { text: 'failed', value: null, tip: `${why.code}: ${why.reason}`, failed: true }
    const difference = differences.get(`${name}\n${task}`)
    const text = scoreText(value, lower.has(task))
    return {
      text: `${text}${arrow(difference)}`,
      value,
      best: rows.length > 1 && text === scoreText(top.get(task) ?? null, lower.has(task)),
      ...(difference?.p == null ? {} : { tip: differenceText(difference) }),
    }
  }
  const title = kind === 'models' ? 'model' : 'representation'
  return { title, names: rows.map(({ name }) => name), tasks, cell, score }
}

interface StandingParts {
  readonly id: string
  readonly scores: StandingScores
  readonly groups: readonly TaskGroup[]
}

function standingTable(report: Report, standing: Standing, { id, scores, groups }: StandingParts): Table {
  const { kind, common, rows, tasks: asked } = standing
  const { held: against, standings } = report
  const { tasks } = scores
  const apart = standings.filter(({ whole }) => whole).length
  const typed = rows.some(({ meanType }) => meanType !== null)
  const several = rows.length > 1
  const grouped = groupCells({ groups, common, scores })
  const [topMean, topType] = [greatest(rows.map(({ mean }) => mean)), greatest(rows.map(({ meanType }) => meanType))]
  const counts = (value: number | null, top: number | null): Cell => ({
    text: points(value),
    value,
    best: several && value !== null && points(value) === points(top),
  })
  return {
    id,
    isScores: true,
    title: `${kind === 'models' ? 'Models' : 'Representations'} by tasks${apart > 1 ? `: ${listSome(asked)}` : ''}`,
    notes: [
      `Scores × 100. ${overText(standing, tasks)}`,
      ...(groups.length > 0 ? ['The tables below contain the single tasks, group by group.'] : []),
      ...(apart > 1 ? ['Rows that share no task with these are in a table of their own.'] : []),
      ...(several
        ? ['Rank is the mean rank over these tasks; Borda counts how many rows each is ahead of, 1 is the best.']
        : []),
      ...partsText(tasks),
      ...(against === null || !against.onTasks.some(({ p }) => p !== null)
        ? []
        : [
            `↑ ↓ better or worse than ${against.baseline}: paired bootstrap over items, p < ${level} after Holm's correction.`,
          ]),
    ],
    columns: [
      { title: scores.title },
      { title: 'mean', number: true },
      ...(typed ? [{ title: 'mean of types', number: true }] : []),
      ...(groups.length > 0 ? groupColumns(groups) : numbers(...tasks.map(({ name }) => name))),
      ...(several ? numbers('rank', 'Borda') : []),
      ...numbers('tasks'),
    ],
    rows: rows.map(({ name, mean: value, meanType, meanRank, borda, completed }) => [
      { text: name },
      counts(value, topMean),
      ...(typed ? [counts(meanType, topType)] : []),
      ...(groups.length > 0 ? (grouped.get(name) ?? []) : tasks.map((task) => scores.cell(name, task.name))),
      ...(several
        ? [
            { text: decimals(meanRank, 2), value: meanRank },
            { text: decimals(borda, 0), value: borda, best: borda === 1 },
          ]
        : []),
      { text: `${completed} of ${tasks.length}`, value: completed },
    ]),
  }
}

function groupColumns(groups: readonly TaskGroup[]): Column[] {
  return groups.length < 2 ? [] : numbers(...groups.map(({ name, tasks }) => `${name} (${tasks.length})`))
}

/** By row: means over each group's part of the tasks that every row has. */
function groupCells({
  groups,
  common,
  scores,
}: Pick<StandingParts, 'groups' | 'scores'> & { readonly common: readonly string[] }): ReadonlyMap<string, Cell[]> {
  const rows = new Map(scores.names.map((name): [string, Cell[]] => [name, []]))
  if (groups.length < 2) return rows
  for (const group of groups) {
    const means = scores.names.map((name) => groupMean(group, common, (task) => scores.score(name, task)))
    const top = points(greatest(means))
    for (const [at, name] of scores.names.entries()) {
      const value = means[at] ?? null
      const text = points(value)
      rows.get(name)?.push({ text, value, best: scores.names.length > 1 && value !== null && text === top })
    }
  }
  return rows
}

/** Null where the group has no task that every row has, or a score is missing. */
export function groupMean(
  { tasks }: TaskGroup,
  common: readonly string[],
  score: (task: string) => number | null,
): number | null {
  const own = tasks.flatMap(({ name }) => (common.includes(name) ? [score(name)] : []))
  const there = own.flatMap((value) => value ?? [])
  return there.length === 0 || there.length < own.length ? null : mean(there)
}

/** Tasks down and rows across where that is narrower. */
function groupTable(
  { name, tasks }: TaskGroup,
  { id, scores, only }: { readonly id: string; readonly scores: StandingScores; readonly only: boolean },
): Table {
  const title = only ? `${tasks.length} tasks one by one` : `${name}: ${tasks.length} tasks`
  const base = { id, title, isScores: true, isFolded: true, notes: ['Scores × 100.'] }
  if (scores.names.length <= mostColumns)
    return {
      ...base,
      columns: [{ title: 'task' }, ...numbers(...scores.names)],
      rows: tasks.map(({ name: task }) => [{ text: task }, ...scores.names.map((row) => scores.cell(row, task))]),
    }
  return {
    ...base,
    columns: [{ title: scores.title }, ...numbers(...tasks.map(({ name: task }) => task))],
    rows: scores.names.map((row) => [{ text: row }, ...tasks.map(({ name: task }) => scores.cell(row, task))]),
  }
}

/** The first few, and the number of further ones. */
export function listSome(tasks: readonly string[]): string {
  return tasks.length < 4 ? tasks.join(', ') : `${tasks.slice(0, 2).join(', ')} and ${tasks.length - 2} more`
}

function overText({ common, rows }: Standing, asked: Report['tasks']): string {
  const lower = asked.flatMap(({ name, lowerIsBetter }) => (lowerIsBetter ? [name] : []))
  const tasks = asked.length - lower.length
  const apart =
    lower.length === 0
      ? ''
      : ` Lower is better for ${lower.join(', ')}: shown as measured, and part of no mean or rank.`
  const ranked = rows.filter(({ mean }) => mean !== null)
  const without = rows.filter(({ mean }) => mean === null).map(({ name }) => name)
  const left =
    common.length === 0 || without.length === 0
      ? ''
      : ` Without a mean, because they leave the others no common task: ${listNames(without, named)}.`
  return `${meansText(common, tasks, ranked.length)}${left}${apart}`
}

function meansText(common: readonly string[], tasks: number, rows: number): string {
  if (common.length === 0)
    return `No task has a score in ${rows === 1 ? 'this row' : 'every row'}, so there is no mean.`
  if (tasks === 1 && common.length === 1) return 'With one task its score is the mean.'
  if (common.length === tasks) return `Means are over all ${tasks} tasks${rows === 1 ? '' : ', which every row has'}.`
  const which = common.length > named ? 'the table of coverage says which' : common.join(', ')
  return `Means and ranks are over the ${common.length} of ${tasks} tasks that ${rows === 1 ? 'were completed' : 'every row has'}: ${which}.`
}

/** Number of tasks that a note lists one by one. */
const named = 12

function partsText(tasks: Report['tasks']): string[] {
  const cut = tasks.filter(({ left }) => left.length > 0)
  if (cut.length === 0) return []
  const which =
    cut.length > named ? `${cut.length} tasks, listed in the table of coverage` : cut.map(({ name }) => name).join(', ')
  return [`Only the splits and subsets that every row has count for ${which}.`]
}

function arrow(difference: RowDifference | undefined): string {
  if (difference?.pHolm == null || difference.pHolm >= level) return ''
  return difference.ahead ? ' ↑' : ' ↓'
}

function differenceText({ against, difference, lowerIsBetter, low, high, pHolm, why }: RowDifference): string {
  const interval =
    low === null || high === null
      ? (why ?? '')
      : `95 % ${signedText(low, lowerIsBetter)} … ${signedText(high, lowerIsBetter)}, p after Holm ${pText(pHolm)}`
  return `${signedText(difference, lowerIsBetter)} to ${against}${interval === '' ? '' : `; ${interval}`}`
}

function least(values: readonly (number | null)[]): number | null {
  return values.reduce((best, value) => (value !== null && (best === null || value < best) ? value : best), null)
}

function greatest(values: readonly (number | null)[]): number | null {
  return values.reduce((best, value) => (value !== null && (best === null || value > best) ? value : best), null)
}

/** Perplexities and losses are not scaled. */
function scoreText(score: number | null, lowerIsBetter: boolean): string {
  return lowerIsBetter ? significant(score, 5) : points(score)
}

export function signedText(difference: number | null, lowerIsBetter: boolean): string {
  return lowerIsBetter ? signed(difference, (magnitude) => significant(magnitude, 4)) : signedPoints(difference)
}
