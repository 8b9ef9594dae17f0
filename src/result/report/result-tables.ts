/** Results one by one: a row per file, and every number of one. */
import { dash, points, type Scores } from '#core'
import type { Listed } from '#result/ledger'
import { meanScore } from '#result/statistics'
import { type Cell, type Column, counted, numbers, type Table } from './table.ts'

/** Columns of `resultCells`. */
export const resultColumns: readonly Column[] = [
  { title: 'model' },
  { title: 'revision' },
  { title: 'representation' },
  { title: 'task' },
  ...numbers('score', 'parts'),
  { title: 'made by' },
]

/** One result, or why its file cannot be used. */
export function resultCells({ model, revision, representation, task, result, fault: problem }: Listed): Cell[] {
  const parts = Object.values(result?.scores ?? {}).reduce((sum, subsets) => sum + subsets.length, 0)
  const { strata } = result ?? {}
  const maker =
    strata === undefined || strata.version === ''
      ? `mteb ${result?.mteb_version ?? '?'}`
      : `strata ${strata.version}, ${strata.profile}`
  const score = strata?.status === 'failed' ? undefined : meanScore(result?.scores)
  const code = problem?.code ?? (strata?.status === 'failed' ? (strata.code ?? 'failed') : undefined)
  const why = problem?.message ?? strata?.reason
  return [
    { text: model },
    { text: revision.slice(0, 12) },
    { text: representation },
    { text: task },
    code === undefined
      ? { text: points(score ?? null), value: score ?? null }
      : { text: code, value: null, failed: true, tip: why },
    counted(parts),
    { text: problem === undefined ? maker : '' },
  ]
}

/** Names of the numbers in scores, in the order in which the parts have them. */
export function metricNames(scores: Scores): string[] {
  const names = Object.values(scores).flatMap((subsets) =>
    subsets.flatMap((subset) =>
      Object.entries(subset).flatMap(([name, value]) => (typeof value === 'number' ? [name] : [])),
    ),
  )
  return [...new Set(names)]
}

/** Metrics down and parts across where there are few parts; otherwise parts down. */
export function partsTable(scores: Scores): Table {
  const names = metricNames(scores)
  const parts = Object.entries(scores).flatMap(([split, subsets]) =>
    subsets.map((subset) => ({ name: `${split} ${subset.hf_subset}`, subset })),
  )
  const number = (value: unknown): Cell =>
    typeof value === 'number' ? { text: `${value}`, value } : { text: dash, value: null }
  const base = { id: 'parts', title: 'Every number', notes: [] }
  if (parts.length <= few)
    return {
      ...base,
      columns: [{ title: 'metric' }, ...numbers(...parts.map(({ name }) => name))],
      rows: names.map((name) => [{ text: name }, ...parts.map(({ subset }) => number(subset[name]))]),
    }
  return {
    ...base,
    columns: [{ title: 'part' }, ...numbers(...names)],
    rows: parts.map(({ name, subset }) => [{ text: name }, ...names.map((metric) => number(subset[metric]))]),
  }
}

/** Up to this number of parts, each is a column. */
const few = 6
