/**
 * What a user waits for: MTEB tasks with all-MiniLM-L6-v2 as whole processes, Strata against the Python package mteb on
 * the same files.
 *
 *   node bench/run.mjs evaluate [--rounds 1] [--tasks A,B] [--programs strata,mteb,strata-int8,strata-bfloat16] [--hub
 *   FOLDER] [--sklearn FOLDER]
 *
 * cold   nothing is there: no vectors, no results, no data sets made ready warm   results are gone; vectors are kept –
 * Strata's layer cache, mteb's CachedEmbeddingWrapper, both filled by the cold turn again  results are kept too
 *
 * Both compute in float32 with their own defaults for everything else, and keep the vectors of the last state;
 * `strata-int8` and, with OpenVINO on a processor that has it,
 * `strata-bfloat16` are Strata in other types.
 * `--sklearn` puts another scikit-learn in front of the installed one: logistic regression, and with it the scores of
 * classification, depend on its version.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contestant, median, runOnce, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { modelName, peers, program, python, scratchFolder, shared, sharedHub } from './lib/places.ts'
import { machine, readResult, table, writeResult } from './lib/report.ts'

const eight =
  'STSBenchmark,STS12,STS13,SICK-R,Banking77Classification,EmotionClassification,TweetSentimentExtractionClassification,SciFact'
const rounds = Number(flag('rounds', '1'))
const tasks = flag('tasks', eight).split(',')
const programs = flag('programs', 'strata,mteb').split(',')
const facts = await machine()
const hub = flag('hub', shared === undefined ? '' : sharedHub())
if (hub === '') throw new Error('needs the data sets: STRATA_SHARED, or --hub with a cache in the layout of the hub')

const work = scratchFolder('evaluate')
const place = (name: string, part: string): string => join(work, name, part)
const offline = { HF_HUB_CACHE: hub, HF_HUB_OFFLINE: '1' }
const sklearn = flag('sklearn', '')
type Run = Omit<Contestant, 'name' | 'fresh'>
const strata = (name: string, ...flags: readonly string[]): Run => ({
  command: process.execPath,
  args: [
    program,
    'evaluate',
    modelName,
    `--tasks=${tasks.join(',')}`,
    '--json',
    '--quiet',
    `--results=${place(name, 'results')}`,
    `--cache-dir=${place(name, 'cache')}`,
    ...flags,
  ],
  env: offline,
})
const runs: Readonly<Record<string, Run>> = {
  strata: strata('strata'),
  'strata-int8': strata('strata-int8', '--dtype', 'int8'),
  'strata-bfloat16': strata('strata-bfloat16', '--engine', 'openvino', '--dtype', 'bfloat16'),
  mteb: {
    command: python,
    args: [
      join(peers, 'python', 'evaluate_tasks.py'),
      '--model',
      modelName,
      '--tasks',
      tasks.join(','),
      '--hub',
      hub,
      '--results',
      place('mteb', 'results'),
      '--vectors',
      place('mteb', 'cache'),
    ],
    env: { ...offline, HF_DATASETS_CACHE: place('mteb', 'cache'), ...(sklearn === '' ? {} : { PYTHONPATH: sklearn }) },
  },
}
const removed = { cold: ['cache', 'results'], warm: ['results'], again: [] } as const
type Stage = keyof typeof removed

interface Line {
  program: string
  stage: Stage
  turns: Turn[]
}
interface TaskScore {
  mainScore: number
  /** As the program itself wrote it. */
  seconds: number
}
const lines: Line[] = programs.flatMap((name) =>
  (Object.keys(removed) as Stage[]).map((stage): Line => ({ program: name, stage, turns: [] })),
)
const scores: Record<string, Record<string, TaskScore>> = {}
const versions: Record<string, unknown> = {}
for (let round = 0; round < rounds; round++) {
  for (const { program: name, stage, turns } of lines) {
    const run = runs[name]
    if (run === undefined) throw new Error(`no program ${name}; there are ${Object.keys(runs).join(', ')}`)
    const turn = await runOnce({
      ...run,
      name: `${name} ${stage}`,
      fresh: removed[stage].map((part) => place(name, part)),
    })
    turns.push(turn)
    console.log(`round ${round + 1}  ${name} ${stage}: ${turn.wallSeconds.toFixed(1)} s`)
    const found = readScores(place(name, 'results'))
    for (const task of tasks) {
      const [now, before] = [found[task]?.mainScore, scores[name]?.[task]?.mainScore]
      if (now === undefined) throw new Error(`${name} ${stage} left no score of ${task}`)
      // a text that comes twice in a task may keep the vector of either batch, which can turn a prediction or two of a
      // few thousand
      if (before !== undefined && !(Math.abs(now - before) <= 1e-3))
        throw new Error(`${name} ${stage} scores ${task} ${now}, before ${before}`)
    }
    scores[name] ??= found
    Object.assign(versions, turn.report['versions'])
  }
}

