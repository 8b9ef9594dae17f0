/**
 * What each type costs in score: the same tasks with every type that an engine has here, with their differences to float32.
 *
 *   node bench/run.mjs precision [--tasks A,B] [--models NAME=FOLDER,…] [--hub FOLDER]
 *
 * Not a bench of speed: each model and type is one run of `strata evaluate`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { flag } from './lib/flags.ts'
import { carried, model as carriedModel, program, scratchFolder, shared, sharedHub } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { engineStates, typesOf } from './lib/strata.ts'

const tasks = flag('tasks', 'STSBenchmark,STS16,SICK-R,BIOSSES,Banking77Classification,EmotionClassification,SciFact')
const hub = flag('hub', shared === undefined ? carried : sharedHub())
const beside =
  shared === undefined
    ? []
    : ([
        ['nano-pythia (decoder)', join(shared, 'models', 'nano-pythia', 'step1183')],
        ['potion-base-4M (static)', join(shared, 'models', 'potion-base-4M-int8')],
      ] as const)
const models =
  flag('models', '') === ''
    ? [['all-MiniLM-L6-v2', carriedModel] as const, ...beside]
    : flag('models', '')
        .split(',')
        .map((pair) => pair.split('=', 2) as [string, string])
const [facts, states] = [await machine(), await engineStates()]
const ways = states.flatMap((state) => typesOf(state).map((type) => ({ engine: state.name, type })))

interface Scored {
  readonly task_name: string
  readonly main_score: number
}

const rows: {
  model: string
  engine: string
  type: string
  /** Undefined: refused. */ scores: Record<string, number> | undefined
}[] = []
for (const [name, folder] of models) {
  if (!existsSync(folder)) throw new Error(`no folder ${folder}`)
  for (const { engine, type } of ways) {
    console.log(`${name}, ${engine} ${type}`)
    rows.push({ model: name, engine, type, scores: scoresOf(folder, engine, type) })
  }
}

for (const [name] of models) {
  const own = rows.filter(({ model }) => model === name)
  const reference = own.find(({ engine, type }) => engine === 'onnxruntime' && type === 'float32')?.scores ?? {}
  console.log(`\n${name}`)
  console.log(
    table([
      ['task', ...own.map(({ engine, type }) => `${engine} ${type}`)],
      ...Object.entries(reference).map(([task, score]) => [
        task,
        ...own.map(({ scores }, i) =>
          i === 0
            ? (100 * score).toFixed(2)
            : scores === undefined
              ? 'refused'
              : signed(100 * ((scores[task] ?? NaN) - score)),
        ),
      ]),
    ]),
  )
}
writeResult('precision', { machine: facts, tasks: tasks.split(','), rows })

function scoresOf(folder: string, engine: string, type: string): Record<string, number> | undefined {
  const work = scratchFolder('precision')
  rmSync(work, { recursive: true, force: true })
  const run = spawnSync(
    process.execPath,
    [
      program,
      'evaluate',
      folder,
      '--tasks',
      tasks,
      '--engine',
      engine,
      '--dtype',
      type,
      '--json',
      '--quiet',
      '--results',
      join(work, 'results'),
      '--cache-dir',
      join(work, 'cache'),
    ],
    { encoding: 'utf8', env: { ...process.env, HF_HUB_CACHE: hub, HF_HUB_OFFLINE: '1' }, maxBuffer: 2 ** 28 },
  )
  if (run.status === 2 && /usage\.conflict|engine\.device/.test(run.stderr)) return undefined
  if (run.status !== 0) throw new Error(run.stderr)
  const documents = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { task_name: string; scores: Record<string, readonly Scored[]> })
  return Object.fromEntries(
    documents.map(({ task_name, scores }) => [
      task_name,
      mean(
        Object.values(scores)
          .flat()
          .map(({ main_score }) => main_score),
      ),
    ]),
  )
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function signed(x: number): string {
  return `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(2)}`
}
