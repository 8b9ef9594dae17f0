/**
 * Tasks of lm-evaluation-harness: the real one and Strata on the same model, task files and data – prompts, answers,
 * scores and errors compared one by one.
 *
 *   HF_HOME=cache node bench/run.mjs harness [--model FOLDER] [--limit 12] [--only zero,five,written,chat,turns]
 *
 * `HF_HOME` holds the data sets (shared/make-hf-cache makes one). The peer is lm-eval 0.4.13 in the peers' environment.
 * Runs: without examples; with five, drawn with another seed; texts with a system instruction; a chat template, with
 * examples in one turn and in turns of their own. Both times are of whole processes' tasks, model loading left out of
 * the peer's.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { flag } from '../../bench/lib/flags.ts'
import { parityResults, peers, program, python, root, scratchFolder, shared } from '../../bench/lib/places.ts'
import { machine, table, writeResult } from '../../bench/lib/report.ts'

interface Run {
  readonly name: string
  readonly tasks: readonly string[]
  readonly limit: number
  readonly num_fewshot?: number
  readonly seed?: number
  readonly system_instruction?: string
  readonly gen_kwargs?: string
  readonly chat?: boolean
  readonly multiturn?: boolean
  /** Another one than all have. */
  readonly model?: string
  readonly include_path: string
}

interface Sample {
  readonly doc_id: number
  readonly filter: string
  readonly doc_hash: string
  readonly prompt_hash: string
  readonly target_hash: string
  readonly arguments: readonly (readonly unknown[])[]
  readonly resps: readonly (readonly (readonly [number, boolean] | number | string)[])[]
}

interface Peer {
  readonly results: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly samples: Readonly<Record<string, readonly Sample[]>>
  readonly seconds: number
}

interface Own {
  readonly doc_id: number
  readonly filter: string
  readonly doc_hash: string
  readonly prompt_hash: string
  readonly target_hash: string
  readonly arguments: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly resps: readonly (readonly (readonly [string, string] | string)[])[]
}

const facts = await machine()
const model = flag('model', join(shared ?? '', 'models', 'stories260K'))
const limit = Number(flag('limit', '12'))
const only = flag('only', 'zero,five,written,chat,turns').split(',')
const includePath = join(root, 'oracles', 'harness')
const own = ['strata_continuation', 'strata_mutual']
const runs: Run[] = [
  {
    name: 'zero',
    tasks: [
      'arc_challenge',
      'openbookqa',
      'piqa',
      'truthfulqa_mc1',
      'truthfulqa_mc2',
      'strata_rolling',
      ...own,
      'blimp',
    ],
    limit,
    include_path: includePath,
  },
  {
    name: 'five',
    tasks: ['openbookqa', 'gsm8k', ...own, 'mmlu'],
    num_fewshot: 5,
    seed: 7,
    limit: Math.ceil(limit / 3),
    include_path: includePath,
  },
  {
    name: 'written',
    tasks: ['gsm8k_cot', 'openbookqa'],
    num_fewshot: 3,
    limit: Math.ceil(limit / 3),
    system_instruction: 'Be brief.',
    gen_kwargs: 'max_gen_toks=24',
    include_path: includePath,
  },
  {
    name: 'chat',
    tasks: ['openbookqa', 'arc_challenge'],
    limit,
    chat: true,
    multiturn: false,
    system_instruction: 'Be brief.',
    model: chatModel(),
    include_path: includePath,
  },
  {
    name: 'turns',
    tasks: ['openbookqa', 'gsm8k'],
    num_fewshot: 2,
    limit: Math.ceil(limit / 3),
    chat: true,
    multiturn: true,
    gen_kwargs: 'max_gen_toks=24',
    model: chatModel(),
    include_path: includePath,
  },
].filter(({ name }) => only.includes(name))

const folder = scratchFolder('harness')
writeFileSync(join(folder, 'job.json'), JSON.stringify({ model, runs }))
const { status } = spawnSync(
  python,
  [join(peers, 'python', 'harness.py'), join(folder, 'job.json'), join(folder, 'peer.json')],
  { stdio: 'inherit' },
)
if (status !== 0) throw new Error('the peer failed: is lm-eval 0.4.13 in its environment, and HF_HOME set?')
const found = JSON.parse(readFileSync(join(folder, 'peer.json'), 'utf8')) as Readonly<Record<string, Peer>>

const compared = runs.map((run) => compare(run, found[run.name] ?? { results: {}, samples: {}, seconds: NaN }))
console.log(table([Object.keys(compared[0] ?? {}), ...compared.map((row) => Object.values(row))]))
writeResult('harness', { machine: facts, model: basename(model), runs: compared }, { folder: parityResults })

