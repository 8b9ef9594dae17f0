/**
 * How fast a multi-vector model takes in a corpus and scores all of it by MaxSim: Strata, sentence-transformers'
 * MultiVectorEncoder and pylate on folders of MiniLM's size, whole processes in turn.
 *
 *   node bench/run.mjs maxsim [--documents 300] [--queries 300] [--rounds 2] [--batches 8,16,32] [--python PATH]
 *                             [--pylate-python PATH]
 *
 * `--python` has sentence-transformers 6.2, `--pylate-python` pylate 1.6; without the latter, pylate is left out. The
 * peers run at the batch size of `--batches` that is fastest on a tenth of the documents. A best score that differs by
 * more than 1e-4 of itself ends the bench. Without the shared data: sentences of STS17 and paragraphs of XQuAD.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Contestant, contest, median, runOnce, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { makeMultiVector } from './lib/made-colbert.ts'
import { peers, python, scratchFolder, shared } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { readTexts } from './lib/texts.ts'

const rounds = Number(flag('rounds', '2'))
const facts = await machine()
const [sentences = [], , documents = []] = Object.values(readTexts({ documents: Number(flag('documents', '300')) }))
const queries = (shared === undefined ? sentences : readQueries(join(shared, 'data/scifact/queries.jsonl.gz'))).slice(
  0,
  Number(flag('queries', '300')),
)

function readQueries(path: string): string[] {
  const rows = gunzipSync(readFileSync(path)).toString('utf8').split('\n').filter(Boolean)
  return rows.map((line) => String((JSON.parse(line) as Record<string, unknown>)['text']))
}

function writeTexts(name: string, share: number): string {
  const path = join(scratchFolder('maxsim'), `${name}.json`)
  const first = (texts: readonly string[]): readonly string[] => texts.slice(0, Math.ceil(texts.length * share))
  writeFileSync(path, JSON.stringify({ queries: first(queries), documents: first(documents) }))
  return path
}

const files = { all: writeTexts('all', 1), some: writeTexts('some', 0.1) }
const script = join(peers, 'python', 'maxsim.py')
const seconds = ({ report }: Turn): number => Number(report['seconds'])
const best = (turn: Turn | undefined): number[] => (turn?.report['best'] ?? []) as number[]

async function atBestBatch(peer: (file: string, batch: string) => Contestant): Promise<Contestant> {
  const tried: { batch: string; seconds: number }[] = []
  for (const batch of flag('batches', '8,16,32').split(','))
    tried.push({ batch, seconds: seconds(await runOnce(peer(files.some, batch))) })
  const { batch = '32' } = tried.toSorted((a, b) => a.seconds - b.seconds)[0] ?? {}
  return peer(files.all, batch)
}

async function measure(kind: 'plain' | 'colbert', libraries: readonly (readonly [name: string, path: string])[]) {
  const folder = scratchFolder('maxsim', kind)
  makeMultiVector(folder, kind)
  const own: Contestant = {
    name: 'strata',
    command: process.execPath,
    args: [join(import.meta.dirname, 'strata-words.js'), '--texts', files.all, '--model', folder],
  }
  const others: Contestant[] = []
  for (const [name, command] of libraries)
    others.push(
      await atBestBatch((file, batch) => ({
        name,
        command,
        args: [script, '--texts', file, '--model', folder, '--library', name, '--batch', batch],
      })),
    )
  const turns = await contest([own, ...others], rounds, (name, round, turn) =>
    console.log(`${kind}, round ${round + 1}, ${name}: ${seconds(turn).toFixed(1)} s`),
  )
  const time = (name: string): number => median((turns[name] ?? []).map(seconds))
  const mine = best(turns['strata']?.[0])
  return [own, ...others].map(({ name, args }) => ({
    kind,
    name,
    batch: args.at(-2) === '--batch' ? Number(args.at(-1)) : undefined,
    seconds: time(name),
    documentsPerSecond: documents.length / time(name),
    ratio: time(name) / time('strata'),
    peakMiB: median((turns[name] ?? []).map(({ peakMiB }) => peakMiB)),
    difference: Math.max(
      ...mine.map((score, i) => Math.abs(score - (best(turns[name]?.[0])[i] ?? NaN)) / Math.max(1, Math.abs(score))),
    ),
  }))
}

const sentenceTransformers = ['sentence-transformers', flag('python', python)] as const
const pylate = flag('pylate-python', '')
const rows = [
  ...(await measure('plain', [sentenceTransformers])),
  ...(await measure('colbert', [sentenceTransformers, ...(pylate === '' ? [] : [['pylate', pylate] as const])])),
]
console.log(
  `\n${table([
    ['model', 'program', 's', 'documents/s', 'ratio', 'MiB', 'difference'],
    ...rows.map((row) => [
      row.kind,
      row.batch === undefined ? row.name : `${row.name}, batches of ${row.batch}`,
      row.seconds,
      row.documentsPerSecond,
      row.ratio,
      row.peakMiB,
      row.difference,
    ]),
  ])}`,
)
const apart = rows.find(({ difference }) => !(difference <= 1e-4))
if (apart !== undefined) throw new Error(`the scores of ${apart.name} differ by ${apart.difference}`)
if (flag('record', 'yes') === 'yes')
  writeResult('maxsim', { machine: facts, rounds, queries: queries.length, documents: documents.length, rows })
