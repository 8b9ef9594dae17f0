/** Results as they lie in a folder: one line each, or every number of one. */
import type { Listed } from '#result/ledger'
import { meanScore } from '#result/statistics'
import { row, tableLines } from '../../lines/table.ts'

const columns = [
  { title: 'model' },
  { title: 'revision' },
  { title: 'representation' },
  { title: 'task' },
  { title: 'score', right: true },
  { title: 'parts', right: true },
  { title: 'made by' },
]

export function resultLines(listed: readonly Listed[]): readonly string[] {
  return tableLines(columns, listed.map(cells))
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
  const number = (value: unknown): string =>
    typeof value === 'number' ? `${value}` : value === null || value === undefined ? '–' : ''
  return [
    ...head,
    `data ${data} · mteb ${version}${seconds === undefined ? '' : ` · ${seconds.toFixed(2)} s`}${strata === undefined ? '' : ` · strata ${strata.version}, ${strata.profile} · ${JSON.stringify(strata.settings)}`}`,
    ...(strata?.status === 'failed' ? [`failed ${strata.code ?? ''}: ${strata.reason ?? ''}`] : []),
    ...(strata?.notices ?? []).map((notice) => `notice: ${notice}`),
    ...entries.flatMap(({ split, subset }) => [
      `  ${split} · ${subset.hf_subset}${subset.languages.length === 0 ? '' : ` (${subset.languages.join(', ')})`}`,
      ...metrics.map((name) => `    ${row(name, number(subset[name]), { width: 26 })}`),
    ]),
  ]
}

function cells(one: Listed): string[] {
  const { model, revision, representation, task, result, fault: problem } = one
  const score = meanScore(result?.scores)
  const failed = result?.strata?.status === 'failed'
  const parts = Object.values(result?.scores ?? {}).reduce((sum, subsets) => sum + subsets.length, 0)
  const shown =
    problem !== undefined
      ? problem.code
      : failed
        ? (result?.strata?.code ?? 'failed')
        : score === undefined
          ? '—'
          : (100 * score).toFixed(2)
  const maker =
    result?.strata === undefined
      ? `mteb ${result?.mteb_version ?? '?'}`
      : `strata ${result.strata.version}, ${result.strata.profile}`
  return [model, revision.slice(0, 12), representation, task, shown, `${parts}`, problem === undefined ? maker : '']
}
