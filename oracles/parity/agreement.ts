/**
 * The same vectors given to Strata and to the Python package mteb: every sub-score of every protocol compared.
 *
 *   node bench/run.mjs agreement [--tasks A,B] [--models potion,minilm] [--python FILE] [--sklearn FOLDER] [--hub
 *   FOLDER] [--add 1]
 *
 * Strata lists the texts the tasks ask (`tasks --texts`), embeds them once (`encode`), and scores the matrix (`evaluate
 * --vectors`); mteb scores the same file.
 * Both sides are rounded to 6 decimals, as result files are. Data sets: `--hub`, a cache in the hub's layout
 * ($STRATA_SHARED/make-hf-cache lays one out), and made-up rows for protocols of which it has none. `--add 1` keeps
 * what the last run found about other tasks.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flag } from '../../bench/lib/flags.ts'
import { type Difference, differences } from '../../bench/lib/differences.ts'
import { madeRows, snapshotOf, writeCache } from '../../bench/lib/made-data.ts'
import {
  model as minilm,
  parityResults,
  peers,
  program,
  python,
  root,
  scratchFolder,
  shared,
} from '../../bench/lib/places.ts'
import { table, writeResult } from '../../bench/lib/report.ts'
import { readTexts } from '../../bench/lib/texts.ts'

interface Row {
  type: string
  protocol: string
  dataset: { path: string; revision: string }
  splits: string[]
  subsets: Record<string, string> | string[]
}

if (shared === undefined) throw new Error('needs the shared data: STRATA_SHARED')
const models: Readonly<Record<string, string>> = { potion: join(shared, 'models', 'potion-base-4M-int8'), minilm }
/** Subsets of tasks that have many. */
const subsets: Readonly<Record<string, readonly string[]>> = {
  AmazonCounterfactualClassification: ['en', 'de'],
  MassiveIntentClassification: ['en'],
  SIB200Classification: ['eng_Latn', 'deu_Latn'],
  SIB200ClusteringS2S: ['eng_Latn', 'deu_Latn'],
  MasakhaNEWSClusteringS2S: ['eng', 'fra'],
  XQuADRetrieval: ['en', 'de'],
  STS17: ['en-en', 'es-es', 'en-ar'],
}
const made = madeRows(Object.values(readTexts({ limit: 2000 })).flat())
const standard = [
  'STS12',
  'STSBenchmark',
  'SICK-R',
  'STS17',
  'Banking77Classification',
  'EmotionClassification',
  'AmazonCounterfactualClassification',
  'SIB200Classification',
  'SciFact',
  'XQuADRetrieval',
  'indonli',
  'KLUE-NLI',
  'MasakhaNEWSClusteringS2S',
  'SIB200ClusteringS2S',
  ...Object.keys(made),
]

const registry = (
  JSON.parse(readFileSync(join(root, 'src', 'task', 'registry', 'registry.json'), 'utf8')) as {
    tasks: Record<string, Row>
  }
).tasks
const work = scratchFolder('agreement')
const hub = flag('hub', join(scratchFolder('hf-shared'), 'hub'))
if (!existsSync(hub)) run('python3', [join(shared, 'make-hf-cache'), join(hub, '..')], join(work, 'make-hf-cache.txt'))
const known = (name: string): Row => {
  const row = registry[name]
  if (row === undefined) throw new Error(`no task ${name}`)
  return row
}
rmSync(join(work, 'cache'), { recursive: true, force: true })
const home = writeCache(
  join(work, 'cache'),
  hub,
  Object.entries(made).map(([name, rows]) => [known(name).dataset, rows] as const),
)
const env = { ...process.env, HF_HOME: home, HF_HUB_OFFLINE: '1' }

