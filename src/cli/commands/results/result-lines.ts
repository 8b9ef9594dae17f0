/** The results of a folder: one line each, or every number of one. */
import { asText } from '#result/report'
import { points, dash } from '#core'
import type { Listed } from '#result/ledger'
import { meanScore } from '#result/statistics'
import { row } from '../../lines/rows.ts'

const columns = [
  { title: 'model' },
  { title: 'revision' },
  { title: 'representation' },
  { title: 'task' },
  { title: 'score', number: true },
  { title: 'parts', number: true },
  { title: 'made by' },
]

export function resultLines(listed: readonly Listed[]): readonly string[] {
  return asText({ columns, rows: listed.map(cells) })
}

/** Every number of a result: a table of its parts, main score first. */
export function detailLines({ path, model, revision, representation, task, result, fault: problem }: Listed): string[] {
  const head = [`${task} · ${model} @ ${revision.slice(0, 12)} · ${representation}`, path]
  if (result === undefined) return [...head, `unreadable: ${problem?.message ?? ''}`]
  const {
    strata,
    scores = {},
    dataset_revision: data = '?',
    evaluation_time: seconds,
    mteb_version: version = '?',
  } = result
  const entries = Object.entries(scores).flatMap(([split, subsets]) => subsets.map((subset) => ({ split, subset })))
  const metrics = [
    ...new Set(
      entries.flatMap(({ subset }) =>
        Object.entries(subset).flatMap(([name, value]) => (typeof value === 'number' ? [name] : [])),
      ),
    ),
  ]
  const width = Math.max(26, ...metrics.map(({ length }) => length))
  return [
    ...head,
    `data ${data} · mteb ${version}${seconds === undefined ? '' : ` · ${seconds.toFixed(2)} s`}${strata === undefined ? '' : ` · strata ${strata.version}, ${strata.profile} · ${JSON.stringify(strata.settings)}`}`,
    ...(strata?.status === 'failed' ? [`failed ${strata.code ?? ''}: ${strata.reason ?? ''}`] : []),
    ...(strata?.notices ?? []).map((notice) => `notice: ${notice}`),
    ...entries.flatMap(({ split, subset }) => [
      `  ${split} · ${subset.hf_subset}${subset.languages.length === 0 ? '' : ` (${subset.languages.join(', ')})`}`,
      ...metrics.map((name) => `    ${row(name, numberText(subset[name]), { width })}`),
    ]),
  ]
}

function cells(one: Listed): string[] {
  const { model, revision, representation, task, result, fault: problem } = one
  const parts = Object.values(result?.scores ?? {}).reduce((sum, subsets) => sum + subsets.length, 0)
  const maker =
    result?.strata === undefined || result.strata.version === ''
      ? `mteb ${result?.mteb_version ?? '?'}`
      : `strata ${result.strata.version}, ${result.strata.profile}`
  return [
    model,
    revision.slice(0, 12),
    representation,
    task,
    scoreText(one),
    `${parts}`,
    problem === undefined ? maker : '',
  ]
}

function scoreText({ result, fault: problem }: Listed): string {
  if (problem !== undefined) return problem.code
  if (result.strata?.status === 'failed') return result.strata.code ?? 'failed'
  return points(meanScore(result.scores) ?? null)
}

function numberText(value: unknown): string {
  if (value === null || value === undefined) return dash
  return typeof value === 'number' ? `${value}` : ''
}
