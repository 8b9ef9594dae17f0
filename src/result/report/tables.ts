/** A report as plain tables: the words and numbers of every cell, independent of the format. */
import { dash, decimals, points, pText, signed, signedPoints, significant } from '#core'
import { companionTables } from './companion-tables.ts'
import { effectTables } from './effect-tables.ts'
import type { Difference, RowDifference } from '#result/statistics'
import type { AgainstBaseline } from './against-baseline.ts'
import type { Report, Standing } from './report.ts'
import { type Cell, counted, numbers, type Table } from './table.ts'

/**
 * The tables of a report as values: titles, columns, cells.
 *
 * @example
 * ```ts
 * import { reportOf, tablesOf } from 'strata-lm/report'
 *
 * for (const { title, rows } of tablesOf(await reportOf(['results']))) console.log(title, rows.length)
 * // → Representations by tasks 2
 * // → Against default, over tasks 1
 * // → Against default, task by task 1
 * // → Coverage 1
 * ```
 */
export function tablesOf(report: Report): Table[] {
  const { held: against } = report
  return [
    ...report.standings.map((standing, at) => standingTable(report, standing, at)),
    ...(against === null || against.overTasks.length === 0 ? [] : [overTasksTable(against)]),
    ...(against === null || against.onTasks.every(({ p }) => p === null) ? [] : [onTasksTable(against)]),
    ...(report.effects === null ? [] : effectTables(report.effects)),
    ...companionTables(report),
    ...(report.coverage.length === 0 ? [] : [coverageTable(report)]),
    ...(report.missing.length === 0 ? [] : [missingTable(report)]),
    ...(report.unreadable.length === 0 ? [] : [unreadableTable(report)]),
  ]
}

/** Holm-corrected p-value below which a difference is significant. */
export const level = 0.05

