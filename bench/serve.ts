/**
 * All-MiniLM-L6-v2 in float32 behind Strata, behind infinity-emb and behind sentence-transformers with FastAPI: one text
 * a request over connections that are kept, 1, 8 and 64 clients, sentences of STSBenchmark and documents of 200 tokens and
 * more. One server at a time; the client runs on the same machine.
 *
 *   node bench/run.mjs serve [--seconds 10] [--only strata] [--clients 1,8,64] [--python PATH] [--infinity PATH]
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { processorSeconds } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { model as folder, peers, python as usualPython, scratch } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { residentMiB, serverOf } from './lib/server-process.ts'
import { readTexts } from './lib/texts.ts'

const seconds = Number(flag('seconds', '10'))
const counts = flag('clients', '1,8,64').split(',').map(Number)
const python = flag('python', usualPython)
const infinity = flag('infinity', join(scratch, 'infinity', 'bin', 'infinity_emb'))
const only = flag('only', 'strata,infinity-emb,sentence-transformers').split(',')
const facts = await machine()
const sets = Object.values(readTexts({ limit: 2000, documents: 4000 }))
/** Some 200 tokens of English. */
const longest = (sets.at(-1) ?? []).filter((text) => text.length > 1100)
const texts = { short: sets[0] ?? [], long: longest }

interface Running {
  readonly port: number
  readonly pid: number | undefined
  readonly path: string
  readonly stop: () => Promise<void>
}

const servers: Readonly<Record<string, () => Promise<Running>>> = {
  async strata() {
    const server = await serverOf([folder])
    const port = Number(new URL(server.address).port)
    return { port, pid: server.child.pid, path: '/v1/embeddings', stop: () => server.stop() }
  },
  async 'infinity-emb'() {
    const port = await freePort()
    const words = ['v2', '--model-id', folder, '--device', 'cpu', '--dtype', 'float32', '--engine', 'torch']
    const more = ['--host', '127.0.0.1', '--port', String(port), '--served-model-name', 'model', '--log-level', 'error']
    return started(infinity, [...words, ...more], port, '/embeddings')
  },
  async 'sentence-transformers'() {
    const port = await freePort()
    const words = [join(peers, 'python', 'serve_st.py'), '--model', folder, '--port', String(port)]
    return started(python, words, port, '/v1/embeddings')
  },
}

interface Case {
  readonly server: string
  readonly texts: string
  readonly clients: number
  readonly textsPerSecond: number
  readonly p50: number
  readonly p99: number
  /** The server's processor time for one text, user and system. */
  readonly cpuMilliseconds: number
  readonly peakMiB: number
}

const cases: Case[] = []
const samples: Record<string, number[][]> = {}
for (const [name, start] of Object.entries(servers)) {
  if (!only.includes(name)) continue
  const server = await start()
  try {
    samples[name] = []
    for (const text of [...texts.short.slice(0, 4), ...texts.long.slice(0, 4)])
      samples[name].push(await vectorOf(server, text))
    for (const [kind, list] of Object.entries(texts))
      for (const clients of counts) {
        const own = { server: name, texts: kind, ...(await load(server, list, clients)) }
        cases.push(own)
        console.log(`${name}, ${kind}, ${clients} clients: ${own.textsPerSecond.toFixed(1)} texts/s`)
      }
  } finally {
    await server.stop()
  }
}
const first = Object.values(samples)[0] ?? []
const cosines = Object.fromEntries(
  Object.entries(samples).map(([name, list]) => [name, Math.min(...list.map((one, i) => cosine(one, first[i] ?? [])))]),
)
console.log(
  table([
    ['server', 'texts', 'clients', 'texts/s', 'p50 ms', 'p99 ms', 'CPU ms', 'peak MiB'],
    ...cases.map(({ server, texts: kind, clients, textsPerSecond, p50, p99, cpuMilliseconds, peakMiB }) => [
      server,
      kind,
      clients,
      textsPerSecond,
      p50,
      p99,
      cpuMilliseconds,
      peakMiB,
    ]),
  ]),
)
const goals = ['short', 'long'].flatMap((kind) => {
  const at64 = cases.filter((one) => one.texts === kind && one.clients === 64)
  const own = at64.find(({ server }) => server === 'strata')
  const [fastest] = at64.filter((one) => one !== own).sort((a, b) => b.textsPerSecond - a.textsPerSecond)
  if (own === undefined || fastest === undefined) return []
  return [
    {
      texts: kind,
      fastest: fastest.server,
      speed: own.textsPerSecond / fastest.textsPerSecond,
      p99: own.p99 / fastest.p99,
      memory: own.peakMiB / Math.min(...at64.filter((one) => one !== own).map(({ peakMiB }) => peakMiB)),
    },
  ]
})
console.log({ cosines, goals })
if (only.length > 1) writeResult('serve', { machine: facts, secondsEach: seconds, cases, cosines, goals })

