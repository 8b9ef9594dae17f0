/**
 * How fast static tables encode: Strata and model2vec on the same tables and texts, whole processes in turn, each set in
 * one call, several times in one process; and the encoder that one of the tables was distilled from.
 *
 *   node bench/run.mjs static [--rounds 3] [--passes 7] [--limit 3000 texts per set] [--documents 500]
 *   [--python PATH]
 *
 * The first pass of a process is reported apart: Strata keeps the tokens of words that it has seen. `--python` has
 * model2vec 0.10.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Contestant, contest, median, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { cosine } from './lib/peer-encoders.ts'
import { model, peers, program, python, scratchFolder, shared } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { readTexts, writeTexts } from './lib/texts.ts'

const rounds = Number(flag('rounds', '3'))
const passes = flag('passes', '7')
const facts = await machine()
const sets = readTexts({ limit: Number(flag('limit', '3000')), documents: Number(flag('documents', '500')) })
const texts = writeTexts(sets)

/** Made once; made again by removing the folder. */
function distilled(): string {
  const folder = join(scratchFolder('static'), 'distilled')
  const arguments_ = ['distill', model, '--out', folder, '--quiet']
  if (!existsSync(folder) && spawnSync(process.execPath, [program, ...arguments_], { stdio: 'inherit' }).status !== 0)
    throw new Error('strata distill failed')
  return folder
}
const carriedTables = ['potion-base-4M-int8', 'glove-6B-100d-30k']
const tables = [
  ...(shared === undefined ? [] : carriedTables.map((name) => ({ name, folder: join(shared ?? '', 'models', name) }))),
  { name: 'all-MiniLM-L6-v2 distilled, float16', folder: distilled() },
]

interface Passes {
  readonly seconds: readonly number[]
  readonly cpuSeconds: readonly number[]
}
const passesOf = ({ report }: Turn, set: string): Passes =>
  (report['sets'] as Record<string, Passes>)[set] ?? { seconds: [], cpuSeconds: [] }

/** Medians of the turns: of the first pass, and of the median of all later ones. */
function rates(turns: readonly Turn[], set: string, count: number) {
  const over = (value: (passes: Passes) => number): number => median(turns.map((turn) => value(passesOf(turn, set))))
  return {
    first: count / over(({ seconds }) => seconds[0] ?? NaN),
    later: count / over(({ seconds }) => median(seconds.slice(1))),
    perCpuSecond: count / over(({ cpuSeconds }) => median(cpuSeconds.slice(1))),
  }
}

/** Smallest cosine between the first vectors of two turns. */
function agreement([mine, theirs]: readonly (Turn | undefined)[]): number {
  const vectors = (turn: Turn | undefined): number[][] =>
    Object.values((turn?.report['samples'] ?? {}) as Record<string, number[][]>).flat()
  return Math.min(...vectors(mine).map((vector, i) => cosine(vector, vectors(theirs)[i] ?? [])))
}

const strataTurn = (folder: string, file = texts, count = passes): Contestant => ({
  name: 'strata',
  command: process.execPath,
  args: [join(import.meta.dirname, 'strata-static.js'), '--model', folder, '--texts', file, '--passes', count],
})
const model2vecTurn = (folder: string): Contestant => ({
  name: 'model2vec',
  command: flag('python', python),
  args: [join(peers, 'python', 'static.py'), '--model', folder, '--texts', texts, '--passes', passes],
})

const measured = []
for (const { name, folder } of tables) {
  const turns = await contest([strataTurn(folder), model2vecTurn(folder)], rounds, (program, round, turn) =>
    console.log(`${name}, round ${round + 1}, ${program}: ${turn.wallSeconds.toFixed(1)} s`),
  )
  const [own = [], theirs = []] = [turns['strata'], turns['model2vec']]
  measured.push({
    table: name,
    cosine: agreement([own[0], theirs[0]]),
    loadSeconds: [own, theirs].map((list) => median(list.map(({ report }) => report['loadSeconds'] as number))),
    peakMiB: [own, theirs].map((list) => median(list.map(({ peakMiB }) => peakMiB))),
    sets: Object.entries(sets).map(([set, list]) => ({
      set,
      texts: list.length,
      strata: rates(own, set, list.length),
      model2vec: rates(theirs, set, list.length),
    })),
  })
}

/** The encoder takes a share of the texts, once: seconds, not milliseconds. */
const some = readTexts({ limit: 64 })
const encoderTurns = await contest([strataTurn(model, writeTexts(some), '2')], 1, (_, __, turn) =>
  console.log(`all-MiniLM-L6-v2 itself: ${turn.wallSeconds.toFixed(1)} s`),
)
const encoder = {
  peakMiB: encoderTurns['strata']?.[0]?.peakMiB,
  sets: Object.entries(some).map(([set, list]) => ({
    set,
    texts: list.length,
    ...rates(encoderTurns['strata'] ?? [], set, list.length),
  })),
}

console.log(
  `\n${table([
    [
      'table',
      'texts',
      'strata texts/s',
      'first',
      'model2vec texts/s',
      'first',
      'ratio',
      'ratio first',
      'ratio per CPU s',
      'MiB',
      'MiB m2v',
    ],
    ...measured.flatMap(({ table: name, peakMiB, sets: list }) =>
      list.map(({ set, strata, model2vec }) => [
        name,
        set,
        strata.later,
        strata.first,
        model2vec.later,
        model2vec.first,
        strata.later / model2vec.later,
        strata.first / model2vec.first,
        strata.perCpuSecond / model2vec.perCpuSecond,
        peakMiB[0] ?? NaN,
        peakMiB[1] ?? NaN,
      ]),
    ),
    ...encoder.sets.map(({ set, later, first }) => ['all-MiniLM-L6-v2', set, later, first]),
  ])}`,
)
console.log(`smallest cosine to model2vec: ${Math.min(...measured.map(({ cosine: one }) => one))}`)
writeResult('static', { machine: facts, rounds, passes: Number(passes), tables: measured, encoder })
