/**
 * Log-likelihoods and texts of language models on one processor, by Strata and by lm-evaluation-harness's HF model at
 * its best batch size: the same requests, one after the other, in float32, then each in the narrower types that the
 * processor has. Times are of the calls alone: tokens in, scores out, without loading the model.
 *
 *   HF_HOME=cache node bench/run.mjs language [--models stories260K,nano-pythia,neox-160m] [--rounds 2] [--requests 4000] [--types all|float32]
 *
 * Requests are those of the tasks, as `strata harness` writes them down: BLiMP (a request a sentence, nothing shared),
 * ARC without examples (four choices share a question), MMLU and OpenBookQA with five examples (a beginning that is the
 * subject's, or each question's own). `HF_HOME` holds the data sets (shared/make-hf-cache makes one).
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { madeLanguageModel, neoxShape } from './lib/made-shapes.ts'
import { peers, program, python, scratchFolder, shared } from './lib/places.ts'
import { hasBfloat16 } from './lib/peer-encoders.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { engineStates, typesOf } from './lib/strata.ts'
import type { Job, Turn } from './strata-language.ts'

type Pairs = readonly (readonly [context: string, continuation: string])[]

const data = shared ?? fail('the shared models are not there')
const facts = await machine()
const folder = scratchFolder('language')
const rounds = Number(flag('rounds', '2'))
const most = Number(flag('requests', '4000'))
const nano = join(data, 'models', 'nano-pythia', 'step1183')
/** A share of the requests, and the sets, that a model of this size and window can be asked in minutes. */
const models: Readonly<Record<string, { folder: () => string; share: number; sets: readonly string[] }>> = {
  stories260K: {
    folder: () => join(data, 'models', 'stories260K'),
    share: 1,
    sets: ['blimp', 'arc', 'openbookqa-5', 'mmlu-5'],
  },
  'nano-pythia': { folder: () => nano, share: 1, sets: ['blimp', 'arc'] },
  'neox-160m': {
    folder: () => madeLanguageModel('neox-160m', neoxShape(), nano),
    share: 0.08,
    sets: ['blimp', 'arc', 'openbookqa-5', 'mmlu-5'],
  },
}
const tasks: Readonly<Record<string, readonly string[]>> = {
  blimp: ['--tasks', 'blimp', '--limit', String(Math.ceil(most / 2 / 67))],
  arc: ['--tasks', 'arc_challenge', '--limit', String(Math.ceil(most / 4))],
  'openbookqa-5': ['--tasks', 'openbookqa', '--num_fewshot', '5'],
  'mmlu-5': ['--tasks', 'mmlu', '--limit', String(Math.ceil(most / 4 / 57)), '--num_fewshot', '5'],
}
const sets = Object.fromEntries(Object.entries(tasks).map(([name, flags]) => [name, requestsOf(name, flags)]))
const prompts = requestsOf('gsm8k', [
  '--tasks',
  'gsm8k',
  '--num_fewshot',
  '0',
  '--limit',
  '64',
  '--gen_kwargs',
  'max_gen_toks=1',
]).map(([context]) => context)

interface Contest {
  readonly peer: string
  readonly engine: string
  readonly dtype: string
}
const narrower = (await engineStates()).flatMap((state) =>
  typesOf(state).flatMap((dtype): Contest[] =>
    dtype === 'float32' ? [] : [{ peer: hasBfloat16() ? 'bfloat16' : 'float32', engine: state.name, dtype }],
  ),
)
const contests: readonly Contest[] = [
  { peer: 'float32', engine: 'onnxruntime', dtype: 'float32' },
  ...(flag('types', 'all') === 'all' ? narrower : []),
]