function compare(run: Run, peer: Peer): Record<string, number | string> {
  const out = join(folder, run.name)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out)
  const flags = [
    '--tasks',
    run.tasks.join(','),
    '--limit',
    String(run.limit),
    '--include_path',
    run.include_path,
    '--output_path',
    out,
    '--bootstrap_iters',
    '1000',
    ...(run.num_fewshot === undefined ? [] : ['--num_fewshot', String(run.num_fewshot)]),
    ...(run.seed === undefined ? [] : ['--seed', `0,1234,1234,${run.seed}`]),
    ...(run.system_instruction === undefined ? [] : ['--system_instruction', run.system_instruction]),
    ...(run.gen_kwargs === undefined ? [] : ['--gen_kwargs', run.gen_kwargs]),
    ...(run.chat === true ? ['--apply_chat_template', '--fewshot_as_multiturn', String(run.multiturn === true)] : []),
  ]
  const began = performance.now()
  const { stdout } = spawnSync(
    process.execPath,
    [program, 'harness', run.model ?? model, ...flags, '--log_samples', '--json', '--quiet'],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    },
  )
  const seconds = (performance.now() - began) / 1000
  const { results } = JSON.parse(stdout) as Pick<Peer, 'results'>
  const numbers = Object.entries(peer.results).flatMap(([task, row]) =>
    Object.entries(row).flatMap(([key, value]) => (key.includes(',') ? [[value, results[task]?.[key]] as const] : [])),
  )
  const apart = numbers.map(([theirs, ours]) =>
    typeof theirs === 'number' && typeof ours === 'number'
      ? Math.abs(theirs - ours) / Math.max(1, Math.abs(theirs))
      : theirs === ours
        ? 0
        : Infinity,
  )
  const samples = compareSamples(join(out, readdirSync(out)[0] ?? ''), peer.samples)
  return {
    run: run.name,
    tasks: Object.keys(peer.samples).length,
    numbers: numbers.length,
    apart: Math.max(...apart),
    ...samples,
    peerSeconds: peer.seconds,
    seconds,
  }
}

/** Documents, and what differs: hashes, arguments, log-likelihoods in nats, greedy flags and texts. */
function compareSamples(files: string, peer: Peer['samples']): Record<string, number> {
  const counts = { documents: 0, missing: 0, hashes: 0, prompts: 0, nats: 0, answers: 0 }
  for (const [task, samples] of Object.entries(peer)) {
    const file = readdirSync(files).find((name) => name.startsWith(`samples_${task}_`)) ?? ''
    const ours = readFileSync(join(files, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Own)
    for (const theirs of samples) {
      counts.documents++
      const mine = ours.find(({ doc_id: id, filter }) => id === theirs.doc_id && filter === theirs.filter)
      if (mine === undefined) {
        counts.missing++
        continue
      }
      counts.hashes += (['doc_hash', 'prompt_hash', 'target_hash'] as const).filter(
        (name) => mine[name] !== theirs[name],
      ).length
      counts.prompts += theirs.arguments.filter((values, i) =>
        values.some((value, j) => typeof value === 'string' && mine.arguments[`gen_args_${i}`]?.[`arg_${j}`] !== value),
      ).length
      theirs.resps.forEach(([answer], i) => {
        const given = mine.resps[i]?.[0] ?? ''
        if (typeof answer === 'string') counts.answers += answer === given ? 0 : 1
        else if (typeof answer === 'number') counts.nats = Math.max(counts.nats, Math.abs(answer - Number(given)))
        else if (answer !== undefined) {
          counts.nats = Math.max(counts.nats, Math.abs(answer[0] - Number(given[0])))
          counts.answers += String(answer[1]) === given[1]?.toLowerCase() ? 0 : 1
        }
      })
    }
  }
  return counts
}

/** The model with a chat template, which it was not trained on. */
function chatModel(): string {
  const folder = scratchFolder('harness', 'chat-model')
  for (const file of ['config.json', 'model.safetensors', 'tokenizer.json'])
    copyFileSync(join(model, file), join(folder, file))
  const own = JSON.parse(readFileSync(join(model, 'tokenizer_config.json'), 'utf8')) as Record<string, unknown>
  const template =
    "{{ bos_token }}{% for message in messages %}<|{{ message['role'] }}|>\n{{ message['content'] | trim }}\n{% endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
  writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify({ ...own, chat_template: template }))
  return folder
}