const asked = flag('tasks', standard.join(',')).split(',')
run(process.execPath, [program, 'tasks', ...asked, '--runnable', '--json'], join(work, 'runnable.jsonl'))
const runnable = new Set(
  readFileSync(join(work, 'runnable.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { name: string }).name),
)
const tasks = asked
  .filter((name) => runnable.has(name))
  .map((name) => {
    const { type, protocol, dataset, splits, subsets: all } = known(name)
    const names = Array.isArray(all) ? all : Object.keys(all)
    return {
      name,
      type,
      protocol,
      splits,
      path: snapshotOf(home, dataset),
      subsets: subsets[name] ?? (names.length === 1 && names[0] === 'default' ? null : names),
      made: name in made,
    }
  })
const chosen = [...new Set(['default', ...tasks.flatMap((task) => task.subsets ?? [])])].join(',')

interface Line extends Difference {
  model: string
  task: string
  protocol: string
  type: string
  made: boolean
}
interface Problem {
  model: string
  task: string
  side: 'strata' | 'mteb'
  reason: string
}
const last =
  flag('add', '0') === '1'
    ? (JSON.parse(readFileSync(join(parityResults, 'agreement.json'), 'utf8')) as {
        tasks: Line[]
        problems: Problem[]
      })
    : { tasks: [], problems: [] }
const lines = last.tasks.filter(({ task }) => !asked.includes(task))
const problems = last.problems.filter(({ task }) => !asked.includes(task))
for (const task of asked)
  if (!runnable.has(task)) problems.push({ model: '', task, side: 'strata', reason: 'cannot be run' })
let versions: unknown
for (const name of flag('models', Object.keys(models).join(',')).split(',')) {
  const folder = join(work, `${name}-${asked.length === 1 ? asked[0] : asked.length}`)
  mkdirSync(folder, { recursive: true })
  const [texts, vectors, ours, theirs] = ['texts.jsonl', 'vectors.npy', 'strata.jsonl', 'mteb.json'].map((file) =>
    join(folder, file),
  ) as [string, string, string, string]
  const asking = [...tasks.map((task) => task.name), '--subsets', chosen]
  run(process.execPath, [program, 'tasks', ...asking, '--texts'], texts, [0, 1])
  run(
    process.execPath,
    [program, 'encode', models[name] ?? name, texts, '--out', vectors, '--cache-dir', join(work, 'vectors'), '--json'],
    join(folder, 'encode.json'),
  )
  rmSync(join(folder, 'results'), { recursive: true, force: true })
  run(
    process.execPath,
    [
      program,
      'evaluate',
      '--vectors',
      vectors,
      '--texts',
      texts,
      '--tasks',
      tasks.map((task) => task.name).join(','),
      '--subsets',
      chosen,
      '--results',
      join(folder, 'results'),
      '--json',
    ],
    ours,
    [0, 1],
  )
  writeFileSync(join(folder, 'tasks.json'), JSON.stringify(tasks))
  const sklearn = flag('sklearn', join(root, 'bench', '.scratch', 'sklearn-1.8'))
  run(
    flag('python', python),
    [
      join(peers, 'python', 'evaluate_vectors.py'),
      '--vectors',
      vectors,
      '--texts',
      texts,
      '--tasks',
      join(folder, 'tasks.json'),
    ],
    theirs,
    [0],
    existsSync(sklearn) ? { PYTHONPATH: sklearn } : {},
  )
  const reference = JSON.parse(readFileSync(theirs, 'utf8')) as {
    versions: unknown
    tasks: Record<string, { scores?: Record<string, Record<string, unknown>>; error?: string }>
  }
  versions = reference.versions
  const scores = new Map(
    readFileSync(ours, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"'))
      .map(
        (line) =>
          JSON.parse(line) as {
            task_name: string
            scores?: Record<string, Record<string, unknown>[]>
            strata?: { status: string; reason?: string }
          },
      )
      .map((result) => [result.task_name, result]),
  )
  for (const task of tasks) {
    const [own, other] = [scores.get(task.name), reference.tasks[task.name]]
    if (own?.strata?.status !== 'ok')
      problems.push({ model: name, task: task.name, side: 'strata', reason: own?.strata?.reason ?? 'no result' })
    if (other?.scores === undefined)
      problems.push({ model: name, task: task.name, side: 'mteb', reason: other?.error ?? 'no result' })
    if (own?.scores === undefined || other?.scores === undefined) continue
    lines.push({
      model: name,
      task: task.name,
      protocol: task.protocol,
      type: task.type,
      made: task.made,
      ...differences(own.scores, other.scores),
    })
  }
}

const types = [...new Set(lines.map(({ type, protocol }) => `${type} ${protocol}`))].map((key) => {
  const own = lines.filter(({ type, protocol }) => `${type} ${protocol}` === key)
  const worst = own.reduce((a, b) => (b.worst > a.worst ? b : a))
  return {
    type: own[0]?.type ?? '',
    protocol: own[0]?.protocol ?? '',
    tasks: [...new Set(own.map(({ task, made: up }) => `${task}${up ? ' (made-up rows)' : ''}`))],
    compared: own.reduce((sum, { compared }) => sum + compared, 0),
    equal: own.reduce((sum, { equal }) => sum + equal, 0),
    worst: worst.worst,
    where: worst.where === '' ? '' : `${worst.model} ${worst.task} ${worst.where}`,
    absent: [...new Set(own.flatMap(({ absent }) => absent))],
    extra: [...new Set(own.flatMap(({ extra }) => extra))],
  }
})
console.log(
  table([
    ['type', 'tasks', 'compared', 'equal', 'worst', 'where'],
    ...types.map(({ type, tasks: own, compared, equal, worst, where }) => [
      type,
      own.length,
      compared,
      equal,
      worst,
      where,
    ]),
  ]),
)
for (const { type, absent, extra } of types)
  if (absent.length + extra.length > 0)
    console.log(`${type}: not written by strata ${absent.join(', ') || '–'}; not by mteb ${extra.join(', ') || '–'}`)
for (const { model, task, side, reason } of problems) console.log(`${model} ${task}: ${side} has no scores – ${reason}`)
writeResult('agreement', { versions, types, tasks: lines, problems }, { folder: parityResults })

/** Runs a program with its output in a file; throws with the end of its errors. */
function run(
  command: string,
  args: readonly string[],
  out: string,
  allowed: readonly number[] = [0],
  more: Record<string, string> = {},
): void {
  const { status, stderr } = spawnSync(command, args, {
    env: { ...env, ...more },
    stdio: ['ignore', openSync(out, 'w'), 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  writeFileSync(`${out}.log`, stderr)
  if (!allowed.includes(status ?? -1))
    throw new Error(`${command} ${args.slice(0, 3).join(' ')} ended with ${status}:\n${stderr.slice(-2000)}`)
}
