/** What a sweep would do, before it does it: one entry per (task, representation), and what it will cost. A pure value that `--dry-run` prints. */

import { duration } from '../core/index.ts'

export type EntryState = 'run' | 'reused' | 'skipped' | 'failed before'

export interface PlanEntry {
  readonly task: string
  readonly representation: string
  readonly state: EntryState
  /** Why it runs again, or is reused. */
  readonly reason: string
}

/** Cost of one task: texts that its rows hold, and those whose vectors are not stored yet. Undefined when the data set is not on this machine. */
export interface TaskCost {
  readonly task: string
  readonly texts: number | undefined
  readonly missing: number | undefined
  /** Of the missing texts, estimated from a sample of them. */
  readonly tokens: number | undefined
}

export interface Plan {
  readonly model: string
  readonly revision: string
  readonly states: number
  readonly entries: readonly PlanEntry[]
  readonly costs: readonly TaskCost[]
  /** Bytes that one text's stored vectors take. */
  readonly bytesPerText: number
  readonly memoryBytes: number
  /** Of the encoding, from the engine's measured speed on this machine; undefined when nothing is to be encoded. A rough figure. */
  readonly seconds: number | undefined
  readonly notices: readonly string[]
}

/** The plan as lines for a person. */
export function planLines({ model, revision, states, entries, costs, bytesPerText, memoryBytes, seconds, notices }: Plan): string[] {
  const count = (state: EntryState): number => entries.filter((entry) => entry.state === state).length
  const tasks = new Set(entries.map(({ task }) => task)).size
  const representations = new Set(entries.map(({ representation }) => representation)).size
  const known = costs.filter(({ missing }) => missing !== undefined)
  const texts = known.reduce((sum, { texts }) => sum + (texts ?? 0), 0)
  const missing = known.reduce((sum, { missing }) => sum + (missing ?? 0), 0)
  const tokens = known.reduce((sum, cost) => sum + (cost.tokens ?? 0), 0)
  const effort = missing === 0 ? '' : `, about ${tokens.toLocaleString('en')} tokens${seconds === undefined ? '' : `, about ${duration(seconds)} here`}`
  const absent = costs.filter(({ texts }) => texts === undefined).map(({ task }) => task)
  const row = (name: string, text: string): string => `${name.padEnd(10)}  ${text}`
  return [
    `${model} @ ${revision.slice(0, 12)} · ${states === 0 ? 'static table' : `${states} states`} · ${tasks} tasks × ${representations} representations`,
    row('results', `${count('run')} to run, ${count('reused')} reused, ${count('failed before')} failed before, ${count('skipped')} skipped`),
    row('encode', `${missing.toLocaleString('en')} of ${texts.toLocaleString('en')} texts (the rest is stored)${effort}`),
    ...(absent.length === 0 ? [] : [row('data', `not on this machine yet, size unknown: ${absent.join(', ')}`)]),
    row('cache', `${megabytes(missing * bytesPerText)} of layer vectors`),
    row('memory', `≤ ${megabytes(memoryBytes)}`),
    ...notices.map((notice) => row('notice', notice)),
    ...entries.filter(({ state }) => state !== 'run').map(({ task, representation, state, reason }) => row(state, `${task} ${representation}: ${reason}`)),
  ]
}

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`
}
