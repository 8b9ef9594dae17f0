/**
 * A comparison as tables: those of a report, with each task's difference, the items that changed most, size and
 * measured speed.
 */
import { dash, decimals, grouped, points, pText, signedPoints, quantity } from '#core'
import { speedTables } from '#experiment/bench'
import { type Cell, counted, numbers, type Table, tablesOf, untestedNotes } from '#result/report'
import type { ComparedTask, Comparison, Verdict } from './compare-models.ts'
import { qualitySentences } from './quality-sentences.ts'

/** The standings first. Tables of missing results appear only where a result is missing. */
export function comparisonTables(comparison: Comparison): Table[] {
  const { report, changed } = comparison
  const own = tablesOf(report)
  const [before, after] = [
    own.filter(({ isScores }) => isScores === true),
    own.filter(({ isScores }) => isScores !== true),
  ]
  const whole = report.missing.length === 0 && report.tasks.every(({ left }) => left.length === 0)
  return [
    ...before,
    taskTable(comparison),
    ...after.filter(({ id }) => id === 'over-tasks'),
    ...outsideTables(comparison),
    ...(changed.length === 0 ? [] : [changedTable(comparison)]),
    costTable(comparison),
    ...measuredTables(comparison),
    ...after.filter(({ id }) => id !== 'over-tasks' && id !== 'on-tasks' && !(whole && id === 'coverage')),
  ]
}

/** Speed with what it and the scores allow to be said. */
function measuredTables(comparison: Comparison): Table[] {
  const { speed, pricePerHour } = comparison
  if (speed === null) return []
  return speedTables(speed, { pricePerHour: pricePerHour ?? undefined }).map((table) =>
    table.id === 'speed' ? { ...table, notes: [...qualitySentences(comparison), ...table.notes] } : table,
  )
}

function taskTable({ report, tasks }: Comparison): Table {
  const tested = tasks.filter(({ p }) => p !== null)
  const number = (text: string, value: number | null): Cell => ({ text, value })
  const items = tasks.some((one) => one.items !== null)
  return {
    id: 'on-tasks',
    title: `Against ${report.held?.baseline ?? ''}, task by task`,
    notes: [
      `The question: on which single tasks does a row differ from ${report.held?.baseline ?? 'the first row'}?`,
      ...(tested.length === 0
        ? []
        : [
            `Paired bootstrap over the items of a task, both scored on the same resamples; 95 % interval; Holm's correction over ${quantity(tested.length, 'comparison')}.`,
          ]),
      ...(items ? ['Items: the number on which the row is ahead, behind, and level.'] : []),
      ...untestedNotes(tasks),
    ],
    columns: [
      { title: 'task' },
      { title: 'row' },
      ...numbers('score', 'against', 'difference', 'low', 'high', 'p', 'p after Holm'),
      { title: 'verdict' },
      ...(items ? numbers('ahead', 'behind', 'neither') : []),
    ],
    rows: tasks.map((one) => [
      { text: one.task },
      { text: one.name },
      number(points(one.score), one.score),
      number(points(one.baseline), one.baseline),
      number(signedPoints(one.difference), one.difference),
      number(signedPoints(one.low), one.low),
      number(signedPoints(one.high), one.high),
      number(pText(one.p), one.p),
      number(pText(one.pHolm), one.pHolm),
      { text: one.verdict, best: one.verdict === ('better' satisfies Verdict) },
      ...(items ? itemCells(one.items) : []),
    ]),
  }
}

function outsideTables({ outside }: Comparison): Table[] {
  if (outside === null) return []
  const { against, scores } = outside
  const number = (text: string, value: number | null): Cell => ({ text, value })
  return [
    {
      id: 'outside',
      title: against.startsWith('published') ? 'Published scores' : `Against ${against}`,
      notes:
        scores.length === 0
          ? [`Nothing to compare with ${against}.`]
          : ['Means of the main scores over the parts that both have.'],
      columns: [
        { title: 'task' },
        { title: 'row' },
        ...numbers('ours', 'theirs', 'difference', 'parts'),
        { title: 'from' },
      ],
      rows: scores.map(({ task, name, ours, theirs, difference, parts, of, source }) => [
        { text: task },
        { text: name },
        number(points(ours), ours),
        number(points(theirs), theirs),
        number(signedPoints(difference), difference),
        number(parts === of ? String(parts) : `${parts} of ${of}`, parts),
        { text: source },
      ]),
    },
  ]
}

function itemCells(items: ComparedTask['items']): Cell[] {
  return items === null ? [none, none, none] : [items.better, items.worse, items.same].map(counted)
}

const none: Cell = { text: dash, value: null }

/** Number of characters of a text that a table shows. */
const shownText = 100

function changedTable({ report, changed, untold }: Comparison): Table {
  const measures = [...new Set(changed.map(({ measure }) => measure))]
  return {
    id: 'changed',
    title: 'Items that changed most',
    notes: [
      `The items on which a row is furthest ahead of ${report.held?.baseline ?? ''}, then furthest behind, by each item's part of the ${measures.map((name) => `${name}${meaning(name)}`).join(', ')}.`,
      ...untold.map(({ task, reason }) => `The texts of ${task} are not shown: ${reason}.`),
    ],
    columns: [
      { title: 'task' },
      { title: 'row' },
      { title: 'part' },
      { title: 'item', number: true },
      { title: 'value', number: true },
      { title: 'against', number: true },
      { title: 'texts' },
    ],
    rows: changed.map(({ task, name, split, subset, item, query, ours, theirs, texts }) => [
      { text: task },
      { text: name },
      { text: `${split} ${subset}` },
      { text: query ?? String(item), value: item },
      { text: decimals(ours, 3), value: ours },
      { text: decimals(theirs, 3), value: theirs },
      { text: texts === null ? dash : texts.map(clipped).join(' | ') },
    ]),
  }
}

/** What an item's value says, where it is not what the mean is taken of. */
function meaning(measure: string): string {
  if (measure.startsWith('mean')) return ''
  return measure.startsWith('area')
    ? ' (the share of its own comparisons that it wins)'
    : ' (how near it comes to its proper rank, 0 to 1)'
}

function clipped(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= shownText
    ? line
    : `${Array.from(line)
        .slice(0, shownText - 1)
        .join('')}…`
}

function costTable({ costs }: Comparison): Table {
  const shown = (value: number | null, text: (value: number) => string): Cell =>
    value === null ? none : { text: text(value), value }
  return {
    id: 'costs',
    title: 'Size',
    notes: ['Parameters and weights are those of the whole model, whatever the layer.'],
    columns: [{ title: 'row' }, ...numbers('parameters', 'weights MB')],
    rows: costs.map(({ name, parameters, bytes }) => [
      { text: name },
      shown(parameters, grouped),
      shown(bytes, (value) => decimals(value / 1e6, 1)),
    ]),
  }
}
