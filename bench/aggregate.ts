/**
 * What combining layers costs above encoding: all methods × 3 prices of similarity × 4 similarities on six tasks,
 * nothing cached, and of its time the seconds in which texts passed the model.
 *
 *   node bench/run.mjs aggregate [--rounds 1] [--tasks A,B] [--only MiniLM,pythia]
 */
import { join } from 'node:path'
import { contest, median, type Contestant, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { modelName, program, scratchFolder, shared, sharedHub } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'

const rounds = Number(flag('rounds', '1'))
const six = 'STSBenchmark,Banking77Classification,BIOSSES,SICK-R,TweetSentimentExtractionClassification,STS16'
const tasks = flag('tasks', six)
if (shared === undefined) throw new Error('needs data sets and models: STRATA_SHARED')
const models: Readonly<Record<string, string>> = {
  MiniLM: modelName,
  pythia: join(shared, 'models', 'nano-pythia', 'step1183'),
}
const facts = await machine()

const contestants = flag('only', Object.keys(models).join(','))
  .split(',')
  .map((name): Contestant => {
    const fresh = ['results', 'cache'].map((part) => join(scratchFolder('aggregate'), name, part))
    const [results = '', cache = ''] = fresh
    const model = models[name]
    if (model === undefined) throw new Error(`--only ${name}: one of ${Object.keys(models).join(', ')}`)
    return {
      name,
      command: process.execPath,
      args: [program, 'aggregate', model, '--tasks', tasks, '--results', results, '--cache-dir', cache].concat([
        '--similarity',
        'cka,rsa,cosine,jaccard',
        '--lambda',
        '0.2,0.5,0.8',
        '--json',
        '--quiet',
      ]),
      env: { HF_HUB_CACHE: sharedHub(), HF_HUB_OFFLINE: '1' },
      fresh,
    }
  })

const turns = await contest(contestants, rounds, (name, round, turn) =>
  console.log(`round ${round + 1}  ${name}: ${turn.wallSeconds.toFixed(1)} s`),
)
const programs = Object.entries(turns).map(([name, list]) => {
  const of = (read: (turn: Turn) => number): number => median(list.map(read))
  const [wallSeconds, encodeSeconds] = [of((turn) => turn.wallSeconds), of(secondsEncoding)]
  return {
    name,
    wallSeconds,
    encodeSeconds,
    userSeconds: of(({ userSeconds }) => userSeconds),
    systemSeconds: of(({ systemSeconds }) => systemSeconds),
    peakMiB: of(({ peakMiB }) => peakMiB),
    ratio: wallSeconds / encodeSeconds,
  }
})
console.log(
  `\n${table([
    ['model', 'wall s', 'of it encoding', 'times', 'CPU s', 'MiB'],
    ...programs.map((one) => [
      one.name,
      one.wallSeconds,
      one.encodeSeconds,
      one.ratio,
      one.userSeconds + one.systemSeconds,
      one.peakMiB,
    ]),
  ])}`,
)
writeResult('aggregate', { machine: facts, rounds, tasks, programs })

function secondsEncoding({ report }: Turn): number {
  return (report as { aggregate: { passed: { seconds: number } } }).aggregate.passed.seconds
}
