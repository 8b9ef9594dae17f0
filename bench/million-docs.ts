/**
 * A search over a million documents: a BEIR folder made of pieces of real texts, one whole process, its time and
 * memory; then the same killed half way and taken up again.
 *
 *   node bench/run.mjs million-docs [--documents 1000000] [--queries 1000] [--model FOLDER] [--kill 1]
 */
import { spawn } from 'node:child_process'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { runOnce, type Contestant } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { program, results, scratchFolder, shared } from './lib/places.ts'
import { mulberry } from './lib/random.ts'
import { machine, table, writeResult } from './lib/report.ts'

const documents = Number(flag('documents', '1000000'))
const queries = Number(flag('queries', '1000'))
const model = flag('model', shared === undefined ? '' : join(shared, 'models', 'potion-base-4M-int8'))
if (model === '' || shared === undefined)
  throw new Error('needs the shared data and a static model: STRATA_SHARED, --model')

const facts = await machine()
const work = scratchFolder('million-docs')
const folder = join(work, `beir-${documents}-${queries}`)
if (!existsSync(join(folder, 'qrels', 'test.tsv')))
  await makeFolder(folder, join(shared, 'data', 'scifact', 'corpus.jsonl.gz'))
const corpusBytes = statSync(join(folder, 'corpus.jsonl')).size

const run = (out: string): Contestant => ({
  name: 'strata',
  command: process.execPath,
  args: [
    program,
    'evaluate',
    model,
    '--task-file',
    folder,
    '--results',
    join(work, out),
    '--cache-dir',
    join(work, 'cache'),
    '--json',
  ],
})
rmSync(join(work, 'whole'), { recursive: true, force: true })
const whole = await runOnce(run('whole'))
const rows: (string | number)[][] = [
  ['', 'wall s', 'peak MiB', 'nDCG@10'],
  ['whole', whole.wallSeconds, whole.peakMiB, scoreOf(whole.report)],
]
const result: Record<string, unknown> & { documents: number } = {
  machine: facts,
  documents,
  queries,
  corpusBytes,
  wallSeconds: whole.wallSeconds,
  peakMiB: whole.peakMiB,
  score: scoreOf(whole.report),
}
save()
if (flag('kill', '1') === '1') {
  rmSync(join(work, 'killed'), { recursive: true, force: true })
  const killedAfter = await killHalfWay(run('killed'))
  const again = await runOnce(run('killed'))
  if (scoreOf(again.report) !== scoreOf(whole.report))
    throw new Error('the search that was taken up gives another score')
  rows.push(
    ['killed', killedAfter.seconds, NaN, NaN],
    ['taken up', again.wallSeconds, again.peakMiB, scoreOf(again.report)],
  )
  Object.assign(result, {
    killed: killedAfter,
    takenUp: { wallSeconds: again.wallSeconds, peakMiB: again.peakMiB, score: scoreOf(again.report) },
  })
}
console.log(table(rows))
save()

/** One entry a size; those of other sizes stay. */
function save(): void {
  const path = join(results, 'million-docs.json')
  const before = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { runs: { documents: number }[] }).runs
    : []
  writeResult('million-docs', {
    runs: [...before.filter((run) => run.documents !== documents), result].sort((a, b) => a.documents - b.documents),
  })
}

function scoreOf(report: Record<string, unknown>): number {
  const { scores } = report as { scores?: { test?: { main_score: number }[] } }
  return scores?.test?.[0]?.main_score ?? NaN
}

/** SIGKILL as soon as half of the documents are searched, as its lists on disk tell. */
async function killHalfWay({ command, args }: Contestant): Promise<{ seconds: number; documents: number }> {
  const started = performance.now()
  const child = spawn(command, args, { stdio: 'ignore' })
  let done = 0
  const watch = setInterval(() => {
    done = Math.max(done, documentsDone(join(work, 'killed')))
    if (done >= documents / 2) child.kill('SIGKILL')
  }, 50)
  await new Promise((resolve) => child.on('close', resolve))
  clearInterval(watch)
  return { seconds: (performance.now() - started) / 1000, documents: documentsDone(join(work, 'killed')) }
}

/** Out of a checkpoint: two hashes of 32 bytes, then the number of documents. */
function documentsDone(folder: string): number {
  if (!existsSync(folder)) return 0
  const name = readdirSync(folder, { recursive: true }).find((path) => String(path).endsWith('.search'))
  return name === undefined ? 0 : readFileSync(join(folder, String(name))).readDoubleLE(64)
}

/**
 * Documents are two runs of words out of scientific abstracts; every query is a few words out of one document. Seeded:
 * the same folder every time.
 */
async function makeFolder(target: string, source: string): Promise<void> {
  const words = gunzipSync(readFileSync(source))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => (JSON.parse(line) as { text: string }).text.split(/\s+/))
  const random = mulberry(42)
  const piece = (length: number): string[] => {
    const start = Math.floor(random() * (words.length - length))
    return words.slice(start, start + length)
  }
  mkdirSync(join(target, 'qrels'), { recursive: true })
  const corpus = createWriteStream(join(target, 'corpus.jsonl'))
  const asked: string[] = []
  const judged: string[] = []
  const every = Math.floor(documents / queries)
  for (let i = 0; i < documents; i++) {
    const text = [...piece(20 + Math.floor(random() * 40)), ...piece(20 + Math.floor(random() * 40))]
    if (i % every === 0 && asked.length < queries) {
      const start = Math.floor(random() * (text.length - 12))
      asked.push(JSON.stringify({ _id: `q${i}`, text: text.slice(start, start + 12).join(' ') }))
      judged.push(`q${i}\td${i}\t1`)
    }
    if (!corpus.write(`${JSON.stringify({ _id: `d${i}`, title: '', text: text.join(' ') })}\n`))
      await new Promise<void>((resolve) => corpus.once('drain', () => resolve()))
  }
  await new Promise<void>((resolve) => corpus.end(() => resolve()))
  writeFileSync(join(target, 'queries.jsonl'), `${asked.join('\n')}\n`)
  writeFileSync(join(target, 'qrels', 'test.tsv'), `query-id\tcorpus-id\tscore\n${judged.join('\n')}\n`)
}
