/**
 * Classifiers of MASSIVE's intents on the test rows of its locales.
 *
 *   node bench/run.mjs locales [--parts study,average] [--locales 52] [--models 7] [--rounds 1] [--type float32]
 *   [--sample 512 rows] [--count 52] [--keep true] [--python PATH]
 *
 * study: the ancestor and the six fine-tunes of shared/models/nano-xlmr-massive, and the plain average of the six, each
 * on all locales: `strata evaluate` in one process, the average being a recipe that is never written, and the
 * text-classification pipeline of transformers on PyTorch, which finds the average written. The pipeline gets the
 * fastest batch size, and texts sorted by length where that helps, from `--sample` rows in the same run; the rates of bfloat16
 * are there too. Times are of whole processes, without that search and without writing the average. The two may differ
 * in one answer per model and locale.
 *
 * average: `strata evaluate` of the average of `--count` classifiers of XLM-R base's size on the test rows of one
 * locale; the average is never written either, and peak memory counts, pages of the temporary file included in which
 * the engine finds its weights (1.1 GB of disk while it is open). The classifiers are in bfloat16 (0.56 GB each, 29 GB of
 * disk for all, deleted afterwards unless `--keep true`): one pool of seeded normals, read from another place by each
 * block of each model.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contestant, contest, median, runOnce, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { madeClassifier, xlmRobertaShape } from './lib/made-shapes.ts'
import { peers, program, python, scratchFolder, shared, sharedHub } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'

const data = shared ?? fail('the shared data are not there')
const massive = join(data, 'data', 'massive')
const family = join(data, 'models', 'nano-xlmr-massive')
const work = scratchFolder('locales')
const offline = { HF_HUB_CACHE: sharedHub(), HF_HUB_OFFLINE: '1' }
const maxLength = '48'
const threads = '2'
const parts = flag('parts', 'study,average').split(',')
const facts = await machine()

/** Name → number of correct answers by locale. */
type Correct = Readonly<Record<string, Readonly<Record<string, number>>>>
interface Way {
  readonly type: string
  readonly batch: number
  readonly sorted: boolean
  readonly rowsPerSecond: number
}

if (parts.includes('study')) writeResult('locales', { machine: facts, ...(await study()) })
if (parts.includes('average')) writeResult('locales-average', { machine: facts, ...(await average()) })

async function study() {
  const tuned = ['en-US', 'de-DE', 'es-ES', 'ja-JP', 'ar-SA', 'sw-KE']
  const names = ['ancestor', ...tuned].slice(0, Number(flag('models', '7')))
  const locales = readdirSync(massive)
    .filter((name) => existsSync(join(massive, name, 'test.jsonl.gz')))
    .slice(0, Number(flag('locales', '52')))
  const recipe = writeRecipe(
    'average',
    tuned.map((name) => join(family, name)),
  )
  const written = join(work, 'written')
  await runOnce({
    name: 'strata merge',
    command: process.execPath,
    args: [program, 'merge', recipe, written],
    fresh: [written],
  })

  const folders = new Map(names.map((name) => [name, join(family, name)]))
  const peer = transformers(new Map([...folders, ['merge__average', written]]), locales)
  const type = flag('type', 'float32')
  const { ways } = (await runOnce(peer(`--scan=${flag('sample', '512')}`))).report as { ways: readonly Way[] }
  console.log(table([['type', 'batch', 'sorted', 'rows/s'], ...ways.map((way) => cellsOf(way))]))
  const best = ways
    .filter((way) => way.type === type)
    .reduce((one, other) => (other.rowsPerSecond > one.rowsPerSecond ? other : one))
  const results = join(work, 'results')
  const turns = await contest(
    [
      strata([...folders.values(), `merge:${recipe}`], locales, results),
      peer(`--type=${type}`, `--batch=${best.batch}`, ...(best.sorted ? ['--sorted'] : [])),
    ],
    Number(flag('rounds', '1')),
    (name, round, { wallSeconds }) => console.log(`round ${round + 1}, ${name}: ${wallSeconds.toFixed(1)} s`),
  )
  const { rows, correct } = readCorrect(results)
  const answer = turns['transformers']?.[0]?.report ?? {}
  const apart = largestDifference(correct, (answer['correct'] ?? {}) as Correct)
  const figures = Object.entries(turns).map(([name, all]) => figureOf(name, all, rows))
  const ratio = (figures[1]?.seconds ?? NaN) / (figures[0]?.seconds ?? NaN)
  console.log(
    table([
      ['program', 'seconds', 'rows/s', 'MiB', 'CPU s'],
      ...figures.map((one) => [one.program, one.seconds, one.rowsPerSecond, one.peakMiB, one.cpuSeconds]),
    ]),
  )
  const way = `${type}, batches of ${best.batch}${best.sorted ? ', sorted by length' : ''}`
  console.log(
    `${rows} rows; transformers takes ${ratio.toFixed(2)} times as long (${way}); at most ${apart} answers apart`,
  )
  // logits that differ in their last bits may turn one answer
  if (!(apart <= 1)) fail(`the answers differ in ${apart} rows of one locale`)
  return {
    versions: answer['versions'],
    locales: locales.length,
    rows,
    type,
    ways,
    best,
    figures,
    ratio,
    apart,
    correct,
  }
}

