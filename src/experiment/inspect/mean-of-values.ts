/** Means of metric values over texts, number by number, with an interval of each; values that are not defined do not count. */
import type { MetricValue } from '#representation/metrics'
import { meanIntervals } from '#result/statistics'

/** A value of the same shape as the metric's, with the ends of its interval in the place of each number. */
export type MetricInterval = readonly [low: number, high: number] | { readonly [variant: string]: MetricInterval }

export interface MeanOfValues {
  /** Of the next text. */
  add(value: MetricValue | undefined): void
  /** Undefined before the first one. */
  value(): MetricValue | undefined
  /** 95 %, by a seeded bootstrap over the texts. */
  interval(options: { readonly seed: number }): MetricInterval | undefined
}

export function meanOfValues(): MeanOfValues {
  let texts = 0
  /** By the path of its name; NaN for texts without it. */
  const columns = new Map<string, number[]>()
  const put = (value: MetricValue, path: readonly string[]): void => {
    if (typeof value !== 'number') {
      for (const [name, part] of Object.entries(value)) put(part, [...path, name])
      return
    }
    const key = JSON.stringify(path)
    const column = columns.get(key) ?? []
    columns.set(key, column)
    while (column.length < texts) column.push(NaN)
    column.push(value)
  }
  const whole = (): [string[], number[]][] =>
    [...columns].flatMap(([key, column]) => {
      while (column.length < texts) column.push(NaN)
      return column.every((value) => Number.isNaN(value)) ? [] : [[JSON.parse(key) as string[], column] as [string[], number[]]]
    })
  return {
    add(value) {
      if (value !== undefined) put(value, [])
      texts++
    },
    value: () => nested(whole().map(([path, column]) => [path, meanDefined(column)])) as MetricValue | undefined,
    interval({ seed }) {
      const found = whole()
      const intervals = meanIntervals(
        found.map(([, column]) => column),
        { seed },
      )
      // of one text there is none
      if (intervals.length === 0) return undefined
      return nested(found.map(([path], i) => [path, [intervals[i]?.low ?? NaN, intervals[i]?.high ?? NaN] as const])) as MetricInterval | undefined
    },
  }
}

function meanDefined(column: readonly number[]): number {
  let [sum, count] = [0, 0]
  for (const value of column) {
    if (Number.isNaN(value)) continue
    sum += value
    count++
  }
  return sum / count
}

/** Values by path as one object; a value without a path is itself. */
function nested(entries: readonly (readonly [readonly string[], unknown])[]): unknown {
  const [first] = entries
  if (first === undefined) return undefined
  if (first[0].length === 0) return first[1]
  const names = [...new Set(entries.map(([[name = '']]) => name))]
  return Object.fromEntries(names.map((name) => [name, nested(entries.flatMap(([[own, ...rest], value]) => (own === name ? [[rest, value] as const] : [])))]))
}
