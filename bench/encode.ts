/**
 * How fast texts become vectors: Strata on its engines in each type the processor has, against sentence-transformers
 * (PyTorch, its ONNX and OpenVINO backends, each in the types it offers) and transformers.js, whole processes, in turn.
 *
 *   node bench/run.mjs encode [--rounds 3] [--limit 500 texts a set] [--documents 600 of the corpus] [--only
 *   strata,torch] [--scan]
 *
 * The best batch sizes of the others are looked for once (minutes) and kept below bench/.scratch; --scan looks again.
 *
 * Tokens are those Strata's tokenizer gives the model (special tokens included, no padding). The fraction of the GEMM
 * peak counts the multiply-adds that a forward pass needs for those tokens, without padding, against the best 1024³
 * product of this machine, measured in the same run.
 */
import { join } from 'node:path'
import { contest, median, type Contestant, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { atBestBatch, cosine, hasBfloat16 } from './lib/peer-encoders.ts'
import { model, peers, python, scratchFolder } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { engineStates, measureGemmPeak, openModel, typesOf } from './lib/strata.ts'
import { readTexts, writeTexts, type TextSets } from './lib/texts.ts'

const rounds = Number(flag('rounds', '3'))
const only = flag('only', '').split(',').filter(Boolean)
const facts = await machine()
const limit = Number(flag('limit', 'Infinity'))
const sets = readTexts({ limit, documents: Number(flag('documents', String(limit))) })
const texts = writeTexts(sets)
const onnxFolder = join(scratchFolder('onnx'), 'all-MiniLM-L6-v2')

const encodePython = (name: string, backend: string): Contestant => ({
  name,
  command: python,
  args: [
    join(peers, 'python', 'encode.py'),
    '--model',
    model,
    '--texts',
    texts,
    '--backend',
    backend,
    '--onnx-folder',
    onnxFolder,
  ],
})
const strata = (name: string, states: string, ...flags: string[]): Contestant => ({
  name,
  command: process.execPath,
  args: [
    join(import.meta.dirname, 'strata-encode.js'),
    '--model',
    model,
    '--texts',
    texts,
    '--states',
    states,
    ...flags,
  ],
})
const narrower = (await engineStates()).flatMap((state) =>
  typesOf(state).flatMap((type) =>
    state.name === 'onnxruntime' && type === 'float32'
      ? []
      : [strata(`strata, ${state.name} ${type}`, 'last', '--engine', state.name, '--dtype', type)],
  ),
)
const own = [strata('strata', 'last'), strata('strata, all 7 states', 'all'), ...narrower]
const others = [
  encodePython('sentence-transformers, PyTorch', 'torch'),
  encodePython('sentence-transformers, PyTorch bfloat16', 'torch-bf16'),
  encodePython('sentence-transformers, ONNX', 'onnx'),
  encodePython('sentence-transformers, ONNX O3', 'onnx-o3'),
  encodePython('sentence-transformers, ONNX int8', 'onnx-int8'),
  encodePython('sentence-transformers, OpenVINO', 'openvino'),
  encodePython('sentence-transformers, OpenVINO bf16', 'openvino-bf16'),
  {
    name: 'transformers.js',
    command: process.execPath,
    args: [join(peers, 'transformersjs', 'encode.mjs'), '--model', onnxFolder, '--texts', texts],
  },
]
if (!hasBfloat16()) console.log('this processor has no bfloat16: programs in that type are left out')
const wanted = ({ name }: Contestant): boolean =>
  (hasBfloat16() || !/\bbf(?:loat)?16$/.test(name)) && (only.length === 0 || only.some((part) => name.includes(part)))

/** Tokens and multiply-adds (times two) of each set. */
async function workOf(all: TextSets): Promise<Record<string, { texts: number; tokens: number; gflop: number }>> {
  const opened = await openModel(model)
  const tokenizer = await opened.tokens?.tokenizer()
  if (tokenizer === undefined) throw new Error(`${model} has no tokens`)
  const { maxLength } = opened.settings
  const work: Record<string, { texts: number; tokens: number; gflop: number }> = {}
  for (const [name, list] of Object.entries(all)) {
    const lengths = (await tokenizer.encodeBatch([...list], { maxLength })).map(({ ids }) => ids.length)
    work[name] = {
      texts: list.length,
      tokens: lengths.reduce((a, b) => a + b, 0),
      gflop: lengths.reduce((sum, length) => sum + gflopOf(length), 0),
    }
  }
  await opened.close()
  return work
}

/**
 * 6 blocks of width 384, inner width 1536: four square projections, two MLP products, scores and their mix of values.
 */
function gflopOf(length: number): number {
  const [layers, width, inner] = [6, 384, 1536]
  return (2 * layers * (4 * length * width * width + 2 * length * width * inner + 2 * length * length * width)) / 1e9
}

function encodeSeconds({ report }: Turn): number {
  return Object.values(report['seconds'] as Record<string, number>).reduce((a, b) => a + b, 0)
}

/** Smallest cosine between the first vectors of a program and Strata's: all must have computed the same. */
function agreement(turn: Turn, reference: Turn): number {
  const [mine, theirs] = [turn, reference].map(({ report }) =>
    Object.values(report['samples'] as Record<string, number[][]>).flat(),
  )
  return Math.min(...(mine ?? []).map((vector, i) => cosine(vector, theirs?.[i] ?? [])))
}

const contestants: Contestant[] = own.filter(wanted)
for (const contestant of others.filter(wanted))
  contestants.push(await atBestBatch(contestant, { input: 'batch-sizes', again: process.argv.includes('--scan') }))
const work = await workOf(sets)
const peaks = [await measureGemmPeak()]
const turns = await contest(contestants, rounds, (name, round, turn) => {
  console.log(`round ${round + 1}  ${name}: ${encodeSeconds(turn).toFixed(1)} s of ${turn.wallSeconds.toFixed(1)} s`)
})
peaks.push(await measureGemmPeak())

const peak = Math.max(...peaks)
const total = Object.values(work).reduce((sum, one) => ({
  texts: sum.texts + one.texts,
  tokens: sum.tokens + one.tokens,
  gflop: sum.gflop + one.gflop,
}))
const [reference] = Object.values(turns)[0] ?? []
const programs = Object.entries(turns).map(([name, list]) => {
  const seconds = median(list.map(encodeSeconds))
  const perSet = Object.keys(sets).map((set) => {
    const setSeconds = median(list.map(({ report }) => (report['seconds'] as Record<string, number>)[set] ?? NaN))
    return [set, { seconds: setSeconds, tokensPerSecond: (work[set]?.tokens ?? NaN) / setSeconds }] as const
  })
  return {
    name,
    encodeSeconds: seconds,
    wallSeconds: median(list.map(({ wallSeconds }) => wallSeconds)),
    loadSeconds: median(list.map(({ report }) => report['loadSeconds'] as number)),
    textsPerSecond: total.texts / seconds,
    tokensPerSecond: total.tokens / seconds,
    peakFraction: total.gflop / seconds / peak,
    peakMiB: median(list.map((turn) => turn.peakMiB)),
    cosineToStrata: list[0] !== undefined && reference !== undefined ? agreement(list[0], reference) : NaN,
    sets: Object.fromEntries(perSet),
    allEncodeSeconds: list.map(encodeSeconds),
  }
})
/** Whose vectors are float32's; what is faster by being less exact is a contest of its own. */
const isExact = ({ cosineToStrata }: { cosineToStrata: number }): boolean => cosineToStrata >= 0.999999
const fastestPeer = programs
  .filter((one) => !one.name.startsWith('strata') && isExact(one))
  .sort((a, b) => a.encodeSeconds - b.encodeSeconds)[0]
const first = programs.find(({ name }) => name === 'strata')
const ratio =
  fastestPeer !== undefined && first !== undefined ? fastestPeer.encodeSeconds / first.encodeSeconds : undefined

console.log(
  `\n${table([
    [
      'program',
      'encode s',
      'wall s',
      'texts/s',
      'tokens/s',
      'of peak',
      'MiB',
      'cosine',
      ...Object.keys(sets).map((set) => `${set} tok/s`),
    ],
    ...programs.map((one) => [
      one.name,
      one.encodeSeconds,
      one.wallSeconds,
      one.textsPerSecond,
      one.tokensPerSecond,
      one.peakFraction,
      one.peakMiB,
      one.cosineToStrata,
      ...Object.values(one.sets).map(({ tokensPerSecond }) => tokensPerSecond),
    ]),
  ])}\n\nGEMM peak ${peaks.map((value) => value.toFixed(0)).join(', ')} GFLOP/s; ${total.texts} texts, ${total.tokens} tokens`,
)
if (ratio !== undefined)
  console.log(`in float32 strata is ${ratio.toFixed(2)}× the fastest other (${fastestPeer?.name})`)
writeResult('encode', {
  machine: facts,
  rounds,
  gemmPeakGflops: peaks,
  work,
  programs,
  fastestPeer: fastestPeer?.name,
  ratioToFastestPeer: ratio,
})