const rows: (string | number)[][] = [
  [
    'model',
    'what',
    'requests',
    'peer in',
    'peer s',
    'batch',
    'strata in',
    'strata s',
    'ratio',
    'nats apart',
    'flags apart',
  ],
]
for (const name of flag('models', Object.keys(models).join(',')).split(',')) {
  const { folder: place, share, sets: own } = models[name] ?? fail(`no model ${name}`)
  const job: Omit<Job, 'engine' | 'dtype'> = {
    model: place(),
    sets: Object.fromEntries(own.map((set) => [set, (sets[set] ?? []).slice(0, Math.ceil(most * share))])),
    prompts: prompts.slice(0, share < 1 ? 16 : 64),
    tokens: 64,
  }
  const tried = { batches: [1, 4, 8, 16, 32, 64], tried: share < 1 ? 16 : 128 }
  const turns = Array.from({ length: rounds }, () => {
    const types = [...new Set(contests.map(({ peer }) => peer))]
    const theirs = new Map(
      types.map((dtype) => [dtype, turn(python, join(peers, 'python', 'language.py'), { ...job, ...tried, dtype })]),
    )
    return contests.map(({ peer, ...way }) => ({
      peer: theirs.get(peer) ?? fail(peer),
      own: turn(process.execPath, join(import.meta.dirname, 'strata-language.js'), { ...job, ...way }),
    }))
  })
  for (const [at, { peer, engine, dtype }] of contests.entries()) {
    const ways = [peer, engine === 'onnxruntime' ? dtype : `${dtype}, ${engine}`] as const
    const own = turns.flatMap((round) => round[at] ?? [])
    for (const [set, pairs] of Object.entries(job.sets)) {
      const [theirs, ours] = [
        own.map((one) => one.peer.sets[set]?.seconds ?? NaN),
        own.map((one) => one.own.sets[set]?.seconds ?? NaN),
      ]
      const [a, b] = [own[0]?.peer.sets[set], own[0]?.own.sets[set]]
      const apart = Math.max(...pairs.map((_, i) => Math.abs((a?.scores[i]?.[0] ?? NaN) - (b?.scores[i]?.[0] ?? NaN))))
      const flags = pairs.filter((_, i) => a?.scores[i]?.[1] !== b?.scores[i]?.[1]).length
      rows.push([
        name,
        set,
        pairs.length,
        ways[0],
        median(theirs),
        a?.batch ?? NaN,
        ways[1],
        median(ours),
        median(theirs) / median(ours),
        apart,
        flags,
      ])
    }
    // in float32 both write the same texts
    const speeds = own.map((one) => ({
      peer: (one.peer.written?.tokens ?? NaN) / (one.peer.written?.seconds ?? NaN),
      own: (one.own.written?.tokens ?? NaN) / (one.own.written?.seconds ?? NaN),
    }))
    const [theirs, ours] = [median(speeds.map((one) => one.peer)), median(speeds.map((one) => one.own))]
    rows.push([
      name,
      'tokens/s written',
      job.prompts.length,
      ways[0],
      theirs,
      own[0]?.peer.written?.batch ?? NaN,
      ways[1],
      ours,
      ours / theirs,
      '',
      '',
    ])
  }
  console.log(table(rows))
}
writeResult('language', { machine: facts, rounds, rows })

function turn(command: string, script: string, job: object): Turn {
  writeFileSync(join(folder, 'job.json'), JSON.stringify(job))
  const { status } = spawnSync(command, [script, join(folder, 'job.json'), join(folder, 'out.json')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) fail(`${script} failed: bench/README.md says what it needs`)
  return JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8')) as Turn
}

/** As the harness asks them; the answers of the small model that writes them down do not count. */
function requestsOf(name: string, flags: readonly string[]): Pairs {
  const out = join(folder, name)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out)
  const model = join(data, 'models', 'stories260K')
  const { status, stderr } = spawnSync(
    process.execPath,
    [program, 'harness', model, ...flags, '--predict_only', '--output_path', out, '--quiet'],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    },
  )
  if (status !== 0) fail(stderr)
  const files = join(out, readdirSync(out)[0] ?? '')
  return readdirSync(files)
    .filter((file) => file.startsWith('samples_'))
    .flatMap((file) => readFileSync(join(files, file), 'utf8').trim().split('\n'))
    .flatMap((line) =>
      Object.values(
        (JSON.parse(line) as { arguments: Record<string, { arg_0: string; arg_1: string }> }).arguments,
      ).map(({ arg_0: context, arg_1: continuation }) => [context, continuation] as const),
    )
}

function fail(what: string): never {
  throw new Error(what)
}
