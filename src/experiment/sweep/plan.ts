/** What a sweep would do, before it does it: one entry per (task, representation), and what it will cost. A pure value that `--dry-run` prints. */

import { duration } from '#core'

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
  /** Counted in rows on this machine, by the reference's statistics, or not known. */
  readonly from: 'rows' | 'registry' | 'unknown'
}

/** What stands in front of the texts of a task; `side` is null for texts without one. */
export interface TaskPrompt {
  readonly task: string
  readonly side: 'query' | 'document' | null
  readonly prompt: string | null
  /** Flag, model, task: who says so. */
  readonly from: string
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
  readonly prompts: readonly TaskPrompt[]
  readonly notices: readonly string[]
}

/** The plan as lines for a person. */
export function planLines({ model, revision, states, entries, costs, bytesPerText, memoryBytes, seconds, prompts, notices }: Plan): string[] {
  const count = (state: EntryState): number => entries.filter((entry) => entry.state === state).length
  const tasks = new Set(entries.map(({ task }) => task)).size
  const representations = new Set(entries.flatMap(({ representation }) => (representation === '' ? [] : [representation]))).size
  const known = costs.filter(({ missing }) => missing !== undefined)
  const texts = known.reduce((sum, { texts }) => sum + (texts ?? 0), 0)
  const missing = known.reduce((sum, { missing }) => sum + (missing ?? 0), 0)
  const tokens = known.reduce((sum, cost) => sum + (cost.tokens ?? 0), 0)
  const effort = missing === 0 ? '' : `, about ${tokens.toLocaleString('en')} tokens${seconds === undefined ? '' : `, about ${duration(seconds)} here`}`
  const absent = costs.filter(({ from }) => from !== 'rows').length
  const row = (name: string, text: string): string => `${name.padEnd(10)}  ${text}`
  return [
    `${model} @ ${revision.slice(0, 12)} · ${states === 0 ? 'static table' : `${states} states`} · ${tasks} tasks × ${representations} representations`,
    row('results', `${count('run')} to run, ${count('reused')} reused, ${count('failed before')} failed before, ${count('skipped')} skipped`),
    row('encode', `${missing.toLocaleString('en')} of ${texts.toLocaleString('en')} texts (the rest is stored)${effort}`),
    ...(absent === 0 ? [] : [row('data', `${absent} of ${costs.length} tasks have no data on this machine yet; their sizes are those the reference counted`)]),
    row('cache', `${megabytes(missing * bytesPerText)} of layer vectors`),
    row('memory', `≤ ${megabytes(memoryBytes)}`),
    ...costs.map((cost) => row('run', sizeLine(cost))),
    ...promptLines(prompts).map((line) => row('prompt', line)),
    ...notices.map((notice) => row('notice', notice)),
    ...entries
      .filter(({ state }) => state !== 'run')
      .map(({ task, representation, state, reason }) => row(state, `${[task, representation].filter((part) => part !== '').join(' ')}: ${reason}`)),
  ]
}

function sizeLine({ task, texts, missing, tokens, from }: TaskCost): string {
  if (texts === undefined) return `${task}: size unknown`
  const effort = missing === 0 ? 'all stored' : `${(missing ?? 0).toLocaleString('en')} to encode, about ${(tokens ?? 0).toLocaleString('en')} tokens`
  return `${task}: ${texts.toLocaleString('en')} texts, ${effort}${from === 'registry' ? ' (counted by mteb)' : ''}`
}

/** Tasks with the same text in front share a line. */
function promptLines(prompts: readonly TaskPrompt[]): string[] {
  const groups = new Map<string, string[]>()
  for (const { task, side, prompt, from } of prompts) {
    const what = prompt === null ? 'none' : `${JSON.stringify(prompt)} (${from})`
    const line = `${side === null ? 'texts' : side === 'query' ? 'queries' : 'documents'}: ${what}`
    groups.set(line, [...(groups.get(line) ?? []), task])
  }
  if (prompts.every(({ prompt }) => prompt === null)) return prompts.length === 0 ? [] : ['none in front of any text']
  return [...groups].map(([line, tasks]) => `${line} – ${tasks.join(', ')}`)
}

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`
}
