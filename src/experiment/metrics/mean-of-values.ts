/** Means of metric values over texts, number by number, with an interval for each; undefined values do not count. */
import type { MetricValue } from '#representation/metrics'
import { meanIntervals } from '#result/statistics'

/** A value of the same shape as the metric's, with the ends of an interval in place of each number. */
export type MetricInterval = readonly [low: number, high: number] | { readonly [variant: string]: MetricInterval }

export interface MeanOfValues {
  /** Adds the value of the next text. */
  add(value: MetricValue | undefined): void
  /** Undefined before the first value. */
  value(): MetricValue | undefined
  /** For each number, the values of all texts so far, NaN for a missing one; numbers that no text has are left out. */
  columns(): readonly (readonly [path: readonly string[], column: readonly number[]])[]
}

/**
 * 95 % interval of each mean, by a seeded bootstrap over the texts, with the same resamples for all; undefined without
 * values, and with fewer than two texts.
 */
export function makeIntervals(
  means: readonly MeanOfValues[],
  { seed }: { readonly seed: number },
): (MetricInterval | undefined)[] {
  const found = means.map((mean) => mean.columns())
  const intervals = meanIntervals(
    found.flatMap((own) => own.map(([, column]) => column)),
    { seed },
  ).values()
  return found.map((own) => {
    const ends = own.flatMap(([path]) => {
      const { value } = intervals.next()
      return value === undefined ? [] : [[path, [value.low, value.high] as const] as const]
    })
    return nested(ends) as MetricInterval | undefined
  })
}

export function meanOfValues(): MeanOfValues {
  let texts = 0
  /** Columns by the path of their name; NaN for texts without a value. */
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
      return column.every((value) => Number.isNaN(value))
        ? []
        : [[JSON.parse(key) as string[], column] as [string[], number[]]]
    })
  return {
    add(value) {
      if (value !== undefined) put(value, [])
      texts++
    },
    value: () => nested(whole().map(([path, column]) => [path, meanDefined(column)])) as MetricValue | undefined,
    columns: whole,
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
  return Object.fromEntries(
    names.map((name) => [
      name,
      nested(entries.flatMap(([[own, ...rest], value]) => (own === name ? [[rest, value] as const] : []))),
    ]),
  )
}
