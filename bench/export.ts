/**
 * Not of speed alone: exported folders loaded by sentence-transformers, transformers, onnxruntime for Python,
 * onnxruntime-web and transformers.js. Cosine of every vector to Strata's, the score on STSBenchmark if it is
 * available, size, and CPU seconds of the first 500 texts next to the original's in the same form (in turn, in one
 * process).
 *
 *   node bench/run.mjs export [--texts 500] [--rounds 3] [--sts 0] [--only MiniLM] [--resume]
 *
 * With Python's turn some quarter of an hour. --resume takes the folders and answers that a run before has left, and
 * asks for the rest.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { CombinationRepresentation, Mix } from '../src/representation/layers/index.ts'
import type { ExportForm } from '../src/representation/export/index.ts'
import { flag } from './lib/flags.ts'
import {
  model as carriedModel,
  modelName,
  peers,
  program,
  python,
  scratchFolder,
  shared,
  sharedHub,
} from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'
import {
  combinationOf,
  encode,
  exportModel,
  openLayerSpace,
  openModel,
  openStore,
  openTensors,
  readFloat32,
  writeRepresentation,
} from './lib/strata.ts'
import { readTexts } from './lib/texts.ts'

const forms = ['sentence-transformers', 'transformers', 'onnx'] as const satisfies readonly ExportForm[]
/** What loads each form. */
const readers = {
  'sentence-transformers': ['sentence-transformers'],
  transformers: ['transformers'],
  onnx: ['onnxruntime', 'transformers.js', 'web'],
} as const
const [timed, rounds] = [Number(flag('texts', '500')), Number(flag('rounds', '3'))]
const work = scratchFolder('export')
const resume = process.argv.includes('--resume')
if (!resume) rmSync(work, { recursive: true, force: true })
mkdirSync(work, { recursive: true })

interface Case {
  readonly name: string
  readonly folder: string
  readonly representations: readonly string[]
  readonly finalNorm?: 'native' | 'always'
  /** Whether STSBenchmark is scored too. */
  readonly scored?: boolean
  /** What `strata truncate` may lose on STSBenchmark's validation rows. */
  readonly maxLoss?: number
  /** Sums and projections, by name. */
  readonly mixes: Readonly<Record<string, (space: ReturnType<typeof openLayerSpace>, states: number) => Promise<Mix>>>
}

/** One representation, and how its folder is written. */
interface Exported {
  readonly label: string
  readonly representation: string
  readonly write: (form: ExportForm, out: string) => Promise<unknown>
}

interface Pair {
  readonly id: string
  readonly form: ExportForm
  readonly folder: string
  /** The whole model in the same form. */
  readonly original: string | null
  /** The first so many texts are run. */
  readonly count: number
  readonly out: string
  readonly engine: string
}

type Row = Record<string, unknown>

const [sets] = [readTexts({ limit: Math.ceil(timed / 3), documents: Math.ceil(timed / 3) })]
const first = Object.values(sets).flat().slice(0, timed)
const sts = stsPairs()
const texts = [...first, ...sts.flatMap(({ a, b }) => [a, b])]

function stsPairs(): { a: string; b: string; score: number }[] {
  const path = shared === undefined ? undefined : join(shared, 'data/stsbenchmark/test.jsonl.gz')
  if (path === undefined || !existsSync(path)) return []
  const rows = gunzipSync(readFileSync(path)).toString('utf8').split('\n').filter(Boolean)
  return rows
    .map((line) => JSON.parse(line) as Row)
    .map((row) => ({ a: String(row['sentence1']), b: String(row['sentence2']), score: Number(row['score']) }))
}

const weighted = async (_space: unknown, states: number): Promise<Mix> => {
  const raw = Float64Array.from({ length: states }, (_, h) => (h === 0 || h === states - 1 ? 0 : h ** 2))
  const sum = raw.reduce((total, weight) => total + weight, 0)
  return { kind: 'sum', weights: raw.map((weight) => weight / sum) }
}
const projected =
  (blocks: readonly (readonly number[])[], width: number) =>
  async (space: ReturnType<typeof openLayerSpace>): Promise<Mix> => {
    const mixed = blocks.map((layers) => ({ layers, factor: layers.length ** 0.5 }))
    return { kind: 'projection', blocks: mixed, width, source: space.source, basis: () => space.basis(mixed, width) }
  }