const entries = lines.map(({ program: name, stage, turns }) => ({
  program: name,
  stage,
  wallSeconds: median(turns.map(({ wallSeconds }) => wallSeconds)),
  peakMiB: median(turns.map(({ peakMiB }) => peakMiB)),
  allWallSeconds: turns.map(({ wallSeconds }) => wallSeconds),
}))
const secondsOf = (name: string, stage: Stage): number =>
  entries.find(({ program: other, stage: its }) => other === name && its === stage)?.wallSeconds ?? NaN
const own = programs.filter((name) => name !== 'mteb')
const ratios = own.map(
  (name) =>
    [
      name,
      (Object.keys(removed) as Stage[]).map(
        (stage) => [stage, secondsOf('mteb', stage) / secondsOf(name, stage)] as const,
      ),
    ] as const,
)
const compared = tasks.map((task) => ({
  task,
  ...Object.fromEntries(programs.map((name) => [name, scores[name]?.[task]])),
  difference: Object.fromEntries(
    own.map((name) => [name, (scores[name]?.[task]?.mainScore ?? NaN) - (scores['mteb']?.[task]?.mainScore ?? NaN)]),
  ),
}))

console.log(
  `\n${table([['program', '', 'wall s', 'MiB'], ...entries.map(({ program: name, stage, wallSeconds, peakMiB }) => [name, stage, wallSeconds, peakMiB])])}`,
)
if (programs.includes('mteb'))
  for (const [name, stages] of ratios)
    console.log(
      `\nmteb takes ${stages.map(([stage, ratio]) => `${ratio.toFixed(1)}× (${stage})`).join(', ')} as long as ${name}\n`,
    )
console.log(
  table([
    ['task', ...programs.flatMap((name) => [`${name}: score`, 'cold s']), ...own.map((name) => `${name} − mteb`)],
    ...compared.map(({ task, difference }) => [
      task,
      ...programs.flatMap((name) => [
        (scores[name]?.[task]?.mainScore ?? NaN).toFixed(6),
        scores[name]?.[task]?.seconds ?? NaN,
      ]),
      ...own.map((name) => (difference[name] ?? NaN).toExponential(1)),
    ]),
  ]),
)
save({
  machine: facts,
  versions,
  rounds,
  tasks,
  programs: entries,
  mtebTo: Object.fromEntries(ratios.map(([name, stages]) => [name, Object.fromEntries(stages)])),
  scores: compared,
})

/** One entry a list of tasks; those of other lists stay. */
function save(result: Readonly<Record<string, unknown>> & { readonly tasks: readonly string[] }): void {
  const before = readResult<{ runs: { tasks: string[] }[] }>('evaluate')?.runs ?? []
  writeResult('evaluate', { runs: [...before.filter((run) => run.tasks.join() !== result.tasks.join()), result] })
}

/**
 * Of all result files in mteb's shape below a folder. The split `test`, of which every task of the list has one subset.
 */
function readScores(folder: string): Record<string, TaskScore> {
  const found: Record<string, TaskScore> = {}
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  )) {
    // mteb writes NaN where a score is not defined
    const read = JSON.parse(
      readFileSync(join(folder, path), 'utf8').replaceAll(/: (NaN|-?Infinity)(?=[,\n])/g, ': null'),
    ) as {
      task_name?: string
      evaluation_time?: number
      scores?: Record<string, { main_score: number }[]>
    }
    const entry = read.scores?.['test']?.[0]
    if (read.task_name !== undefined && entry !== undefined)
      found[read.task_name] = { mainScore: entry.main_score, seconds: read.evaluation_time ?? NaN }
  }
  return found
}
