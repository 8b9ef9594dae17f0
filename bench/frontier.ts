/**
 * What sizes and types cost: five tasks at every layer, and the same five at 22 representations × 5 sizes × 5 types,
 * chosen on validation rows.
 *
 *   node bench/run.mjs frontier [--rounds 1] [--tasks A,B]
 *
 * Whole processes of the program, with nothing cached, results written. The frontier encodes the validation rows as
 * well, and three poolings of every state instead of one.
 */
import { join } from 'node:path'
import { contest, median, type Contestant, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { modelName, program, scratchFolder, sharedHub } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'

const rounds = Number(flag('rounds', '1'))
const tasks = flag('tasks', 'STSBenchmark,SICK-R,STS15,EmotionClassification,SciFact')
const axes = [
  ['--pooling', 'mean,cls,max'],
  ['--dims', '32,64,128,256,384'],
  ['--types', 'float32,float16,int8,uint8,binary'],
].flat()
const quiet = ['--json', '--quiet']
const facts = await machine()

const strata = (command: string, more: readonly string[]): Contestant => {
  const fresh = ['results', 'cache'].map((name) => join(scratchFolder('frontier'), command, name))
  const [results = '', cache = ''] = fresh
  return {
    name: `strata ${command}`,
    command: process.execPath,
    args: [program, command, modelName, '--tasks', tasks, '--results', results, '--cache-dir', cache, ...more],
    env: { HF_HUB_CACHE: sharedHub(), HF_HUB_OFFLINE: '1' },
    fresh,
  }
}

const turns = await contest(
  [strata('layers', quiet), strata('frontier', [...axes, ...quiet])],
  rounds,
  (name, round, turn) => console.log(`round ${round + 1}  ${name}: ${turn.wallSeconds.toFixed(1)} s`),
)
const programs = Object.entries(turns).map(([name, list]) => ({
  name,
  wallSeconds: median(list.map(({ wallSeconds }) => wallSeconds)),
  userSeconds: median(list.map(({ userSeconds }) => userSeconds)),
  peakMiB: median(list.map(({ peakMiB }) => peakMiB)),
  allWallSeconds: list.map(({ wallSeconds }) => wallSeconds),
}))
const [layers, frontier] = programs.map(({ wallSeconds }) => wallSeconds)
const ratio = (frontier ?? NaN) / (layers ?? NaN)
const points = pointsOf(turns['strata frontier'] ?? [])
console.log(
  `\n${table([
    ['program', 'wall s', 'CPU s', 'MiB'],
    ...programs.map((one) => [one.name, one.wallSeconds, one.userSeconds, one.peakMiB]),
  ])}\n\n${points} points cost ${ratio.toFixed(2)}× an evaluation of all layers`,
)
writeResult('frontier', { machine: facts, rounds, tasks, points, programs, ratio })

function pointsOf([turn]: readonly Turn[]): number {
  const { points: list = [] } = (turn?.report ?? {}) as { points?: readonly unknown[] }
  return list.length
}
