/**
 * Many clients of one server at once, some of whom hang up, send too much, too slowly or nonsense: every vector that
 * comes back is compared with one made before.
 */
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { complain, schemasOf } from './fuzz.ts'
import { malformed, type Names, type Schemas } from './malformed.ts'
import { exchange } from './raw-http.ts'

export interface SoakOptions {
  readonly address: string
  readonly names: Names
  readonly texts: readonly string[]
  /** The vector of each text, by the word behind `#` of the model's name. */
  readonly wanted: Readonly<Record<string, readonly Float32Array[]>>
  /** The server's limit of a body, in bytes. */
  readonly maxBody: number
  /** Texts of a gigantic request. */
  readonly gigantic: number
  readonly clients: number
  readonly draw: () => number
  /** Asked before each request, with how many there were. */
  readonly isOver: (requests: number) => boolean
}

export interface Soaked {
  readonly requests: number
  readonly byKind: Readonly<Record<string, number>>
  /** Vectors that were compared, bit by bit. */
  readonly vectors: number
  readonly complaints: readonly string[]
}

interface Soaking extends SoakOptions {
  readonly agent: Agent
  readonly port: number
  readonly schemas: Schemas
  vectors: number
}

type Visit = (own: Soaking) => Promise<string | undefined>

/** Shares in a hundred requests. */
const visits: readonly (readonly [kind: string, share: number, visit: Visit])[] = [
  ['right', 73, (own) => right(own, 1 + Math.floor(own.draw() * 8))],
  ['hangs up', 10, hangUp],
  ['malformed', 6, nonsense],
  ['oversized', 4, oversized],
  ['slow', 4, trickled],
  ['half-open', 2, halfOpen],
  ['gigantic', 1, (own) => right(own, own.gigantic)],
]

export async function soak(options: SoakOptions): Promise<Soaked> {
  const { address, clients, draw, isOver } = options
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const schemas = await schemasOf(address)
  const own: Soaking = { ...options, agent, schemas, port: Number(new URL(address).port), vectors: 0 }
  const byKind = new Map<string, number>()
  const complaints: string[] = []
  let requests = 0
  const client = async (): Promise<void> => {
    while (!isOver(requests) && complaints.length < 20) {
      requests++
      let at = draw() * 100
      const [kind, , visit] = visits.find(([, share]) => (at -= share) < 0)!
      byKind.set(kind, (byKind.get(kind) ?? 0) + 1)
      const complaint = await visit(own).catch((error: unknown) => String(error))
      if (complaint !== undefined) complaints.push(`${kind}: ${complaint}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
  return { requests, byKind: Object.fromEntries(byKind), vectors: own.vectors, complaints }
}

interface Asked {
  readonly body: Buffer
  readonly representation: string
  readonly chosen: readonly number[]
}

function draft({ draw, names, texts, wanted }: Soaking, count: number): Asked {
  const words = Object.keys(wanted)
  const representation = words[Math.floor(draw() * words.length)]!
  const chosen = Array.from({ length: count }, () => Math.floor(draw() * texts.length))
  const body = { model: `${names.model}#${representation}`, input: chosen.map((at) => texts[at]) }
  const format = draw() < 0.5 ? { encoding_format: 'base64' } : {}
  return { body: Buffer.from(JSON.stringify({ ...body, ...format })), representation, chosen }
}

async function right(own: Soaking, count: number): Promise<string | undefined> {
  const asked = draft(own, count)
  return judge(own, asked, await posted(own, asked.body))
}

/** A few bytes at a time. */
async function trickled(own: Soaking): Promise<string | undefined> {
  const asked = draft(own, 2)
  const size = Math.ceil(asked.body.length / 5)
  const pieces = Array.from({ length: 5 }, (_, i) => asked.body.subarray(i * size, (i + 1) * size))
  return judge(own, asked, await posted(own, ...pieces))
}

interface Answered {
  readonly status: number
  readonly text: string
}

function posted({ agent, port }: Soaking, ...pieces: readonly Buffer[]): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const headers = { 'content-type': 'application/json', 'content-length': length }
    const options = { agent, port, host: '127.0.0.1', path: '/v1/embeddings', method: 'POST', headers }
    const request = httpRequest(options, (response) => {
      const seen: Buffer[] = []
      response.on('data', (piece: Buffer) => seen.push(piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(seen).toString() }))
      response.on('error', reject)
    })
    request.on('error', reject)
    void (async () => {
      for (const [i, piece] of pieces.entries()) {
        if (i > 0) await pause(20)
        request.write(piece)
      }
      request.end()
    })()
  })
}

function judge(own: Soaking, { representation, chosen }: Asked, { status, text }: Answered): string | undefined {
  if (status !== 200) return `${status} ${text.slice(0, 300)}`
  const { data } = JSON.parse(text) as { data: { embedding: string | number[] }[] }
  if (data.length !== chosen.length) return `${data.length} vectors for ${chosen.length} texts`
  for (const [i, { embedding }] of data.entries()) {
    const wanted = own.wanted[representation]![chosen[i]!]!
    const seen = typeof embedding === 'string' ? floats(embedding) : embedding
    if (seen.length !== wanted.length || wanted.some((value, k) => value !== seen[k]))
      return `another vector of text ${chosen[i]}, ${representation}: ${String(seen.slice(0, 3))}`
    own.vectors++
  }
  return undefined
}

function floats(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64')
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i))
}

function headOf(length: number | 'chunked'): string {
  const framing = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  return `POST /v1/embeddings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`
}

/** Sends a right request and goes before, or while, it is answered. */
async function hangUp(own: Soaking): Promise<undefined> {
  const { body } = draft(own, 1 + Math.floor(own.draw() * 8))
  await held(own, [Buffer.from(headOf(body.length)), body], own.draw() * 200)
}

/** Sends a part of a request and holds the connection for a while. */
async function halfOpen(own: Soaking): Promise<undefined> {
  const bytes = Buffer.concat([Buffer.from(headOf(1000)), draft(own, 1).body])
  await held(own, [bytes.subarray(0, Math.floor(own.draw() * bytes.length))], 500 + own.draw() * 2000)
}

async function held({ port }: Soaking, pieces: readonly Buffer[], milliseconds: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  for (const piece of pieces) socket.write(piece)
  await pause(milliseconds)
  socket.destroy()
}

/** Twice the limit, with its length said or in pieces: 413, or a connection that the server closes first. */
async function oversized({ draw, port, maxBody }: Soaking): Promise<string | undefined> {
  const size = 2 * maxBody
  const filler = Buffer.alloc(size, 'x')
  const isChunked = draw() < 0.5
  const body = isChunked ? [Buffer.from(`${size.toString(16)}\r\n`), filler, Buffer.from('\r\n0\r\n\r\n')] : [filler]
  const pieces = [Buffer.from(headOf(isChunked ? 'chunked' : size)), ...body]
  const { statuses, end } = await exchange(port, pieces, { answers: 1, milliseconds: 60_000 })
  if (end === 'silent' || statuses.some((status) => status !== 413)) return `${end} ${statuses.join()}`
  return undefined
}

async function nonsense({ draw, port, schemas, names }: Soaking): Promise<string | undefined> {
  const own = malformed(draw, schemas, names)
  const answers = own.wanted.includes('none') ? 0 : own.wanted.length
  return complain(own, await exchange(port, own.pieces, { answers, milliseconds: 120_000 }))
}