function standingTable(report: Report, { kind, common, rows, tasks: asked }: Standing, place: number): Table {
  const { held: against, missing, standings } = report
  const columns = report.tasks.map(({ name }, at) => (asked.includes(name) ? at : -1)).filter((at) => at >= 0)
  const tasks = columns.flatMap((at) => report.tasks[at] ?? [])
  const before = standings.slice(0, place).filter((one) => one.kind === kind).length
  const apart = standings.filter(({ whole }) => whole).length
  const typed = rows.some(({ meanType }) => meanType !== null)
  const byName = new Map(report.rows.map((row) => [row.name, row]))
  const reasons = new Map(missing.map((one) => [`${one.name}\n${one.task}`, one]))
  const differences = new Map(against?.onTasks.map((one) => [`${one.name}\n${one.task}`, one]))
  const scoreOf = (name: string, at: number): number | null => byName.get(name)?.scores[columns[at] ?? -1] ?? null
  const top = tasks.map(({ lowerIsBetter }, at) =>
    (lowerIsBetter ? least : greatest)(rows.map(({ name }) => scoreOf(name, at))),
  )
  const [topMean, topType] = [greatest(rows.map(({ mean }) => mean)), greatest(rows.map(({ meanType }) => meanType))]
  const scoreCell = (name: string, at: number): Cell => {
    const task = tasks[at]?.name ?? ''
    const score = scoreOf(name, at)
    const why = reasons.get(`${name}\n${task}`)
    if (score === null)
      return why?.code == null
        ? { text: dash, value: null, tip: why?.reason }
        : { text: 'failed', value: null, tip: `${why.code}: ${why.reason}`, failed: true }
    const difference = differences.get(`${name}\n${task}`)
    const lower = tasks[at]?.lowerIsBetter === true
    const best = rows.length > 1 && scoreText(score, lower) === scoreText(top[at] ?? null, lower)
    return {
      text: `${scoreText(score, lower)}${arrow(difference)}`,
      value: score,
      best,
      ...(difference?.p == null ? {} : { tip: differenceText(difference) }),
    }
  }
  return {
    id: before === 0 ? kind : `${kind}-${before + 1}`,
    title: `${kind === 'models' ? 'Models' : 'Representations'} by tasks${apart > 1 ? `: ${listSome(asked)}` : ''}`,
    notes: [
      `Scores × 100. ${overText(common, tasks, rows.length)}`,
      ...(apart > 1 ? ['Rows that share no task with these are in a table of their own.'] : []),
      ...(rows.length > 1
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
      { title: kind === 'models' ? 'model' : 'representation' },
      { title: 'mean', number: true },
      ...(typed ? [{ title: 'mean of types', number: true }] : []),
      ...(rows.length > 1 ? numbers('rank', 'Borda') : []),
      ...numbers('tasks', ...tasks.map(({ name }) => name)),
    ],
    rows: rows.map(({ name, mean, meanType, meanRank, borda, completed }) => [
      { text: name },
      { text: points(mean), value: mean, best: rows.length > 1 && mean !== null && points(mean) === points(topMean) },
      ...(typed
        ? [{ text: points(meanType), value: meanType, best: rows.length > 1 && points(meanType) === points(topType) }]
        : []),
      ...(rows.length > 1
        ? [
            { text: decimals(meanRank, 2), value: meanRank },
            { text: decimals(borda, 0), value: borda, best: borda === 1 },
          ]
        : []),
      { text: `${completed} of ${tasks.length}`, value: completed },
      ...tasks.map((_, at) => scoreCell(name, at)),
    ]),
  }
}

/** The first few, and the number of further ones. */
export function listSome(tasks: readonly string[]): string {
  return tasks.length < 4 ? tasks.join(', ') : `${tasks.slice(0, 2).join(', ')} and ${tasks.length - 2} more`
}

function overText(common: readonly string[], asked: Report['tasks'], rows: number): string {
  const lower = asked.flatMap(({ name, lowerIsBetter }) => (lowerIsBetter ? [name] : []))
  const tasks = asked.length - lower.length
  const apart =
    lower.length === 0
      ? ''
      : ` Lower is better for ${lower.join(', ')}: shown as measured, and part of no mean or rank.`
  return `${meansText(common, tasks, rows)}${apart}`
}

function meansText(common: readonly string[], tasks: number, rows: number): string {
  if (common.length === 0)
    return `No task has a score in ${rows === 1 ? 'this row' : 'every row'}, so there is no mean.`
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

function overTasksTable({ baseline, chosen, onTasks, overTasks }: AgainstBaseline): Table {
  return {
    id: 'over-tasks',
    title: `Against ${baseline}, over tasks`,
    notes: [
      `Mean difference of the scores × 100 over the tasks that both have; p by flipping its signs (permutation test, two-sided), then Holm's correction over the ${overTasks.length} rows.`,
      ...(onTasks.some(({ p }) => p !== null)
        ? []
        : ['Scores of single items are not stored, so no difference on a single task has an interval.']),
      ...(chosen === 'best'
        ? [
            `${baseline} was chosen because its mean is the highest: against it, p is smaller than against a baseline chosen in advance.`,
          ]
        : []),
    ],
    columns: [
      { title: 'representation' },
      ...numbers('tasks', 'difference', 'wins', 'losses', 'ties', 'p', 'p after Holm'),
    ],
    rows: overTasks.map(({ name, tasks, difference, wins, losses, ties, p, pHolm }) => [
      { text: name },
      counted(tasks),
      { text: signedPoints(difference), value: difference },
      counted(wins),
      counted(losses),
      counted(ties),
      { text: pText(p), value: p },
      { text: pText(pHolm), value: pHolm, best: pHolm < level && difference > 0 },
    ]),
  }
}

/** Rows with single items; a note gives the reason for the others. */
function onTasksTable({ baseline, onTasks }: AgainstBaseline): Table {
  const tested = onTasks.filter(({ p }) => p !== null)
  return {
    id: 'on-tasks',
    title: `Against ${baseline}, task by task`,
    notes: [
      `Paired bootstrap over the items of a task, both scored on the same resamples; Holm's correction over the ${tested.length} comparisons.`,
      ...untestedNotes(onTasks),
    ],
    columns: [
      { title: 'representation' },
      { title: 'task' },
      ...numbers('difference', 'low', 'high', 'p', 'p after Holm'),
    ],
    rows: tested.map(({ name, task, difference, ahead, lowerIsBetter, low, high, p, pHolm }) => [
      { text: name },
      { text: task },
      { text: signedText(difference, lowerIsBetter), value: difference },
      { text: signedText(low, lowerIsBetter), value: low },
      { text: signedText(high, lowerIsBetter), value: high },
      { text: pText(p), value: p },
      { text: pText(pHolm), value: pHolm, best: (pHolm ?? 1) < level && ahead },
    ]),
  }
}

/** Number of differences without an interval, by reason. */
export function untestedNotes(differences: readonly Pick<Difference, 'p' | 'why'>[]): string[] {
  const counts = new Map<string, number>()
  for (const { p, why = 'scores of single items are not stored' } of differences)
    if (p === null) counts.set(why, (counts.get(why) ?? 0) + 1)
  return [...counts].map(
    ([why, count]) => `${count} ${count === 1 ? 'difference has' : 'differences have'} no interval: ${why}.`,
  )
}

function coverageTable({ tasks, coverage }: Report): Table {
  return {
    id: 'coverage',
    title: 'Coverage',
    notes: [
      'The parts of each task that count, those left out because some row lacks them, and the number of rows with a score. A task is in the means when all rows have it and higher is better.',
    ],
    columns: [
      { title: 'task' },
      { title: 'type' },
      { title: 'counts' },
      { title: 'left out' },
      { title: 'rows', number: true },
      { title: 'in the means' },
    ],
    rows: tasks.map(({ name, type, parts, left, lowerIsBetter }, at) => {
      const { completed = 0, of = 0 } = coverage[at] ?? {}
      return [
        { text: name },
        { text: type === '' ? dash : type },
        { text: parts.join(', ') },
        { text: left.length === 0 ? dash : left.join(', ') },
        { text: `${completed} of ${of}`, value: completed },
        { text: completed === of && !lowerIsBetter ? 'yes' : 'no' },
      ]
    }),
  }
}

/** One line for all rows that lack a task for the same reason. */
function missingTable({ missing }: Report): Table {
  const groups = new Map<string, typeof missing>()
  for (const one of missing) {
    const key = `${one.task}\n${one.code ?? ''}\n${one.reason}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return {
    id: 'missing',
    title: 'Failed and missing',
    notes: ['None of these is part of any mean.'],
    columns: [
      { title: 'task' },
      { title: 'code' },
      { title: 'reason' },
      { title: 'rows', number: true },
      { title: 'which' },
    ],
    rows: [...groups.values()].map((all) => {
      const [first] = all
      const names = all.map(({ name }) => name)
      const shown = names.length > 12 ? [...names.slice(0, 12), `… and ${names.length - 12} more`] : names
      return [
        { text: first?.task ?? '' },
        { text: first?.code ?? 'not run', failed: first?.code !== null },
        { text: first?.reason ?? '' },
        counted(all.length),
        { text: shown.join(', ') },
      ]
    }),
  }
}

function unreadableTable({ unreadable }: Report): Table {
  return {
    id: 'unreadable',
    title: 'Files that could not be read',
    notes: [],
    columns: [{ title: 'file' }, { title: 'code' }, { title: 'reason' }],
    rows: unreadable.map(({ path, code, message }) => [
      { text: path },
      { text: code, failed: true },
      { text: message },
    ]),
  }
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

function signedText(difference: number | null, lowerIsBetter: boolean): string {
  return lowerIsBetter ? signed(difference, (magnitude) => significant(magnitude, 4)) : signedPoints(difference)
}