/** Each client asks again as soon as it is answered; the first fifth of the time is not counted. */
async function load(
  server: Running,
  list: readonly string[],
  clients: number,
): Promise<Omit<Case, 'server' | 'texts'>> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const times: number[] = []
  let next = 0
  const begin = performance.now() + (seconds * 1000) / 5
  const end = performance.now() + seconds * 1000
  let spent = 0
  const warm = pause((seconds * 1000) / 5).then(() => (spent = spentSeconds(server)))
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        const text = list[next++ % list.length] ?? ''
        const asked = performance.now()
        await post(server, text, agent)
        if (asked >= begin) times.push(performance.now() - asked)
      }
    }),
  )
  await warm
  const wall = (performance.now() - begin) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const quantile = (part: number): number => times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? NaN
  return {
    clients,
    textsPerSecond: times.length / wall,
    p50: quantile(0.5),
    p99: quantile(0.99),
    cpuMilliseconds: (1000 * (spentSeconds(server) - spent)) / times.length,
    peakMiB: residentMiB(server.pid).peak,
  }
}

function post({ port, path }: Running, text: string, agent?: Agent): Promise<string> {
  const body = JSON.stringify({ model: path === '/embeddings' ? 'model' : basename(), input: [text] })
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const options = {
      port,
      path,
      host: '127.0.0.1',
      method: 'POST',
      headers,
      ...(agent === undefined ? {} : { agent }),
    }
    const asked = httpRequest(options, (response) => {
      const seen: Buffer[] = []
      response.on('data', (piece: Buffer) => seen.push(piece))
      response.on('end', () => {
        const answer = Buffer.concat(seen).toString()
        if (response.statusCode === 200) resolve(answer)
        else reject(new Error(`${response.statusCode} ${answer.slice(0, 300)}`))
      })
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** The name of the model where a server asks for it. */
function basename(): string {
  return folder.split('/').at(-1) ?? ''
}

async function vectorOf(server: Running, text: string): Promise<number[]> {
  const { data } = JSON.parse(await post(server, text)) as { data: [{ embedding: number[] }] }
  return data[0].embedding
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A server of another program, once it answers. */
async function started(command: string, args: readonly string[], port: number, path: string): Promise<Running> {
  if (!existsSync(command)) throw new Error(`${command} is not there: bench/README.md says how to install it`)
  const env = { ...process.env, HF_HUB_OFFLINE: '1', DO_NOT_TRACK: '1' }
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const errors: string[] = []
  child.stderr.setEncoding('utf8').on('data', (piece: string) => errors.push(piece))
  const running = {
    port,
    pid: child.pid,
    path,
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${errors.join('').slice(-2000)}`)
    if (
      await post(running, 'hello').then(
        () => true,
        () => false,
      )
    )
      return running
    await pause(500)
  }
}

function spentSeconds({ pid = 0 }: Running): number {
  const [user, system] = processorSeconds(pid) ?? [NaN, NaN]
  return user + system
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? NaN), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}
