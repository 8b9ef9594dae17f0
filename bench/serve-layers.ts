/**
 * One request for all 25 states of a model of pythia-410m's shape, against one for its last state: the same texts, in
 * turn, from one server. A quotient of 1 would mean that layers cost nothing.
 *
 *   node bench/run.mjs serve-layers [--rounds 7] [--texts 32]
 */
import { median } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { madeCheckpoint, neoxShape, pythia410M } from './lib/made-shapes.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { residentMiB, serverOf } from './lib/server-process.ts'
import { layerVectors, openModel } from './lib/strata.ts'
import { readTexts } from './lib/texts.ts'

const rounds = Number(flag('rounds', '7'))
const facts = await machine()
const folder = madeCheckpoint('pythia-410m', neoxShape(pythia410M))
const texts = (Object.values(readTexts({ limit: Number(flag('texts', '32')) }))[0] ?? []).slice()

interface Answer {
  readonly data: readonly { readonly index: number; readonly layer?: number; readonly embedding: string | number[] }[]
}

const server = await serverOf([folder])
const ask = async (more: object): Promise<{ seconds: number; bytes: number; answer: Answer }> => {
  const started = performance.now()
  const response = await fetch(`${server.address}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: texts, ...more }),
  })
  const text = await response.text()
  const seconds = (performance.now() - started) / 1000
  if (response.status !== 200) throw new Error(text.slice(0, 500))
  return { seconds, bytes: text.length, answer: JSON.parse(text) as Answer }
}

const kinds = {
  'one state, base64': { encoding_format: 'base64' },
  'all states, base64': { encoding_format: 'base64', layers: 'all' },
  'one state, numbers': {},
  'all states, numbers': { layers: 'all' },
} as const
const rows: { name: string; seconds: number; all: number[]; bytes: number }[] = []
let answer: Answer = { data: [] }
try {
  // the graphs are made by the first requests
  for (const more of Object.values(kinds)) await ask(more)
  const turns = Object.entries(kinds).map(([name, more]) => ({ name, more, all: [] as number[], bytes: 0 }))
  for (let round = 0; round < rounds; round++)
    for (const turn of turns) {
      const seen = await ask(turn.more)
      turn.all.push(seen.seconds)
      turn.bytes = seen.bytes
      if (turn.name === 'all states, base64') ({ answer } = seen)
    }
  rows.push(...turns.map(({ name, all, bytes }) => ({ name, seconds: median(all), all, bytes })))
} finally {
  console.log('memory', residentMiB(server.child.pid))
  await server.stop()
}

const model = await openModel(folder)
const states = await layerVectors(model, texts)
await model.close()
let cosine = 1
for (const { index, layer, embedding } of answer.data) {
  const { data, width } = states[layer ?? -1] ?? { data: new Float32Array(), width: 0 }
  cosine = Math.min(cosine, cosineOf(floats(String(embedding)), data.subarray(index * width, (index + 1) * width)))
}
const secondsOf = (name: keyof typeof kinds): number => rows.find((row) => row.name === name)?.seconds ?? NaN
const quotients = {
  base64: secondsOf('all states, base64') / secondsOf('one state, base64'),
  numbers: secondsOf('all states, numbers') / secondsOf('one state, numbers'),
}
console.log(table([['request', 's', 'bytes'], ...rows.map(({ name, seconds, bytes }) => [name, seconds, bytes])]))
console.log({ quotients, vectors: answer.data.length, leastCosine: cosine })
writeResult('serve-layers', { machine: facts, texts: texts.length, rounds, rows, quotients, leastCosine: cosine })
if (answer.data.length !== 25 * texts.length || !(cosine >= 0.99999)) process.exitCode = 1

function floats(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64')
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i))
}

function cosineOf(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, i) => sum + value * (y[i] ?? NaN), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}
