/** Counts of a server in the text format of Prometheus (0.0.4). */

export interface Gauges {
  count(name: CounterName, labels: Readonly<Record<string, string>>, by?: number): void
  observe(name: HistogramName, value: number): void
  set(name: GaugeName, value: number): void
  text(): string
}

const counters = {
  strata_requests_total: 'Requests by path and status',
  strata_tokens_total: 'Tokens that went through a model',
  strata_texts_total: 'Rows that went through a model',
  strata_cache_hits_total: 'Texts whose vectors came from the cache',
  strata_cache_misses_total: 'Texts whose vectors were not in the cache',
} as const
const gauges = {
  strata_queue_requests: 'Requests under way',
  strata_queue_tokens: 'Tokens that wait for a pass',
} as const
const histograms = {
  strata_request_seconds: {
    help: 'Time from the first byte of a request to its answer',
    ends: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  strata_batch_rows: { help: 'Rows of a pass', ends: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] },
  strata_batch_tokens: { help: 'Tokens of a pass', ends: [16, 64, 256, 1024, 4096, 16_384, 65_536] },
} as const

type CounterName = keyof typeof counters
type GaugeName = keyof typeof gauges
type HistogramName = keyof typeof histograms

export function openGauges(): Gauges {
  const counted = new Map<CounterName, Map<string, number>>()
  const levels = new Map<GaugeName, number>()
  const seen = new Map<HistogramName, { sum: number; readonly counts: number[] }>()
  return {
    count(name, labels, by = 1) {
      const series = counted.get(name) ?? new Map<string, number>()
      counted.set(name, series)
      const key = labelText(labels)
      series.set(key, (series.get(key) ?? 0) + by)
    },
    set: (name, value) => void levels.set(name, value),
    observe(name, value) {
      const { ends } = histograms[name]
      const own = seen.get(name) ?? { sum: 0, counts: Array.from({ length: ends.length + 1 }, () => 0) }
      seen.set(name, own)
      const at = ends.findIndex((end) => value <= end)
      const bucket = at < 0 ? ends.length : at
      own.counts[bucket] = (own.counts[bucket] ?? 0) + 1
      own.sum += value
    },
    text() {
      const lines: string[] = []
      for (const [name, help] of named(counters)) {
        lines.push(`# HELP ${name} ${help}.`, `# TYPE ${name} counter`)
        for (const [labels, value] of counted.get(name) ?? []) lines.push(`${name}${labels} ${value}`)
      }
      for (const [name, help] of named(gauges))
        lines.push(`# HELP ${name} ${help}.`, `# TYPE ${name} gauge`, `${name} ${levels.get(name) ?? 0}`)
      for (const [name, { help, ends }] of named(histograms)) {
        const { sum, counts } = seen.get(name) ?? { sum: 0, counts: [] }
        lines.push(`# HELP ${name} ${help}.`, `# TYPE ${name} histogram`)
        let upTo = 0
        for (const [at, end] of [...ends, Infinity].entries()) {
          upTo += counts[at] ?? 0
          lines.push(`${name}_bucket{le="${end === Infinity ? '+Inf' : end}"} ${upTo}`)
        }
        lines.push(`${name}_sum ${sum}`, `${name}_count ${upTo}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function named<Name extends string, Value>(table: Readonly<Record<Name, Value>>): [Name, Value][] {
  return Object.entries(table) as [Name, Value][]
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  )
  return parts.length === 0 ? '' : `{${parts.join()}}`
}