async function average() {
  const count = Number(flag('count', '52'))
  const models = scratchFolder('locales', 'models')
  const { bavail, bsize } = statfsSync(models)
  const names = Array.from({ length: count }, (_, k) => join(models, `seed-${k + 1}`))
  const missing = names.filter((folder) => !existsSync(join(folder, 'tokenizer.json'))).length
  if (bavail * bsize < 0.6e9 * missing) fail(`${missing} models need ${(0.6 * missing).toFixed(0)} GB of disk`)
  const ancestor = join(family, 'ancestor')
  const { id2label } = JSON.parse(readFileSync(join(ancestor, 'config.json'), 'utf8')) as {
    id2label: Record<string, string>
  }
  const shape = xlmRobertaShape(Object.values(id2label))
  for (const [k, folder] of names.entries()) madeClassifier(folder, shape, { tokenizer: ancestor, seed: k + 1 })
  const results = join(work, 'average-results')
  const contestant = strata([`merge:${writeRecipe('average-of-large', names)}`], ['sq-AL'], results)
  const turn = await runOnce(contestant)
  const { rows } = readCorrect(results)
  if (flag('keep', 'false') !== 'true') rmSync(models, { recursive: true, force: true })
  const figure = figureOf('strata', [turn], rows)
  const { seconds, peakMiB, cpuSeconds } = figure
  console.log(
    `${count} models, ${rows} rows: ${seconds.toFixed(1)} s, ${peakMiB.toFixed(0)} MiB, ${cpuSeconds.toFixed(0)} CPU seconds`,
  )
  if (!(peakMiB <= 3 * 1024)) fail('peak memory is above 3 GiB')
  return { count, ...figure, rows }
}

/** Nothing of an earlier run is found again. */
function strata(models: readonly string[], locales: readonly string[], results: string): Contestant {
  const cache = join(work, 'cache')
  return {
    name: 'strata',
    command: process.execPath,
    args: [
      program,
      'evaluate',
      ...models,
      '--tasks=MASSIVEIntent',
      `--subsets=${locales.join(',')}`,
      `--max-length=${maxLength}`,
      `--threads=${threads}`,
      `--results=${results}`,
      `--cache-dir=${cache}`,
      '--json',
      '--quiet',
    ],
    env: offline,
    fresh: [results, cache],
  }
}

/** The peer's turn with further flags. */
function transformers(folders: ReadonlyMap<string, string>, locales: readonly string[]) {
  return (...flags: readonly string[]): Contestant => ({
    name: 'transformers',
    command: flag('python', python),
    args: [
      join(peers, 'python', 'classify.py'),
      `--models=${[...folders].map(([name, folder]) => `${name}=${folder}`).join(',')}`,
      `--data=${massive}`,
      `--locales=${locales.join(',')}`,
      `--max-length=${maxLength}`,
      ...flags,
    ],
    env: { THREADS: threads },
  })
}

function figureOf(name: string, turns: readonly Turn[], rows: number) {
  const seconds = median(turns.map(({ wallSeconds }) => wallSeconds))
  return {
    program: name,
    seconds,
    rowsPerSecond: rows / seconds,
    peakMiB: Math.max(...turns.map(({ peakMiB }) => peakMiB)),
    cpuSeconds: median(turns.map(({ userSeconds, systemSeconds }) => userSeconds + systemSeconds)),
  }
}

/** Summed and left in float32, as accuracy.json of the models has it. */
function writeRecipe(name: string, folders: readonly string[]): string {
  const path = join(work, `${name}.yml`)
  const entries = folders.map((folder) => `  - {model: ${folder}, parameters: {weight: ${1 / folders.length}}}\n`)
  writeFileSync(path, `merge_method: linear\ndtype: float32\nmodels:\n${entries.join('')}`)
  return path
}

/** Rows of all models and locales, and the correct answers among them, from result files in mteb's shape. */
function readCorrect(results: string): { rows: number; correct: Correct } {
  const files = readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('MASSIVEIntent.json'),
  )
  const perLocale = 2974
  const correct = Object.fromEntries(
    files.map((path) => {
      const { scores, strata: about } = JSON.parse(readFileSync(join(results, path), 'utf8')) as {
        scores: { test: readonly { hf_subset: string; accuracy: number }[] }
        strata: { model: string }
      }
      const answers = scores.test.map(({ hf_subset: locale, accuracy }) => [locale, Math.round(accuracy * perLocale)])
      return [about.model, Object.fromEntries(answers) as Record<string, number>]
    }),
  )
  return { rows: Object.values(correct).flatMap((own) => Object.keys(own)).length * perLocale, correct }
}

/** NaN where one lacks what the other has. */
function largestDifference(own: Correct, theirs: Correct): number {
  const models = [...new Set([...Object.keys(own), ...Object.keys(theirs)])]
  return Math.max(
    ...models.flatMap((model) => {
      const locales = new Set([...Object.keys(own[model] ?? {}), ...Object.keys(theirs[model] ?? {})])
      return [...locales].map((locale) => Math.abs((own[model]?.[locale] ?? NaN) - (theirs[model]?.[locale] ?? NaN)))
    }),
  )
}

function cellsOf({ type, batch, sorted, rowsPerSecond }: Way): readonly (string | number)[] {
  return [type, String(batch), sorted ? 'yes' : 'no', rowsPerSecond]
}

function fail(what: string): never {
  throw new Error(what)
}
