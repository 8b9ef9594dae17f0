/**
 * What a state costs by its depth: `strata encode --layers hK` for every K, with all-MiniLM-L6-v2 and with a seeded BERT
 * of 24 layers, whole processes. A graph ends at the last state that is asked, so the seconds of the passes are a line;
 * the height at K = 0 is the start of the program, the tokenizer and the lookup.
 * The picture in docs/speed.md is drawn from the result.
 *
 *   node bench/run.mjs low-states [--rounds 3] [--texts 1000] [--models minilm,deep]
 */
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { type Contestant, contest, median } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { bertShape, madeCheckpoint } from './lib/made-shapes.ts'
import { model as carriedModel, program, scratchFolder } from './lib/places.ts'
import { machine, readResult, table, writeResult } from './lib/report.ts'
import { utterances } from './lib/texts.ts'

interface Curve {
  readonly model: string
  readonly texts: number
  /** Seconds of a whole process by state; `x` is K of hK. */
  readonly points: readonly { x: number; seconds: number; all: readonly number[] }[]
}

const rounds = Number(flag('rounds', '3'))
const count = Number(flag('texts', '1000'))
const wanted = flag('models', 'minilm,deep').split(',')
const facts = await machine()
const input = join(scratchFolder('low-states'), 'texts.txt')
writeFileSync(input, utterances(count, ['en-US']).join('\n') + '\n')

const curves: Curve[] = []
if (wanted.includes('minilm')) curves.push(await curve('all-MiniLM-L6-v2', carriedModel, 6))
if (wanted.includes('deep')) {
  const folder = madeCheckpoint('bert-24x384', bertShape({ width: 384, layers: 24 }))
  curves.push(await curve('seeded BERT, 24 × 384', folder, 24))
}
const names = curves.map(({ model }) => model)
const before = (readResult<{ curves: Curve[] }>('low-states')?.curves ?? []).filter(
  ({ model }) => !names.includes(model),
)
writeResult('low-states', { machine: facts, loadAfter: loadavg()[0], curves: [...before, ...curves] })

async function curve(name: string, folder: string, layers: number): Promise<Curve> {
  const states = Array.from({ length: layers + 1 }, (_, k) => k)
  const turns = await contest(
    states.map((k) => encode(folder, k)),
    rounds,
    (state, round, turn) => {
      console.log(`round ${round + 1}  ${state}: ${turn.wallSeconds.toFixed(2)} s`)
    },
  )
  const points = states.map((k) => {
    const all = (turns[`h${k}`] ?? []).map(({ wallSeconds }) => wallSeconds)
    return { x: k, seconds: median(all), all }
  })
  console.log(`${name}\n${table([['', 's'], ...points.map(({ x, seconds }) => [`h${x}`, seconds])])}\n`)
  return { model: name, texts: count, points }
}

function encode(folder: string, k: number): Contestant {
  const [out, cache] = ['vectors.safetensors', 'cache'].map((name) => join(scratchFolder('low-states'), name))
  return {
    name: `h${k}`,
    command: process.execPath,
    args: [
      program,
      'encode',
      folder,
      input,
      '--layers',
      `h${k}`,
      '--out',
      out ?? '',
      '--cache-dir',
      cache ?? '',
      '--quiet',
    ],
    fresh: [out ?? '', cache ?? ''],
  }
}
