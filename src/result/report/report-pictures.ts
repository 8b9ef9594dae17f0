/** The pictures of a report's rows. */
import { hiddenState } from '#result/ledger'
import { meanIntervals } from '#result/statistics'
import {
  checkpointHeatMap,
  methodGrid,
  type Picture,
  pointsByValue,
  scoreByLayer,
  valuesByName,
} from '#result/pictures'
import type { Report, ReportRow, Standing } from './report.ts'
import { groupMean, listSome } from './standing-tables.ts'
import { groupTasks } from './task-groups.ts'

export interface TitledPicture {
  readonly title: string
  readonly picture: Picture
}

/** Maximum number of rows in a grid: the ones with the best means. */
const gridRows = 40
/** Maximum number of lines in a picture: those of the best checkpoints. */
const mostLines = 7

/** Pictures of every standing, a group of rows that share tasks; the one that shows its answer is the first. */
export function reportPictures(report: Report): TitledPicture[] {
  const wholes = report.standings.filter(({ whole }) => whole)
  return wholes.flatMap((standing) => {
    const part = partOf(report, standing)
    const means = meansOf(part)
    const drawn = [
      againstOne(part),
      byCheckpoint(part, means),
      byLayer(part, means),
      ranked(part, means),
      grid(part, means),
      againstCost(part, means),
    ].filter((one) => one !== undefined)
    return wholes.length === 1
      ? drawn
      : drawn.map((one) => ({ ...one, title: `${one.title}: ${listSome(standing.tasks)}` }))
  })
}

/** Perplexities do not fit on a scale from 0 to 1. */
function partOf(report: Report, standing: Standing): Report {
  const columns = report.tasks.flatMap(({ name, lowerIsBetter }, at) =>
    standing.tasks.includes(name) && !lowerIsBetter ? [at] : [],
  )
  const names = new Set(standing.rows.map(({ name }) => name))
  const rows = report.rows.filter(({ name }) => names.has(name))
  return {
    ...report,
    tasks: columns.flatMap((at) => report.tasks[at] ?? []),
    rows: rows.map((row) => ({ ...row, scores: columns.map((at) => row.scores[at] ?? null) })),
    standings: [standing],
  }
}

type Means = ReadonlyMap<string, number>

function meansOf({ standings }: Report): Means {
  return new Map(
    standings.at(-1)?.rows.flatMap(({ name, mean }): [string, number][] => (mean === null ? [] : [[name, mean]])),
  )
}

/**
 * Rows that are hidden states, by checkpoint, in the order of the rows. Settings that all rows share (`h3+native`) do
 * not distinguish them.
 */
function statesOf({ rows }: Report): Map<string, { row: ReportRow; h: number }[]> {
  const suffixes = new Set(rows.map(({ representation }) => suffixOf(representation)))
  const shared = suffixes.size === 1 ? ([...suffixes][0] ?? '') : ''
  const groups = new Map<string, { row: ReportRow; h: number }[]>()
  for (const row of rows) {
    const h = hiddenState(row.representation)
    if (h === undefined || row.representation !== `h${h}${shared}`) continue
    const name = nameCheckpoint(row, rows)
    groups.set(name, [...(groups.get(name) ?? []), { row, h }])
  }
  return groups
}

function suffixOf(representation: string): string {
  return /\+.*$/.exec(representation)?.[0] ?? ''
}

/**
 * The shortest distinguishing name: the revision for a single model, the model when it has a single revision, otherwise
 * both.
 */
export function nameCheckpoint({ model, revision }: ReportRow, rows: readonly ReportRow[]): string {
  const models = new Set(rows.map((row) => row.model))
  if (models.size === 1) return revision.slice(0, 24)
  const pairs = new Set(rows.map((row) => `${row.model}\n${row.revision}`))
  return pairs.size === models.size ? model : `${model}@${revision.slice(0, 12)}`
}

/** Sorts by step: `step64` before `step128`, `main` after both. */
export function inOrder(names: readonly string[]): string[] {
  return names.toSorted(
    (a, b) => Number(/^\D+$/.test(a)) - Number(/^\D+$/.test(b)) || a.localeCompare(b, 'en', { numeric: true }),
  )
}

function overWhat({ standings, tasks }: Report): string {
  const common = standings.at(-1)?.common ?? []
  return common.length === 1 ? (common[0] ?? '') : `mean over ${common.length} of ${tasks.length} tasks`
}

