/** A report as plain tables: the words and numbers of every cell, independent of the format. */
import { dash, pText, signedPoints, quantity } from '#core'
import { companionTables } from './companion-tables.ts'
import { effectTables } from './effect-tables.ts'
import type { Difference } from '#result/statistics'
import type { AgainstBaseline } from './against-baseline.ts'
import type { Report } from './report.ts'
import { level } from './sentence-parts.ts'
import { signedText, standingTables } from './standing-tables.ts'
import { counted, numbers, type Table } from './table.ts'

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
    ...report.standings.flatMap((standing, at) => standingTables(report, standing, at)),
    ...(against === null || against.overTasks.length === 0 ? [] : [overTasksTable(against)]),
    ...(against === null || against.onTasks.every(({ p }) => p === null) ? [] : [onTasksTable(against)]),
    ...(report.effects === null ? [] : effectTables(report.effects)),
    ...companionTables(report),
    ...(report.coverage.length === 0 ? [] : [coverageTable(report)]),
    ...(report.missing.length === 0 ? [] : [missingTable(report)]),
    ...(report.unreadable.length === 0 ? [] : [unreadableTable(report)]),
  ]
}

/** Up to this number of rows, those that cannot be distinguished from the baseline are all listed. */
const listed = 8
/** Number of rows that are listed of more. */
const nearest = 3

function overTasksTable({ baseline, chosen, onTasks, overTasks }: AgainstBaseline): Table {
  const apart = overTasks.filter(({ pHolm }) => pHolm < level)
  const same = overTasks.filter(({ pHolm }) => pHolm >= level).toSorted((a, b) => a.p - b.p)
  const left = same.length > listed ? same.slice(nearest) : []
  const shown = overTasks.filter((row) => !left.includes(row))
  return {
    id: 'over-tasks',
    title: `Against ${baseline}, over tasks`,
    notes: [
      `The question: does a row differ from ${baseline} over all of its tasks together?`,
      `Mean difference of the scores × 100 over the tasks that both have; p by flipping its signs (permutation test, two-sided), then Holm's correction over ${quantity(overTasks.length, 'row')}.`,
      ...(left.length === 0
        ? []
        : [
            `${same.length} of ${overTasks.length} rows cannot be distinguished from ${baseline} (p after Holm from ${pText(Math.min(...same.map(({ pHolm }) => pHolm)))}); ${apart.length === 0 ? '' : 'next to the others '}the ${nearest} with the smallest p are listed. The csv and JSON forms contain every row.`,
          ]),
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
      ...numbers('difference', 'p', 'p after Holm', 'tasks', 'wins', 'losses', 'ties'),
    ],
    rows: shown.map(({ name, tasks, difference, wins, losses, ties, p, pHolm }) => [
      { text: name },
      { text: signedPoints(difference), value: difference },
      { text: pText(p), value: p },
      { text: pText(pHolm), value: pHolm, best: pHolm < level && difference > 0 },
      counted(tasks),
      counted(wins),
      counted(losses),
      counted(ties),
    ]),
  }
}

/** Rows with single items; a note gives the reason for the others. */
function onTasksTable({ baseline, onTasks }: AgainstBaseline): Table {
  const tested = onTasks.filter(({ p }) => p !== null)
  const same = tested.filter(({ pHolm }) => (pHolm ?? 1) >= level).toSorted((a, b) => (a.p ?? 1) - (b.p ?? 1))
  const left = new Set(same.length > listed && tested.length > mostTested ? same.slice(nearest) : [])
  return {
    id: 'on-tasks',
    title: `Against ${baseline}, task by task`,
    notes: [
      `The question: on which single tasks does a row differ from ${baseline}?`,
      `Paired bootstrap over the items of a task, both scored on the same resamples; Holm's correction over ${quantity(tested.length, 'comparison')}.`,
      ...(left.size === 0
        ? []
        : [
            `${same.length} of the ${tested.length} differences are not more than chance; the ${nearest} of them with the smallest p are listed. The JSON form contains every difference.`,
          ]),
      ...untestedNotes(onTasks),
    ],
    columns: [
      { title: 'representation' },
      { title: 'task' },
      ...numbers('difference', 'low', 'high', 'p', 'p after Holm'),
    ],
    rows: tested
      .filter((one) => !left.has(one))
      .map(({ name, task, difference, ahead, lowerIsBetter, low, high, p, pHolm }) => [
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

/** Up to this number of comparisons, all are listed. */
const mostTested = 24

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