const cases: Case[] = [
  {
    name: 'MiniLM',
    folder: carriedModel,
    representations: ['default', 'h4'],
    scored: flag('sts', '1') === '1',
    ...(shared === undefined ? {} : { maxLoss: 0.11 }),
    mixes: {
      weighted,
      selected_pca: projected([[4]], 64),
      cluster_pca: projected(
        [
          [1, 2],
          [3, 4, 5],
        ],
        96,
      ),
    },
  },
  ...(shared === undefined
    ? []
    : [
        {
          name: 'nano-pythia',
          folder: join(shared, 'models/nano-pythia/step1183'),
          representations: ['default', 'h3'],
          mixes: { weighted },
        },
        {
          name: 'nano-pythia native',
          folder: join(shared, 'models/nano-pythia/step1183'),
          representations: [],
          finalNorm: 'native' as const,
          mixes: { weighted },
        },
        { name: 't5', folder: withTokenizer('t5-encoder'), representations: ['default', 'h2'], mixes: { weighted } },
        {
          name: 'modernbert',
          folder: withTokenizer('modernbert'),
          representations: ['default', 'h3'],
          mixes: { weighted },
        },
      ]),
]

/** A pico model with as many tokens of a made tokenizer as it has rows. */
function withTokenizer(name: string): string {
  const folder = join(work, `pico-${name}`)
  const pico = join(shared ?? '', 'models/pico')
  mkdirSync(folder, { recursive: true })
  for (const file of ['config.json', 'model.safetensors']) cpSync(join(pico, name, file), join(folder, file))
  const rows = Number((JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Row)['vocab_size'])
  const tokenizer = JSON.parse(
    readFileSync(join(pico, 'sentence-transformers/mean-normalize/tokenizer.json'), 'utf8'),
  ) as {
    model: { vocab: Record<string, number> }
  }
  tokenizer.model.vocab = Object.fromEntries(Object.entries(tokenizer.model.vocab).filter(([, id]) => id < rows))
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
  const settings = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    unk_token: '[UNK]',
    sep_token: '[SEP]',
    pad_token: '[PAD]',
    cls_token: '[CLS]',
    mask_token: '[MASK]',
    model_max_length: 64,
    model_input_names: ['input_ids', 'attention_mask'],
  }
  writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(settings))
  return folder
}

const pairs: Pair[] = []
const ours = new Map<string, { data: Float32Array; width: number }>()
const refused: { id: string; reason: string }[] = []
const bytes: Record<string, number> = {}

const store = openStore(join(work, 'vectors'))

const only = flag('only', '')
for (const one of cases.filter(({ name }) => name.startsWith(only))) {
  const model = await openModel(one.folder, { finalNorm: one.finalNorm, store })
  const states = model.states?.count ?? 0
  const space = openLayerSpace(model, { name: 'bench', texts: first }, { layerNorm: 'none' })
  const files: string[] = []
  for (const [name, mix] of Object.entries(one.mixes)) {
    const made: CombinationRepresentation = combinationOf(name, { mix: await mix(space, states), about: {} })
    files.push(await writeRepresentation(join(work, 'files', one.name), model, made))
  }
  const all: Exported[] = [...one.representations, ...files].map((representation) => ({
    label: `${one.name} ${basename(representation, '.json').replace(/-[0-9a-f]{8}$/, '')}`,
    representation,
    write: (as, out) => exportModel(one.folder, { representation, as, out, finalNorm: one.finalNorm }),
  }))
  if (one.maxLoss !== undefined) all.push(truncated(one.name, one.maxLoss))
  for (const { label, representation, write } of all) {
    const vectors = await encode(model, one.scored === true ? texts : first, { representation })
    ours.set(label, { data: vectors.data, width: vectors.width })
    for (const form of forms) {
      const folder = join(work, `${label} ${form}`.replaceAll(' ', '_'))
      const id = `${label} · ${form}`
      try {
        if (!existsSync(folder)) await write(form, folder)
      } catch (error) {
        refused.push({ id, reason: error instanceof Error ? error.message : String(error) })
        continue
      }
      bytes[id] = sizeOf(folder)
      const whole = join(work, `${one.name} default ${form}`.replaceAll(' ', '_'))
      for (const engine of readers[form]) {
        const out = join(
          work,
          `${id} ${engine}`.replaceAll(/[ ·]+/g, '_') + (form === 'onnx' && engine !== 'onnxruntime' ? '.f32' : '.npy'),
        )
        const original = folder === whole || !existsSync(whole) ? null : whole
        // WASM takes several times as long a text
        const count =
          engine === 'web'
            ? Math.min(100, first.length)
            : one.scored === true && engine !== 'transformers.js'
              ? texts.length
              : first.length
        pairs.push({ id: `${id} · ${engine}`, form, folder, original, count, out, engine })
      }
    }
  }
  await model.close()
}