function byLayer(report: Report, means: Means): TitledPicture | undefined {
  const groups = [...statesOf(report)].filter(
    ([, states]) => states.filter(({ row }) => means.has(row.name)).length > 1,
  )
  if (groups.length === 0) return undefined
  const common = report.standings.at(-1)?.common ?? []
  const best = (states: readonly { row: ReportRow }[]): number =>
    Math.max(...states.map(({ row }) => means.get(row.name) ?? -Infinity))
  const shown = new Set(groups.toSorted(([, a], [, b]) => best(b) - best(a)).slice(0, mostLines))
  const columns = common.map((task) => report.tasks.findIndex(({ name }) => name === task))
  const lines = inOrder([...shown].map(([name]) => name)).map((name) => {
    const states = (groups.find(([own]) => own === name)?.[1] ?? []).filter(({ row }) => means.has(row.name))
    const intervals =
      common.length < 2 ? [] : meanIntervals(states.map(({ row }) => columns.map((at) => row.scores[at] ?? NaN)))
    return {
      name,
      layers: states.map(({ row, h }, i) => ({
        h,
        score: means.get(row.name) ?? NaN,
        ...(groups.length === 1 ? intervals[i] : {}),
      })),
      ...(groups.length === 1 ? { others: besideLayers(report, means) } : {}),
    }
  })
  const title = 'Score by layer'
  const interval = groups.length === 1 && common.length > 1 ? '; band: 95 % of resamples of the tasks' : ''
  const rest = groups.length > lines.length ? `; the best ${lines.length} of ${groups.length} checkpoints` : ''
  return {
    title,
    picture: scoreByLayer({ title, subtitle: `${overWhat(report)}${interval}${rest}`, lines, legend: 'checkpoint' }),
  }
}

/** Maximum number of rows that stand next to the layers. */
const mostOthers = 4

/** The model's own representation and what validation chose; without a choice, the best of the rest. */
function besideLayers({ rows }: Report, means: Means): { name: string; score: number }[] {
  const others = rows.filter(({ name, representation }) => hiddenState(representation) === undefined && means.has(name))
  const short = ({ representation }: ReportRow): string =>
    representation.replace(' chosen by validation', ', chosen').replace(' (chosen by validation)', ', chosen')
  const first = others.filter((row) => row.representation === 'default' || short(row) !== row.representation)
  const chosen = first.filter(({ representation }) => /^(?:default|mix|layer)\b/.test(representation))
  const rest = others
    .filter((row) => !first.includes(row))
    .toSorted((a, b) => (means.get(b.name) ?? 0) - (means.get(a.name) ?? 0))
  return (chosen.length > 1 ? chosen : [...chosen, ...rest])
    .slice(0, mostOthers)
    .map((row) => ({ name: short(row), score: means.get(row.name) ?? Number.NaN }))
}

/** Up to this number of rows, each difference from the baseline is drawn with its interval. */
const mostCompared = 4
/** Maximum number of tasks in that picture: those with the largest differences. */
const mostDrawn = 30

function againstOne({ held: against, rows, tasks }: Report): TitledPicture | undefined {
  const names = new Set(rows.map(({ name }) => name))
  const wanted = new Set(tasks.map(({ name }) => name))
  const own = against?.onTasks.filter(({ name, task }) => names.has(name) && wanted.has(task)) ?? []
  const others = new Set(own.map(({ name }) => name))
  if (against === null || others.size === 0 || others.size > mostCompared) return undefined
  const sizes = new Map<string, number>()
  for (const { task, difference } of own) sizes.set(task, Math.max(sizes.get(task) ?? 0, Math.abs(difference)))
  const shown = [...sizes.keys()].toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0)).slice(0, mostDrawn)
  const title = `Differences from ${against.baseline}, task by task`
  const interval = own.some(({ low }) => low !== null)
    ? '; lines: 95 % of resamples of the items, before Holm’s correction'
    : ''
  return {
    title,
    picture: valuesByName({
      title,
      subtitle: `score × 100${interval}${shown.length < sizes.size ? `; the ${shown.length} largest of ${sizes.size} tasks` : ''}`,
      across: `difference from ${against.baseline} × 100`,
      hasZero: true,
      values: shown.flatMap((task) =>
        own
          .filter((one) => one.task === task)
          .map(({ name, difference, low, high }) => ({
            name: task,
            group: name,
            value: 100 * difference,
            ...(low === null || high === null ? {} : { low: 100 * low, high: 100 * high }),
          })),
      ),
    }),
  }
}

/** Maximum number of rows that are drawn by their mean. */
const mostRanked = 24

