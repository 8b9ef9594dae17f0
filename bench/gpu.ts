/**
 * One command for a machine with an NVIDIA GPU: fetches the provider, compares golden models on CUDA with their stored
 * states, and encodes with MiniLM and scores with a seeded decoder of 1.1 B parameters next to PyTorch, in each type.
 * Ends with 3 and the reason where there is no such device.
 *
 *   node bench/run.mjs gpu [--device cuda:0] [--rounds 3] [--types float32,bfloat16,float16] [--only strata]
 *
 * PyTorch is that of the peers (bench/README.md). Golden models are the carried one, and those of shared/models/pico.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Device } from '../src/core/index.ts'
import type { ComputeType } from '../src/model/passes/index.ts'
import type { DeviceState } from '../src/platform/runtime/index.ts'
import { contest, median, type Contestant, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { makeTinyLlamas, tinyLlama } from './lib/made-model.ts'
import { copyTokenizer } from './lib/made-shapes.ts'
import { model as minilm, peers, program, python, root, scratchFolder, shared } from './lib/places.ts'
import { mulberry } from './lib/random.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { compareWithGolden, devices, encode, openModel, parseDevice } from './lib/strata.ts'
import { readTexts } from './lib/texts.ts'

const device = parseDevice(flag('device', 'cuda'), '--device')
const turn = flag('turn', '')
/** Texts or rows before the time counts. */
const warmUp = 8

/**
 * Largest difference over the largest value of a tensor. float32: sums in another order than the reference's, rounded at
 * 2⁻²⁴, through tens of products. float16 rounds at 2⁻¹², bfloat16 at 2⁻⁹; the worst of thousands of numbers is four to
 * five deviations of an error that grows as the root of the number of products, up to 28.
 */
const tolerances: Readonly<Record<string, number>> = { float32: 2e-5, float16: 6e-3, bfloat16: 5e-2 }

if (turn === '') await compare()
else await takeTurn(JSON.parse(turn) as Job)

/** What a turn does; the Python peer reads the same. */
interface Job {
  readonly kind: 'encode' | 'score'
  readonly folder: string
  /** JSON of the texts, or of rows of token ids. */
  readonly input: string
  readonly warmUp: number
  readonly device: Device
  readonly dtype: ComputeType
}

async function compare(): Promise<void> {
  const state = await findDevice()
  if (state?.available !== true) {
    console.error(`no CUDA device: ${state?.reason ?? 'unknown'}${state?.hint === undefined ? '' : ` (${state.hint})`}`)
    process.exitCode = 3
    return
  }
  const types = flag('types', 'float32,bfloat16,float16').split(',') as ComputeType[]
  const facts = { ...(await machine()), gpu: gpuFacts() }
  const golden = await goldenRows(types)
  console.log(table([['golden model', 'type', 'relative difference', 'tolerance', ''], ...golden.map(goldenCells)]))
  const speeds = await measure(types)
  console.log(
    table([
      ['work', 'type', 'Strata per s', 'PyTorch per s', 'ratio', 'largest difference'],
      ...speeds.map(({ work, type, strata, pytorch, difference }) => [
        work,
        type,
        strata,
        pytorch ?? '–',
        pytorch === undefined ? '–' : strata / pytorch,
        difference ?? '–',
      ]),
    ]),
  )
  writeResult('gpu', { ...facts, golden, speeds })
  if (golden.some(({ relative, tolerance }) => !(relative <= tolerance)))
    throw new Error('a golden model differs by more than its tolerance')
}

/** With the libraries fetched, where they are all that is missing. */
async function findDevice(): Promise<DeviceState | undefined> {
  const find = async (): Promise<DeviceState | undefined> => (await devices()).find(({ name }) => name === 'cuda')
  const before = await find()
  if (before?.hint?.includes('--install cuda') !== true) return before
  spawnSync(process.execPath, [program, 'doctor', '--install', 'cuda'], { stdio: ['ignore', 'ignore', 'inherit'] })
  return find()
}

interface GoldenRow {
  readonly name: string
  readonly type: ComputeType
  readonly relative: number
  readonly tolerance: number
}

async function goldenRows(types: readonly ComputeType[]): Promise<GoldenRow[]> {
  const pico = shared === undefined ? undefined : join(shared, 'models', 'pico')
  const folders = [
    join(root, 'assets', 'golden', 'bert'),
    ...(pico === undefined ? [] : readdirSync(pico).map((name) => join(pico, name))),
  ].filter((folder) => existsSync(join(folder, 'golden.safetensors')))
  const rows: GoldenRow[] = []
  for (const folder of folders)
    for (const type of types) {
      const { relative } = await compareWithGolden(folder, { device, dtype: type })
      rows.push({ name: folder.slice(root.length + 1), type, relative, tolerance: tolerances[type] ?? 0 })
    }
  return rows
}

