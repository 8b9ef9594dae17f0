/**
 * Two records of one bench, figure by figure. Benches write records of different shapes: a figure is a number whose name
 * says that it is a time, a rate or memory, and its place is the path to it with the words and the amounts of work next
 * to it – so that a figure of other work is never compared.
 */

export type Unit = 'time' | 'rate' | 'memory'

export interface Figure {
  readonly place: string
  readonly unit: Unit
  readonly value: number
  /** Of another program: it shows how the machine drifted, not how Strata did. */
  readonly isPeers: boolean
}

export interface Change {
  readonly place: string
  readonly unit: Unit
  /** Above 1: slower now, or more memory. */
  readonly ratio: number
  readonly isPeers: boolean
}

export interface Comparison {
  /** Figures of Strata in both records; figures of Strata now. */
  readonly compared: number
  readonly figures: number
  /** Geometric means of the ratios; undefined without a figure in both. */
  readonly slower: number | undefined
  readonly memory: number | undefined
  readonly peersSlower: number | undefined
  /** The figure of Strata's time that changed for the worst. */
  readonly worst: Change | undefined
}

const units: readonly (readonly [Unit, RegExp])[] = [
  ['rate', /perSecond$|perCpuSecond$|gflops$|^GBs$|^(?:first|later)$/i],
  ['memory', /MiB$/],
  ['time', /seconds(?:PerGB|PerThousand)?$|^p50$|^p99$|^(?:strata|peer) s$/i],
]

/** Left out of the comparison: the machine, the settings, ratios of other figures, and rounds whose median is there. */
const ignored =
  /^all|^(?:machine|limits?|killed|versions?|cpu|system|node|memoryGiB|loadBefore|loadAfter|secondsEach|gemmPeakGflops|productOnOneThread|fastest\w*|goals|ways)$/

/** Amounts of work: with another amount, figures are not comparable. */
const amounts =
  /^(?:x|texts|tokens|clients|documents|queries|rows|cols|width|depth|jobs|fits|classes|pairs|passes|layers|length|points|processes|parameters|portion|requests)$/

/** Names that say whose a figure is. */
const owners = /^(?:program|name|server|id)$/
const peers =
  /^(?:peer\b|python|torch|pytorch|mteb|mergekit|cp|model2vec|faiss|infinity|sentence-transformers|transformers|scikit|numpy|bm25s|pylate|lm[-_]eval|hf\b|onnxruntime-web)| · /i

/**
 * The figures of a record.
 *
 * @example
 *   figuresOf({ programs: [{ name: 'strata', wallSeconds: 2 }] })
 *   // [{ place: 'programs strata wallSeconds', unit: 'time', value: 2, isPeers: false }]
 */
export function figuresOf(record: unknown): Figure[] {
  const found: Figure[] = []
  visit(record, [], false, found)
  return found
}

/** What became of each figure of `now` that `before` has too, and their means. */
export function compareRecords(before: unknown, now: unknown): Comparison {
  const earlier = new Map(figuresOf(before).map((figure) => [figure.place, figure]))
  const figures = figuresOf(now)
  const changes = figures.flatMap((figure) => {
    const other = earlier.get(figure.place)
    return other === undefined ? [] : [changeOf(other, figure)]
  })
  const own = changes.filter(({ isPeers }) => !isPeers)
  const times = own.filter(({ unit }) => unit !== 'memory')
  return {
    compared: own.length,
    figures: figures.filter(({ isPeers }) => !isPeers).length,
    slower: geometricMean(times),
    memory: geometricMean(own.filter(({ unit }) => unit === 'memory')),
    peersSlower: geometricMean(changes.filter(({ isPeers, unit }) => isPeers && unit !== 'memory')),
    worst: times.toSorted((a, b) => b.ratio - a.ratio)[0],
  }
}

/** The processor that a record names, wherever it does; undefined for a record without one. */
export function processorOf(record: unknown): string | undefined {
  if (!isRecord(record)) return undefined
  if (typeof record['cpu'] === 'string') return record['cpu']
  const runs = Array.isArray(record['runs']) ? (record['runs'] as unknown[]) : []
  return processorOf(record['machine']) ?? processorOf(runs[0])
}

function changeOf(before: Figure, { place, unit, value, isPeers }: Figure): Change {
  return { place, unit, isPeers, ratio: unit === 'rate' ? before.value / value : value / before.value }
}

function geometricMean(changes: readonly Change[]): number | undefined {
  if (changes.length === 0) return undefined
  return Math.exp(changes.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / changes.length)
}

function visit(value: unknown, place: readonly string[], isPeers: boolean, found: Figure[]): void {
  if (Array.isArray(value)) for (const item of rowsOf(value)) visit(item, place, isPeers, found)
  if (!isRecord(value)) return
  const entries = Object.entries(value).filter(([key]) => !ignored.test(key))
  const here = [...place, ...entries.flatMap(([key, inner]) => labelOf(key, inner))]
  const theirs = isPeers || entries.some(([key, inner]) => owners.test(key) && isPeer(inner))
  for (const [key, inner] of entries) {
    if (typeof inner === 'object') visit(inner, [...here, key], theirs || isPeer(key), found)
    const unit = typeof inner === 'number' && inner > 0 ? units.find(([, name]) => name.test(key))?.[0] : undefined
    if (unit !== undefined && typeof inner === 'number')
      found.push({ place: [...here, key].join(' '), unit, value: inner, isPeers: theirs })
  }
}

/** A table whose first row names its columns becomes rows with names. */
function rowsOf(items: readonly unknown[]): readonly unknown[] {
  const [head, ...rows] = items
  if (!Array.isArray(head) || !head.every((cell) => typeof cell === 'string')) return items
  return rows.map((row) =>
    Array.isArray(row) ? Object.fromEntries(head.map((name, i): [string, unknown] => [name, row[i]])) : row,
  )
}

/** Words, lists of words, and amounts of work. */
function labelOf(key: string, value: unknown): string[] {
  if (typeof value === 'string') return /^\d+\.\d/.test(value) ? [] : [value]
  if (typeof value === 'number' && amounts.test(key)) return [`${value} ${key}`]
  if (key === 'shape' && isRecord(value)) return Object.entries(value).flatMap(([name, inner]) => labelOf(name, inner))
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
    ? [value.join()]
    : []
}

function isPeer(name: unknown): boolean {
  return typeof name === 'string' && peers.test(name)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
