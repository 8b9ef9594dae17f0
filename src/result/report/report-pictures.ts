/** The pictures of a report's rows. */
import { hiddenState } from '#result/ledger'
import { meanIntervals } from '#result/statistics'
import { checkpointHeatMap, methodGrid, type Picture, pointsByValue, scoreByLayer } from '#result/pictures'
import type { Report, ReportRow, Standing } from './report.ts'
import { listSome } from './tables.ts'

export interface TitledPicture {
  readonly title: string
  readonly picture: Picture
}

/** Maximum number of rows in a grid: the ones with the best means. */
const gridRows = 40
/** Maximum number of lines in a picture: those of the best checkpoints. */
const mostLines = 7

/** Pictures of every standing, a group of rows that share tasks. */
export function reportPictures(report: Report): TitledPicture[] {
  const wholes = report.standings.filter(({ whole }) => whole)
  return wholes.flatMap((standing) => {
    const part = partOf(report, standing)
    const means = meansOf(part)
    const drawn = [byLayer(part, means), byCheckpoint(part, means), grid(part, means), againstCost(part, means)].filter(
      (one) => one !== undefined,
    )
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

function grid({ rows, tasks }: Report, means: Means): TitledPicture | undefined {
  if (rows.length < 2 || tasks.length < 2) return undefined
  const shown =
    rows.length <= gridRows
      ? rows
      : rows.toSorted((a, b) => (means.get(b.name) ?? -1) - (means.get(a.name) ?? -1)).slice(0, gridRows)
  const title = 'Representation × task'
  return {
    title,
    picture: methodGrid({
      title,
      subtitle: `score × 100; the best of a task is framed${shown.length < rows.length ? `; the best ${shown.length} of ${rows.length} by their mean` : ''}`,
      methods: shown.map(({ name }) => name),
      tasks: tasks.map(({ name }) => name),
      scores: shown.map(({ scores }) => scores),
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
