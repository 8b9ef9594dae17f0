/** The plan of a sweep: results to compute, existing results, and the cost. */
import { duration, roughBytes, quantity } from '#core'
import type { Plan, PlanEntry } from '#experiment/sweep'
import { row } from '../lines/rows.ts'

export function planLines({
  model,
  revision,
  states,
  server,
  entries,
  costs,
  bytesPerText,
  memoryBytes,
  rerank,
  seconds,
  prompts,
  notices,
}: Plan): string[] {
  const count = (state: PlanEntry['state']): number => entries.filter((entry) => entry.state === state).length
  const tasks = new Set(entries.map(({ task }) => task)).size
  const representations = new Set(
    entries.flatMap(({ representation }) => (representation === '' ? [] : [representation])),
  ).size
  const known = costs.filter(({ missing }) => missing !== undefined)
  const texts = known.reduce((sum, { texts }) => sum + (texts ?? 0), 0)
  const missing = known.reduce((sum, { missing }) => sum + (missing ?? 0), 0)
  const tokens = known.reduce((sum, cost) => sum + (cost.tokens ?? 0), 0)
  const effort =
    missing === 0
      ? ''
      : `, about ${tokens.toLocaleString('en')} tokens${seconds === undefined ? '' : `, about ${duration(seconds)} here`}`
  // tables and counted words are quicker made than read back
  const isKept = states > 0 || server !== undefined
  const absent = costs.filter(({ from }) => from !== 'rows').length
  return [
    `${model} @ ${revision.slice(0, 12)} · ${describeKind({ states, server })} · ${quantity(tasks, 'task')} × ${quantity(representations, 'representation')}`,
    row(
      'results',
      `${count('run')} to run, ${count('reused')} reused, ${count('failed before')} failed before, ${count('skipped')} skipped`,
    ),
    row(
      server === undefined ? 'encode' : 'ask',
      isKept
        ? `${missing.toLocaleString('en')} of ${quantity(texts, 'text')} (the others are cached)${effort}${server === undefined || missing === 0 ? '' : ` (4 letters each), ${quantity(server.requests, 'request')}`}`
        : `${quantity(texts, 'text')}; the cache keeps no vectors of this model`,
    ),
    ...(absent === 0
      ? []
      : [
          row(
            'data',
            `${absent} of ${quantity(costs.length, 'task')} have no data on this machine yet; their sizes are mteb’s`,
          ),
        ]),
    // nobody knows the width of a server's vectors before the first
    ...(!isKept || (server !== undefined && bytesPerText === 0)
      ? []
      : [
          row(
            'cache',
            `${roughBytes(missing * bytesPerText)} of ${server === undefined ? 'layer vectors' : 'vectors'}`,
          ),
        ]),
    ...(rerank === undefined ? [] : [row('rerank', rerankLine(rerank))]),
    row('memory', `≤ ${roughBytes(memoryBytes)}`),
    ...costs.map((cost) => row('run', sizeLine(cost, isKept))),
    ...promptLines(prompts).map((line) => row('prompt', line)),
    ...notices.map((notice) => row('notice', notice)),
    ...entries
      .filter(({ state }) => state !== 'run')
      .map(({ task, representation, state, reason }) =>
        row(state, `${[task, representation].filter((part) => part !== '').join(' ')}: ${reason}`),
      ),
  ]
}

function rerankLine({ model, representation, top, most, memoryBytes }: NonNullable<Plan['rerank']>): string {
  const unit = representation === null ? 'pair' : 'text'
  const by = representation === null ? model : `${model} by ${representation}`
  const what = most === undefined ? `an unknown number of ${unit}s` : `at most ${quantity(most, unit)}`
  return `${by}: ${what} (top ${top.toLocaleString('en')}), without an estimate of time, memory ≤ ${roughBytes(memoryBytes)}`
}

function describeKind({ states, server }: Pick<Plan, 'states' | 'server'>): string {
  if (server !== undefined) return server.place
  return states === 0 ? 'no layers' : quantity(states, 'state')
}

function sizeLine({ task, texts, missing, tokens, from }: Plan['costs'][number], isKept: boolean): string {
  if (texts === undefined) return `${task}: size unknown`
  const effort =
    missing === 0
      ? 'all stored'
      : `${(missing ?? 0).toLocaleString('en')} to encode, about ${(tokens ?? 0).toLocaleString('en')} tokens`
  return `${task}: ${quantity(texts, 'text')}${isKept ? `, ${effort}` : ''}${from === 'registry' ? ' (counted by mteb)' : ''}`
}

const sides = { query: 'queries', document: 'documents' } as const

/** Tasks with the same prompt share a line. */
function promptLines(prompts: Plan['prompts']): string[] {
  const groups = new Map<string, string[]>()
  for (const { task, side, prompt, from, adapter } of prompts) {
    const text = prompt === null ? 'none' : `${JSON.stringify(prompt)} (${from})`
    const what = adapter === undefined ? text : `${text}, adapter ${adapter}`
    const line = `${side === null ? 'texts' : sides[side]}: ${what}`
    groups.set(line, [...(groups.get(line) ?? []), task])
  }
  if (prompts.every(({ prompt, adapter }) => prompt === null && adapter === undefined))
    return prompts.length === 0 ? [] : ['none before any text']
  return [...groups].map(([line, tasks]) => `${line} – ${tasks.join(', ')}`)
}