/** Rows by their means, the best at the top; layers have a picture of their own. */
function ranked(report: Report, means: Means): TitledPicture | undefined {
  const { rows, tasks, standings } = report
  const common = standings.at(-1)?.common ?? []
  const columns = common.map((task) => tasks.findIndex(({ name }) => name === task))
  const own = rows.filter(({ name }) => means.has(name))
  if (own.length < 3 || own.every(({ representation }) => hiddenState(representation) !== undefined)) return undefined
  const intervals =
    common.length < 2 ? [] : meanIntervals(own.map(({ scores }) => columns.map((at) => scores[at] ?? NaN)))
  const values = own
    .map(({ name }, i) => {
      const { low, high } = intervals[i] ?? {}
      const bounds = low === undefined || high === undefined ? {} : { low: 100 * low, high: 100 * high }
      return { name, value: 100 * (means.get(name) ?? NaN), ...bounds }
    })
    .toSorted((a, b) => b.value - a.value)
  const title = 'Rows by their means'
  const rest = own.length > mostRanked ? `; the best ${mostRanked} of ${own.length} rows` : ''
  return {
    title,
    picture: valuesByName({
      title,
      subtitle: `${overWhat(report)}${common.length < 2 ? '' : '; lines: 95 % of resamples of the tasks'}${rest}`,
      across: 'score × 100',
      values: values.slice(0, mostRanked),
    }),
  }
}

function byCheckpoint(report: Report, means: Means): TitledPicture | undefined {
  const groups = statesOf(report)
  if (groups.size < 2 || means.size === 0) return undefined
  const checkpoints = inOrder([...groups.keys()])
  const layers = [...new Set([...groups.values()].flatMap((states) => states.map(({ h }) => h)))].sort((a, b) => a - b)
  const scores = checkpoints.map((name) =>
    layers.map((h) => means.get(groups.get(name)?.find((state) => state.h === h)?.row.name ?? '') ?? null),
  )
  const title = 'Checkpoint × layer'
  return {
    title,
    picture: checkpointHeatMap({
      title,
      subtitle: `${overWhat(report)}; the best is framed`,
      checkpoints,
      layers,
      scores,
    }),
  }
}

/** Up to this number of tasks, each is a column of the grid; beyond, their groups are. */
const mostTasks = 16

function grid({ rows, tasks, standings }: Report, means: Means): TitledPicture | undefined {
  if (rows.length < 2 || tasks.length < 2) return undefined
  const shown =
    rows.length <= gridRows
      ? rows
      : rows.toSorted((a, b) => (means.get(b.name) ?? -1) - (means.get(a.name) ?? -1)).slice(0, gridRows)
  const groups = tasks.length > mostTasks ? groupTasks(tasks) : []
  const common = standings.at(-1)?.common ?? []
  const isGrouped = groups.length > 1
  const title = isGrouped ? 'Representation × group of tasks' : 'Representation × task'
  const placeOf = (task: string): number => tasks.findIndex(({ name }) => name === task)
  return {
    title,
    picture: methodGrid({
      title,
      subtitle: `${isGrouped ? 'mean score × 100; the best of a group' : 'score × 100; the best of a task'} is framed${shown.length < rows.length ? `; the best ${shown.length} of ${rows.length} by their mean` : ''}`,
      methods: shown.map(({ name }) => name),
      row: 'row',
      tasks: isGrouped
        ? groups.map(({ name, tasks: own }) => `${name} (${own.length})`)
        : tasks.map(({ name }) => name),
      scores: isGrouped
        ? shown.map(({ scores }) =>
            groups.map((group) => groupMean(group, common, (task) => scores[placeOf(task)] ?? null)),
          )
        : shown.map(({ scores }) => scores),
    }),
  }
}

/**
 * The cost of hidden states of one model is the number of blocks run before them. Other rows have no cost that could be
 * compared: recorded seconds are those of other hours, and of cached vectors.
 */
function againstCost(report: Report, means: Means): TitledPicture | undefined {
  const states = report.rows.every(({ representation }) => hiddenState(representation) !== undefined)
  const one = new Set(report.rows.map(({ model }) => model)).size === 1
  if (!states || !one) return undefined
  const points = report.rows.flatMap((row) => {
    const [cost, mean] = [hiddenState(row.representation), means.get(row.name)]
    return cost === undefined || mean === undefined ? [] : [{ name: row.name, x: cost, y: 100 * mean }]
  })
  if (points.length < 3 || new Set(points.map(({ x }) => x)).size < 2) return undefined
  const title = 'Score against cost'
  return {
    title,
    picture: pointsByValue({
      title,
      subtitle: `${overWhat(report)}; the line joins the points that no cheaper one equals`,
      across: 'blocks that run (hidden state)',
      up: 'score × 100',
      points,
      joined: frontier(points),
    }),
  }
}

/** Names of the points that are better than every cheaper one, from the cheapest on. */
export function frontier(points: readonly { name: string; x: number; y: number }[]): string[] {
  let best = -Infinity
  return points
    .toSorted((a, b) => a.x - b.x || b.y - a.y)
    .flatMap(({ name, y }) => {
      if (y <= best) return []
      best = y
      return [name]
    })
}
