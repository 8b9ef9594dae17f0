/** Malformed requests against a server: what it answered, and every answer that it should not have given. */
import type { JsonSchema } from './json-schema.ts'
import { type Malformed, malformed, type Names, type Schemas, type Wanted } from './malformed.ts'
import { type Exchange, exchange } from './raw-http.ts'

export interface FuzzOptions {
  /** `http://127.0.0.1:8080`. */
  readonly address: string
  readonly names: Names
  /** Requests that are malformed for certain; those that may be right by chance come on top. */
  readonly count: number
  readonly draw: () => number
  readonly connections?: number
  readonly onProgress?: (done: number) => void
}

export interface Fuzzed {
  /** Requests that are malformed for certain. */
  readonly malformed: number
  readonly connections: number
  readonly byKind: Readonly<Record<string, number>>
  readonly byStatus: Readonly<Record<string, number>>
  /** Connections that the server closed without an answer, as a protocol error lets it. */
  readonly closed: number
  readonly complaints: readonly string[]
}

export async function fuzz(options: FuzzOptions): Promise<Fuzzed> {
  const { address, names, count, draw, connections = 8, onProgress } = options
  const schemas = await schemasOf(address)
  const port = Number(new URL(address).port)
  const [byKind, byStatus] = [new Map<string, number>(), new Map<string, number>()]
  const complaints: string[] = []
  let [drawn, done, sent, closed] = [0, 0, 0, 0]
  const add = (to: Map<string, number>, key: string): void => void to.set(key, (to.get(key) ?? 0) + 1)
  const work = async (): Promise<void> => {
    while (drawn < count && complaints.length < 20) {
      const own = malformed(draw, schemas, names)
      const certain = own.wanted.filter(isCertain).length
      drawn += certain
      const answers = own.wanted.includes('none') ? 0 : own.wanted.length
      const seen = await exchange(port, own.pieces, { answers })
      add(byKind, own.kind)
      for (const status of seen.statuses) add(byStatus, String(status))
      if (seen.statuses.length === 0) closed++
      const complaint = complain(own, seen)
      if (complaint !== undefined) complaints.push(complaint)
      done += certain
      sent++
      onProgress?.(done)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  return {
    malformed: done,
    connections: sent,
    byKind: sorted(byKind),
    byStatus: sorted(byStatus),
    closed,
    complaints,
  }
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isCertain(wanted: Wanted): boolean {
  return wanted === 'refused' || wanted === 'none'
}

/** The fault of an answer; undefined for a sound one. */
export function complain({ kind, pieces, wanted }: Malformed, { statuses, end, text }: Exchange): string | undefined {
  const flaw = flawIn(wanted, statuses, end)
  if (flaw === undefined) return undefined
  const asked = Buffer.concat(pieces)
  const shown = JSON.stringify(asked.subarray(0, 1500).toString('latin1'))
  return `${kind}: ${flaw}\n  asked ${shown}\n  answered ${JSON.stringify(text.slice(0, 500))}`
}

function flawIn(wanted: readonly Wanted[], statuses: readonly number[], end: Exchange['end']): string | undefined {
  if (end === 'silent') return 'no end'
  if (statuses.length < wanted.length && wanted.some((one) => one !== 'none'))
    return `answer ${statuses.length + 1} of ${wanted.length} is missing (${end})`
  const at = statuses.findIndex((status, i) => {
    // the rest of a broken frame is read as the next request
    const one = wanted[i] ?? 'refused'
    const isRefused = status >= 400 && status < 500
    if (one === 'answered') return status !== 200
    return one === 'any' ? status !== 200 && !isRefused : !isRefused
  })
  return at < 0 ? undefined : `answer ${at + 1} is ${statuses[at]}`
}

/** The schema of every path that takes a body, from the server's own document. */
export async function schemasOf(address: string): Promise<Schemas> {
  const { paths } = (await (await fetch(`${address}/openapi.json`)).json()) as {
    paths: Record<string, { post?: { requestBody: { content: Record<string, { schema: JsonSchema }> } } }>
  }
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, { post }]) => {
      const schema = post?.requestBody.content['application/json']?.schema
      return schema === undefined ? [] : [[path, schema]]
    }),
  )
}
