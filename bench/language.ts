/**
 * Log-likelihoods and texts of language models on one processor, by Strata and by lm-evaluation-harness's HF model at its best batch size: the same requests, one after the
 * other, in float32. Times are of the calls alone: tokens in, scores out, without loading the model.
 *
 *   HF_HOME=cache node bench/run.mjs language [--models stories260K,nano-pythia,neox-160m] [--rounds 2] [--requests 4000]
 *
 * Requests are those of the tasks, as `strata harness` writes them down: BLiMP (a request a sentence, nothing shared), ARC without examples (four choices share a question),
 * MMLU and OpenBookQA with five examples (a beginning that is the subject's, or each question's own). `HF_HOME` holds the data sets (shared/make-hf-cache makes one).
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { madeLanguageModel, neoxShape } from './lib/made-shapes.ts'
import { peers, program, python, scratchFolder, shared } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'
import type { Turn } from './strata-language.ts'

type Pairs = readonly (readonly [context: string, continuation: string])[]

const data = shared ?? fail('the shared models are not there')
const facts = await machine()
const folder = scratchFolder('language')
const rounds = Number(flag('rounds', '2'))
const most = Number(flag('requests', '4000'))
const nano = join(data, 'models', 'nano-pythia', 'step1183')
/** A share of the requests, and the sets, that a model of this size and window can be asked in minutes. */
const models: Readonly<Record<string, { folder: () => string; share: number; sets: readonly string[] }>> = {
  stories260K: { folder: () => join(data, 'models', 'stories260K'), share: 1, sets: ['blimp', 'arc', 'openbookqa-5', 'mmlu-5'] },
  'nano-pythia': { folder: () => nano, share: 1, sets: ['blimp', 'arc'] },
  'neox-160m': { folder: () => madeLanguageModel('neox-160m', neoxShape(), nano), share: 0.08, sets: ['blimp', 'arc', 'openbookqa-5', 'mmlu-5'] },
}
const tasks: Readonly<Record<string, readonly string[]>> = {
  blimp: ['--tasks', 'blimp', '--limit', String(Math.ceil(most / 2 / 67))],
  arc: ['--tasks', 'arc_challenge', '--limit', String(Math.ceil(most / 4))],
  'openbookqa-5': ['--tasks', 'openbookqa', '--num_fewshot', '5'],
  'mmlu-5': ['--tasks', 'mmlu', '--limit', String(Math.ceil(most / 4 / 57)), '--num_fewshot', '5'],
}
const sets = Object.fromEntries(Object.entries(tasks).map(([name, flags]) => [name, requestsOf(name, flags)]))
const prompts = requestsOf('gsm8k', ['--tasks', 'gsm8k', '--num_fewshot', '0', '--limit', '64', '--gen_kwargs', 'max_gen_toks=1']).map(([context]) => context)

const rows: (string | number)[][] = [['model', 'what', 'requests', 'peer s', 'batch', 'strata s', 'ratio', 'nats apart', 'flags apart']]
for (const name of flag('models', Object.keys(models).join(',')).split(',')) {
  const { folder: place, share, sets: own } = models[name] ?? fail(`no model ${name}`)
  const job = {
    model: place(),
    sets: Object.fromEntries(own.map((set) => [set, (sets[set] ?? []).slice(0, Math.ceil(most * share))])),
    prompts: prompts.slice(0, share < 1 ? 16 : 64),
    tokens: 64,
    batches: [1, 4, 8, 16, 32, 64],
    tried: share < 1 ? 16 : 128,
  }
  writeFileSync(join(folder, 'job.json'), JSON.stringify(job))
  const turns = Array.from({ length: rounds }, () => ({
    peer: turn(python, join(peers, 'python', 'language.py')),
    own: turn(process.execPath, join(import.meta.dirname, 'strata-language.js')),
  }))
  for (const [set, pairs] of Object.entries(job.sets)) {
    const [theirs, ours] = [turns.map(({ peer }) => peer.sets[set]?.seconds ?? NaN), turns.map(({ own: mine }) => mine.sets[set]?.seconds ?? NaN)]
    const [a, b] = [turns[0]?.peer.sets[set], turns[0]?.own.sets[set]]
    const apart = Math.max(...pairs.map((_, i) => Math.abs((a?.scores[i]?.[0] ?? NaN) - (b?.scores[i]?.[0] ?? NaN))))
    const flags = pairs.filter((_, i) => a?.scores[i]?.[1] !== b?.scores[i]?.[1]).length
    rows.push([name, set, pairs.length, median(theirs), a?.batch ?? NaN, median(ours), median(theirs) / median(ours), apart, flags])
  }
  const tokens = turns[0]?.peer.written?.tokens ?? NaN
  const speed = (of: 'peer' | 'own'): number => median(turns.map(({ [of]: { written } }) => tokens / (written?.seconds ?? NaN)))
  rows.push([
    name,
    'tokens/s written',
    job.prompts.length,
    speed('peer'),
    turns[0]?.peer.written?.batch ?? NaN,
    speed('own'),
    speed('own') / speed('peer'),
    '',
    '',
  ])
  console.log(table(rows))
}
writeResult('language', { machine: facts, rounds, rows })

function turn(command: string, script: string): Turn {
  const { status } = spawnSync(command, [script, join(folder, 'job.json'), join(folder, 'out.json')], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) fail(`${script} failed: bench/README.md says what it needs`)
  return JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8')) as Turn
}

/** As the harness asks them; the answers of the small model that writes them down do not count. */
function requestsOf(name: string, flags: readonly string[]): Pairs {
  const out = join(folder, name)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out)
  const model = join(data, 'models', 'stories260K')
  const { status, stderr } = spawnSync(process.execPath, [program, 'harness', model, ...flags, '--predict_only', '--output_path', out, '--quiet'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  if (status !== 0) fail(stderr)
  const files = join(out, readdirSync(out)[0] ?? '')
  return readdirSync(files)
    .filter((file) => file.startsWith('samples_'))
    .flatMap((file) => readFileSync(join(files, file), 'utf8').trim().split('\n'))
    .flatMap((line) =>
      Object.values((JSON.parse(line) as { arguments: Record<string, { arg_0: string; arg_1: string }> }).arguments).map(
        ({ arg_0: context, arg_1: continuation }) => [context, continuation] as const,
      ),
    )
}

function fail(what: string): never {
  throw new Error(what)
}
