/** The results of a folder: one line each, or every number of one. */
import { asText, metricNames, resultCells, resultColumns } from '#result/report'
import { dash } from '#core'
import type { Listed } from '#result/ledger'
import { row } from '../../lines/rows.ts'

export function resultLines(listed: readonly Listed[]): readonly string[] {
  return asText({ columns: resultColumns, rows: listed.map(resultCells) })
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
  const metrics = metricNames(scores)
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

function numberText(value: unknown): string {
  if (value === null || value === undefined) return dash
  return typeof value === 'number' ? `${value}` : ''
}
