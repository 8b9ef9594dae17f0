/**
 * Doors of rooms that write down what they are asked, for tests of what a command asks of them. The work itself stops
 * at the functions named: a thousand lines of flags are walked in seconds.
 */

/** `runSweep {"outputFolder":"results",…}`, in order. */
export const asked: string[] = []

/** Thrown where the work would begin. */
export class Reached extends Error {}

type Door = Readonly<Record<string, unknown>>
type Call = (...args: readonly never[]) => unknown

/**
 * `instead`: what is called in the place of a function of the door, after the call is written down; undefined ends the
 * command there. `noted` are written down and called.
 */
export function watched<Exports extends Door>(
  door: Exports,
  { instead = {}, noted = [] }: { instead?: Record<string, Call | undefined>; noted?: readonly string[] },
): Exports {
  const entries = Object.entries(door).map(([name, value]) => {
    if (typeof value !== 'function' || !(name in instead || noted.includes(name))) return [name, value] as const
    const call = (...args: readonly never[]): unknown => {
      asked.push(`${name} ${worded(args)}`)
      if (!(name in instead)) return (value as Call)(...args)
      const other = instead[name]
      if (other === undefined) throw new Reached(name)
      return other(...args)
    }
    return [name, call] as const
  })
  return Object.fromEntries(entries) as Exports
}

/** In the place of a search: the first model is opened, as the flags say. */
export async function opensTheFirst(
  [first]: readonly unknown[],
  { open }: { open: (checkpoint: unknown) => Promise<{ close: () => Promise<void> }> },
): Promise<never> {
  await (await open(first)).close()
  throw new Reached('search')
}

/** In the place of an encoding: the first texts are read, as the flags say. */
export async function readsTheFirst(_: unknown, texts: AsyncIterable<unknown>): Promise<never> {
  for await (const rows of texts) {
    asked.push(`texts ${worded(rows)}`)
    break
  }
  throw new Reached('encode')
}

/** In the place of a run of the harness: its first task is shown, as the flags say. */
export function asksTheFirst({ onTask }: { onTask: (task: object) => void }): object {
  onTask({ task: { name: 'toy' }, questions: [] })
  return { run: { tasks: [], failed: [], groups: new Map() }, document: {}, results: undefined }
}

/** In the place of a sweep. */
export function* nothing(): Generator<never> {}

/** In the place of looks inside a model, and of combinations of layers. */
export const similarity = {
  model: 'm',
  against: null,
  dataset: 'd',
  num_samples: 3,
  sample_size: 3,
  trials: 1,
  num_layers: 2,
  metrics: { cka: { mean: [[1]], std: [[0]] } },
}
export const metrics = { model: 'm', dataset: 'd', num_samples: 3, layers: {}, skipped: [] }
export const aggregation = {
  model: 'm',
  pooling: 'p',
  tasks: [],
  passed: { texts: 0, seconds: 0 },
  seconds: 0,
  corpus: null,
  sentence: 'none',
}

/** In the place of scores of every size and type. */
export const smallVectors = {
  model: 'm',
  revision: 'r',
  tasks: [{ task: 't', validation: null }],
  points: [
    {
      representation: 'default',
      dimensions: 4,
      type: 'float32',
      bytes: 16,
      validation: null,
      test: 0.5,
      isFront: true,
    },
    {
      representation: 'default:2',
      dimensions: 2,
      type: 'float32',
      bytes: 8,
      validation: null,
      test: 0,
      isFront: false,
    },
  ],
  baseline: 'default',
  chosen: null,
  loss: 0.01,
  why: null,
  unscored: null,
  passed: { texts: 0, seconds: 0 },
  seconds: 0,
}

/** In the place of a measurement of speed. */
export const measuredSpeed = {
  texts: { name: 't', count: 3 },
  rounds: 5,
  threads: 1,
  rows: [
    {
      name: 'm#default',
      model: 'm',
      revision: 'r',
      representation: 'default',
      fileBytes: 1,
      loadSeconds: 1,
      peakBytes: 1,
      sizes: [
        {
          batch: 1,
          textsPerSecond: { median: 1, low: 1, high: 1 },
          tokensPerSecond: null,
          latency: { p50: 1, p95: 1, p99: 1, calls: 1 },
        },
      ],
    },
  ],
}

/** In the place of an export. */
const counts = { wrapping: 0, matched: 0, words: 0, severalWords: 0, duplicates: 0, empty: 0 }
const plan = { model: 'm', tokens: 1, counts, width: 1, dtype: 'float16', bytes: 2, modelBytes: 3, notes: [] }
/** What `strata distill` prints of. */
export const distillation = { plan, write: (folder: string) => ({ ...plan, folder, explained: null, steps: [] }) }

export const exported = {
  representation: 'h1',
  blocks: 1,
  layers: 1,
  width: 4,
  parameters: 1,
  bytes: 1,
  folder: 'f',
  notes: [],
}

/** Scores of nobody. */
export const table = { models: [], rows: [], notices: [] }

/** Plain values down to a depth; functions and signals are nothing that a flag says. */
function worded(value: unknown, depth = 0): string {
  if (typeof value === 'function' || value instanceof AbortSignal || ArrayBuffer.isView(value)) return ''
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return String(value)
  if (depth === 6) return '…'
  if (Array.isArray(value))
    return `[${value
      .slice(0, 60)
      .map((one) => worded(one, depth + 1))
      .join()}]`
  if (value instanceof Map || value instanceof Set) return worded([...value], depth)
  const parts = Object.entries(value).map(([name, one]) => [name, worded(one, depth + 1)] as const)
  return `{${parts.flatMap(([name, text]) => (text === '' ? [] : [`${name}:${text}`])).join()}}`
}
