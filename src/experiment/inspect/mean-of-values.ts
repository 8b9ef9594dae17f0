/** Means of metric values, number by number; values that are not defined do not count. */
import type { MetricValue } from '#representation/metrics'

export interface MeanOfValues {
  add(value: MetricValue | undefined): void
  /** Undefined before the first one. */
  value(): MetricValue | undefined
}

export function meanOfValues(): MeanOfValues {
  let [sum, count] = [0, 0]
  const parts = new Map<string, MeanOfValues>()
  return {
    add(value) {
      if (value === undefined) return
      if (typeof value === 'number') {
        if (Number.isNaN(value)) return
        sum += value
        count++
        return
      }
      for (const [name, part] of Object.entries(value)) {
        const own = parts.get(name) ?? meanOfValues()
        parts.set(name, own)
        own.add(part)
      }
    },
    value() {
      if (parts.size === 0) return count === 0 ? undefined : sum / count
      return Object.fromEntries(
        [...parts].flatMap(([name, part]) => {
          const value = part.value()
          return value === undefined ? [] : [[name, value] as const]
        }),
      )
    },
  }
}