/** As a user has it: one command finds the layer and writes the folder. */
function truncated(name: string, maxLoss: number): Exported {
  const command = (...more: string[]): { h: number } => {
    const flags = [
      '--tasks',
      'STSBenchmark',
      '--max-loss',
      String(maxLoss),
      '--results',
      join(work, 'results'),
      '--cache-dir',
      join(work, 'cache'),
    ]
    const { stdout, status } = spawnSync(
      process.execPath,
      [program, 'truncate', modelName, ...flags, '--json', '--quiet', ...more],
      {
        encoding: 'utf8',
        env: { ...process.env, HF_HUB_CACHE: sharedHub(), HF_HUB_OFFLINE: '1' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    if (status !== 0) throw new Error(`strata truncate ended with ${status}`)
    return JSON.parse(stdout) as { h: number }
  }
  return {
    label: `${name} truncate`,
    representation: `h${command().h}`,
    write: async (form, out) => command('--as', form, '--out', out),
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, path) => sum + (statSync(join(folder, path)).isFile() ? statSync(join(folder, path)).size : 0),
    0,
  )
}

function run(command: string, script: string, chosen: readonly Pair[], name: string): Map<string, Row> {
  const [plan, kept] = [join(work, `${name}.json`), join(work, `${name}.answers.json`)]
  const before = (resume && existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : []) as Row[]
  const open = chosen.filter(({ id }) => !before.some((row) => row['id'] === id && row['error'] === undefined))
  writeFileSync(plan, JSON.stringify({ texts, timed, rounds, pairs: open }))
  const { stdout, status } =
    open.length === 0
      ? { stdout: '', status: 0 }
      : spawnSync(command, [script, plan], {
          encoding: 'utf8',
          maxBuffer: 1 << 28,
          stdio: ['ignore', 'pipe', 'inherit'],
        })
  if (status !== 0) console.log(`${name} ended with ${status}`)
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  const rows = [...before, ...lines.map((line) => JSON.parse(line) as Row)]
  writeFileSync(kept, JSON.stringify(rows))
  return new Map(rows.map((row) => [String(row['id']), row]))
}

const inPython = pairs.filter(({ out }) => out.endsWith('.npy'))
const answers = new Map([
  ...run(python, join(peers, 'python', 'export_check.py'), inPython, 'python'),
  ...run(
    process.execPath,
    join(peers, 'transformersjs', 'export-check.mjs'),
    pairs.filter((pair) => !inPython.includes(pair)),
    'javascript',
  ),
])

async function vectorsOf(path: string): Promise<Float32Array> {
  if (path.endsWith('.f32')) {
    const raw = readFileSync(path)
    return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength))
  }
  const source = await openTensors(path)
  try {
    return await readFloat32(source, source.names()[0] ?? '')
  } finally {
    await source.close()
  }
}

function cosine(a: Float32Array, b: Float32Array, row: number, width: number): number {
  let [ab, aa, bb] = [0, 0, 0]
  for (let i = row * width; i < (row + 1) * width; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    ab += x * y
    aa += x * x
    bb += y * y
  }
  return ab / Math.sqrt(aa * bb)
}

