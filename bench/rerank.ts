/**
 * How fast a cross-encoder scores pairs: Strata and sentence-transformers' CrossEncoder.predict on the same model of
 * MiniLM's size and the same pairs of SciFact, whole processes in turn.
 *
 *   node bench/run.mjs rerank [--pairs 2000] [--rounds 3] [--batches 8,16,32,64] [--python PATH]
 *
 * The peer runs at the batch size of `--batches` that is fastest on a tenth of the pairs. A score that differs by more
 * than 1e-4 ends the bench. Without the shared data: sentences of STS17 and paragraphs of XQuAD.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Contestant, contest, median, runOnce, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { makeReranker } from './lib/made-reranker.ts'
import { peers, python, scratchFolder, shared } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { readTexts } from './lib/texts.ts'

const count = Number(flag('pairs', '2000'))
const rounds = Number(flag('rounds', '3'))
const facts = await machine()
const folder = scratchFolder('rerank', 'model')
makeReranker(folder)

/** Documents at even distances, each with the next query. */
function makePairs(): (readonly [string, string])[] {
  const [sentences = [], , documents = []] = Object.values(readTexts({ documents: count }))
  const queries = shared === undefined ? sentences : readQueries(join(shared, 'data/scifact/queries.jsonl.gz'))
  return documents.map((document, i) => [queries[i % queries.length] ?? '', document])
}

function readQueries(path: string): string[] {
  const rows = gunzipSync(readFileSync(path)).toString('utf8').split('\n').filter(Boolean)
  return rows.map((line) => String((JSON.parse(line) as Record<string, unknown>)['text']))
}

function writePairs(name: string, pairs: readonly unknown[]): string {
  const path = join(scratchFolder('rerank'), `${name}.json`)
  writeFileSync(path, JSON.stringify(pairs))
  return path
}

const pairs = makePairs()
const all = writePairs('pairs', pairs)
const some = writePairs('some', pairs.slice(0, Math.ceil(pairs.length / 10)))

const peer = (file: string, batch: string): Contestant => ({
  name: 'sentence-transformers',
  command: flag('python', python),
  args: [join(peers, 'python', 'rerank.py'), '--model', folder, '--pairs', file, '--batch', batch],
})
const own: Contestant = {
  name: 'strata',
  command: process.execPath,
  args: [join(import.meta.dirname, 'strata-rerank.js'), '--model', folder, '--pairs', all],
}
const seconds = ({ report }: Turn): number => report['seconds'] as number

async function fastestBatch(): Promise<string> {
  const tried: { batch: string; seconds: number }[] = []
  for (const batch of flag('batches', '8,16,32,64').split(','))
    tried.push({ batch, seconds: seconds(await runOnce(peer(some, batch))) })
  return tried.toSorted((a, b) => a.seconds - b.seconds)[0]?.batch ?? '32'
}

const batch = await fastestBatch()
const turns = await contest([own, peer(all, batch)], rounds, (name, round, turn) =>
  console.log(`round ${round + 1}, ${name}: ${seconds(turn).toFixed(1)} s`),
)
const scores = (name: string): number[] => (turns[name]?.[0]?.report['scores'] ?? []) as number[]
const [mine, theirs] = [scores('strata'), scores('sentence-transformers')]
const difference = Math.max(...mine.map((score, i) => Math.abs(score - (theirs[i] ?? NaN))))
const summary = (name: string) => {
  const list = turns[name] ?? []
  const over = (value: (turn: Turn) => number): number => median(list.map(value))
  return {
    pairsPerSecond: pairs.length / over(seconds),
    cpuSeconds: over(({ report }) => report['cpuSeconds'] as number),
    loadSeconds: over(({ report }) => report['loadSeconds'] as number),
    wallSeconds: over(({ wallSeconds }) => wallSeconds),
    peakMiB: over(({ peakMiB }) => peakMiB),
  }
}
const [strata, sentenceTransformers] = [summary('strata'), summary('sentence-transformers')]
const ratio = strata.pairsPerSecond / sentenceTransformers.pairsPerSecond
console.log(
  `\n${table([
    ['program', 'pairs/s', 'CPU s', 'load s', 'whole s', 'MiB'],
    ['strata', ...Object.values(strata)],
    [`sentence-transformers, batches of ${batch}`, ...Object.values(sentenceTransformers)],
  ])}`,
)
console.log(`ratio ${ratio.toFixed(2)}; largest difference of ${mine.length} scores: ${difference.toExponential(1)}`)
if (!(mine.length === pairs.length && difference <= 1e-4)) throw new Error('the scores differ by more than 1e-4')
const spread = [Math.min(...mine), Math.max(...mine)]
writeResult('rerank', {
  machine: facts,
  rounds,
  pairs: pairs.length,
  batch,
  strata,
  sentenceTransformers,
  ratio,
  difference,
  spread,
})