function goldenCells({ name, type, relative, tolerance }: GoldenRow): (string | number)[] {
  return [name, type, relative, tolerance, relative <= tolerance ? '' : 'BEYOND']
}

interface Speed {
  readonly work: string
  readonly type: ComputeType
  readonly strata: number
  readonly pytorch: number | undefined
  /** Of vectors, or of log-likelihoods over their size. */
  readonly difference: number | undefined
}

async function measure(types: readonly ComputeType[]): Promise<Speed[]> {
  const folder = scratchFolder('gpu')
  const llama = join(folder, 'base')
  if (!existsSync(join(llama, 'tokenizer.json'))) {
    makeTinyLlamas(folder, tinyLlama, 0)
    copyTokenizer(join(root, 'assets', 'models', 'stories260K'), llama)
  }
  const works = {
    'MiniLM encodes': ['encode', minilm, Object.values(readTexts({ limit: 4000 })).flat()],
    'Llama 1.1 B scores': ['score', llama, tokenRows(136, 256)],
  } as const
  const speeds: Speed[] = []
  for (const [work, [kind, model, items]] of Object.entries(works)) {
    const file = join(folder, `${kind}.json`)
    writeFileSync(file, JSON.stringify(items))
    for (const dtype of types) {
      const job: Job = { kind, folder: model, input: file, warmUp, device, dtype }
      const turns = await contest(contestants(job), Number(flag('rounds', '3')), (name, round) =>
        console.log(`${work}, ${dtype}: ${name}, round ${round + 1}`),
      )
      speeds.push(speedOf(work, dtype, turns, items.length - warmUp))
    }
  }
  return speeds
}

function contestants(job: Job): Contestant[] {
  const text = JSON.stringify(job)
  const strata = { name: 'strata', command: process.execPath, args: [import.meta.filename, '--turn', text] }
  if (flag('only', '') === 'strata' || !existsSync(python)) return [strata]
  return [strata, { name: 'pytorch', command: python, args: [join(peers, 'python', 'gpu.py'), text] }]
}

/** Seeded, none of them special. */
function tokenRows(rows: number, cols: number): number[][] {
  const draw = mulberry(20261128)
  return Array.from({ length: rows }, () =>
    Array.from({ length: cols }, () => 3 + Math.floor(draw() * (tinyLlama.vocabulary - 3))),
  )
}

function speedOf(
  work: string,
  type: ComputeType,
  turns: Readonly<Record<string, readonly Turn[]>>,
  count: number,
): Speed {
  const middle = (name: string): number | undefined => {
    const list = turns[name] ?? []
    return list.length === 0 ? undefined : count / median(list.map(({ report }) => Number(report['seconds'])))
  }
  const numbers = (name: string): number[] => (turns[name]?.[0]?.report['numbers'] ?? []) as number[]
  const [own, theirs] = [numbers('strata'), numbers('pytorch')]
  const difference =
    theirs.length === 0
      ? undefined
      : Math.max(...own.map((value, i) => Math.abs(value - (theirs[i] ?? NaN)))) / Math.max(...theirs.map(Math.abs))
  return { work, type, strata: middle('strata') ?? NaN, pytorch: middle('pytorch'), difference }
}

/** A first pass over a few opens the graph and finds kernels. Says the first numbers, which are compared. */
async function takeTurn({ kind, folder, input, warmUp: first, device: on, dtype }: Job): Promise<void> {
  const model = await openModel(folder, { device: on, dtype })
  try {
    const all = JSON.parse(readFileSync(input, 'utf8')) as unknown[]
    const pass = kind === 'encode' ? encodePass(model) : await scorePass(model)
    await pass(all.slice(0, first))
    const began = performance.now()
    const numbers = await pass(all.slice(first))
    console.log(JSON.stringify({ seconds: (performance.now() - began) / 1000, numbers }))
  } finally {
    await model.close()
  }
}

type OpenedModel = Awaited<ReturnType<typeof openModel>>
type Pass = (items: unknown[]) => Promise<number[]>

/** The first numbers of the first vectors. */
function encodePass(model: OpenedModel): Pass {
  return async (items) => [...(await encode(model, items as string[])).data.subarray(0, 3840)]
}

/** Log-likelihood of each row of ids. */
async function scorePass(model: OpenedModel): Promise<Pass> {
  const language = await model.languageModel?.()
  if (language === undefined) throw new Error('no language model')
  return async (items) => {
    const scores = (await language.tokenScores?.((items as number[][]).map((ids) => Int32Array.from(ids)))) ?? []
    return scores.map(({ logProbabilities }) => logProbabilities.subarray(1).reduce((sum, one) => sum + one, 0))
  }
}

/** The card and its driver, as the driver names them. */
function gpuFacts(): string {
  const { stdout } = spawnSync('nvidia-smi', ['--query-gpu=name,driver_version,memory.total', '--format=csv,noheader'])
  return String(stdout ?? '').trim()
}
