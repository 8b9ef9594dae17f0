/** Metrics by layer for people. */
import { quantity } from '#core'
import { asText } from '#result/report'
import type { MetricsReport } from '#experiment/metrics'

/** Rows are metrics, with their variants below each other; columns are hidden states. */
export function metricLines({ model, dataset, num_samples, layers }: MetricsReport): string[] {
  const states = Object.keys(layers)
  const columns = states.map((h) => new Map(numbersOf(layers[h] ?? {})))
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))]
  const rows = names.map((name) => [name, ...columns.map((column) => shown(column.get(name)))])
  return [
    `${model} on ${quantity(num_samples, 'text')} of ${dataset}`,
    ...asText({ columns: [{ title: 'metric' }, ...states.map((h) => ({ title: `h${h}`, number: true }))], rows }),
  ]
}

function numbersOf(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path, value]]
  return Object.entries(value as object).flatMap(([name, inner]) =>
    numbersOf(inner, path === '' ? name : `${path}.${name}`),
  )
}

function shown(value: number | undefined): string {
  if (value === undefined) return ''
  return Math.abs(value) >= 1000 ? value.toFixed(0) : value.toPrecision(4)
}