/** Spearman's correlation of cosines with the gold scores, as STSBenchmark is scored. */
function stsScore(vectors: Float32Array, width: number): number | null {
  if (sts.length === 0 || vectors.length < texts.length * width) return null
  const cosines = sts.map((_, k) => {
    const [a, b] = [first.length + 2 * k, first.length + 2 * k + 1]
    const pair = new Float32Array(2 * width)
    pair.set(vectors.subarray(a * width, (a + 1) * width))
    pair.set(vectors.subarray(b * width, (b + 1) * width), width)
    return cosine(pair.subarray(0, width), pair.subarray(width), 0, width)
  })
  return correlation(ranks(cosines), ranks(sts.map(({ score }) => score)))
}

function ranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((i, j) => (values[i] ?? 0) - (values[j] ?? 0))
  const out = Array.from({ length: values.length }, () => 0)
  for (let at = 0; at < order.length;) {
    let end = at
    while (end < order.length && values[order[end] ?? 0] === values[order[at] ?? 0]) end++
    for (let k = at; k < end; k++) out[order[k] ?? 0] = (at + end - 1) / 2
    at = end
  }
  return out
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [ma, mb] = [mean(a), mean(b)]
  const sum = (of: (i: number) => number): number => a.reduce((total, _, i) => total + of(i), 0)
  const [da, db] = [(i: number): number => (a[i] ?? 0) - ma, (i: number): number => (b[i] ?? 0) - mb]
  return sum((i) => da(i) * db(i)) / Math.sqrt(sum((i) => da(i) ** 2) * sum((i) => db(i) ** 2))
}

const checked = []
for (const { id, out } of pairs) {
  const [label = '', form = ''] = id.split(' · ')
  const answer = answers.get(id) ?? { error: 'no answer' }
  const own = ours.get(label)
  if (own === undefined || answer['error'] !== undefined) {
    checked.push({ id, error: answer['error'] ?? 'no vectors' })
    continue
  }
  const theirs = await vectorsOf(out)
  const rows = theirs.length / own.width
  // transformers.js cuts the closing special token off with the rest of a text that is too long: those texts are
  // others, and are counted.
  const cut = new Set(answer['cut'] as number[] | undefined)
  const cosines = Array.from({ length: Math.min(rows, first.length) }, (_, row) => row)
    .filter((row) => !cut.has(row))
    .map((row) => cosine(own.data, theirs, row, own.width))
  const seconds = answer['seconds'] as Partial<Record<'exported' | 'original', number>>
  checked.push({
    id,
    minCosine: Math.min(...cosines),
    texts: cosines.length,
    otherwiseCut: Math.min(rows, first.length) - cosines.length,
    sts: stsScore(theirs, own.width),
    ourSts: stsScore(theirs, own.width) === null ? null : stsScore(own.data, own.width),
    bytes: bytes[`${label} · ${form}`] ?? null,
    originalBytes: bytes[`${label.split(' ').slice(0, -1).join(' ')} default · ${form}`] ?? null,
    cpuSeconds: seconds.exported ?? null,
    originalCpuSeconds: seconds.original ?? null,
    complaints: answer['loading'] ?? {},
  })
}

const cell = (value: number | null | undefined, digits: number): string =>
  value === null || value === undefined ? '' : value.toFixed(digits)
console.log(
  table([
    ['folder', 'min cosine', 'STSBenchmark', 'ours', 'MB', 'of', 'CPU s', 'of'],
    ...checked.map((row) =>
      'error' in row
        ? [row.id, JSON.stringify(row.error), '', '', '', '', '', '']
        : [
            row.id,
            row.minCosine.toFixed(7),
            cell(row.sts, 6),
            cell(row.ourSts, 6),
            cell((row.bytes ?? 0) / 1e6, 1),
            cell((row.originalBytes ?? 0) / 1e6, 1),
            cell(row.cpuSeconds, 2),
            cell(row.originalCpuSeconds, 2),
          ],
    ),
  ]),
)
for (const { id, reason } of refused) console.log(`refused  ${id}: ${reason}`)
const worst = Math.min(...checked.flatMap((row) => ('error' in row ? [] : [row.minCosine])))
console.log(`min cosine over everything: ${worst}`)
if (only === '')
  writeResult('export', {
    ...(await machine()),
    timedTexts: timed,
    rounds,
    stsPairs: sts.length,
    worst,
    checked,
    refused,
  })
if (checked.some((row) => 'error' in row) || worst < 0.99999) process.exitCode = 1
