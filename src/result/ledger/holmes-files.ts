/**
 * Tables of Holmes (Waldis et al. 2024): leaderboards, one row per probing data set and training portion, one column
 * per model; and the output of one evaluation (`results_<version>.csv`).
 */
import { fault, mean } from '#core'
import { readColumns } from '#files/tables'

/** One probing data set at one training portion. */
export interface HolmesRow {
  readonly dataSet: string
  /** Competency; '' where the table has none. */
  readonly subfield: string
  readonly phenomenon: string
  readonly probeType: string
  readonly portion: number
  /** One score per model; null for a blank cell. A negative value is a correlation. */
  readonly scores: readonly (number | null)[]
}

export interface HolmesLeaderboard {
  /** `org/name`. */
  readonly models: readonly string[]
  readonly rows: readonly HolmesRow[]
}

export interface HolmesProbe {
  readonly dataSet: string
  readonly model: string
  /** Settings that differ from Holmes's defaults: `permutation`, `mlp`. */
  readonly apart: readonly string[]
  /** Mean over the seeds. */
  readonly score: number
  readonly seeds: number
}

const described = [
  'probing dataset',
  'linguistic subfield',
  'linguistic phenomena',
  'probe type',
  'train portion',
  'probe',
]
const evaluated = [
  'probing_dataset',
  'model_name',
  'encoding',
  'control_task_type',
  'seed',
  'num_hidden_layers',
  'score',
]

type Columns = Readonly<Record<string, readonly unknown[]>>

/** Throws `table.column` for a table of another kind, `table.read` for a cell that is not a score. */
export async function holmesLeaderboard(path: string): Promise<HolmesLeaderboard> {
  const { columns, rows: count } = await readColumns([path])
  for (const name of described.slice(0, 2))
    if (columns[name] === undefined)
      throw fault('table.column', {
        place: path,
        what: 'not a Holmes leaderboard',
        wanted: name,
        seen: Object.keys(columns).slice(0, 8),
      })
  const names = Object.keys(columns).filter((name) => name !== '' && !described.includes(name))
  const text = (name: string, row: number): string => textAt(columns, name, row)
  const rows = Array.from({ length: count }, (_, row): HolmesRow => {
    const dataSet = text('probing dataset', row)
    return {
      dataSet,
      subfield: text('linguistic subfield', row),
      phenomenon: text('linguistic phenomena', row),
      probeType: text('probe type', row),
      portion: Number(text('train portion', row) || 1),
      scores: names.map((name) => scoreOf(text(name, row), `${path} › ${dataSet} › ${name}`)),
    }
  })
  return { models: names.map((name) => name.replace('__', '/')), rows }
}

/** Probes of one evaluation, averaged over seeds; undefined for a table of another kind. */
export async function holmesEvaluation(path: string): Promise<HolmesProbe[] | undefined> {
  const { columns, rows: count } = await readColumns([path])
  if (evaluated.some((name) => columns[name] === undefined)) return undefined
  const found = new Map<string, Omit<HolmesProbe, 'score' | 'seeds'> & { readonly scores: number[] }>()
  for (let row = 0; row < count; row++) {
    const [dataSet = '', model = '', encoding = '', control = '', , layers = ''] = evaluated.map((name) =>
      textAt(columns, name, row),
    )
    const apart = [
      ...(control === '' || control.toLowerCase() === 'none' ? [] : [control.toLowerCase().replaceAll('_', '-')]),
      ...(encoding === '' || encoding === 'full' ? [] : [encoding]),
      ...(layers === '' || Number(layers) === 0 ? [] : ['mlp']),
    ]
    const score = scoreOf(textAt(columns, 'score', row), `${path} › ${dataSet} › ${model}`)
    if (score === null) continue
    const key = JSON.stringify([dataSet, model, apart])
    const own = found.get(key) ?? { dataSet, model: model.replace('__', '/'), apart, scores: [] }
    own.scores.push(score)
    found.set(key, own)
  }
  return Array.from(found.values(), ({ scores, ...own }) => ({
    ...own,
    score: mean(scores),
    seeds: scores.length,
  }))
}

function textAt(columns: Columns, name: string, row: number): string {
  const value = columns[name]?.[row]
  return typeof value === 'string' ? value.trim() : ''
}

function scoreOf(text: string, place: string): number | null {
  if (text === '') return null
  const value = Number(text)
  if (!Number.isFinite(value)) throw fault('table.read', { place, what: 'not a score', seen: text })
  return value
}
