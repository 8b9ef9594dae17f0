/**
 * Exact search over a million vectors: the best 1,000 of 1,000,000 × 384 float32 for each of 300 queries, from files,
 * as whole processes.
 *
 *   node bench/run.mjs search [--rows 1000000] [--queries 300] [--rounds 1] [--depth 1000]
 *
 * Vectors are seeded random directions, written once below `bench/.scratch/search`; an exact search takes as long over
 * them as over those of a model. Reading and the products, which no search can do without, are timed alone next to
 * Strata's. Strata reads blocks; sentence-transformers maps the file, so that its peak counts
 * pages of it which the kernel could take back; faiss holds a copy, the time of which is part of its process. All three
 * must find the same 10 best.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { contest, median, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { peers, python, root, scratchFolder } from './lib/places.ts'
import { mulberry } from './lib/random.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { createNpyWriter } from './lib/strata.ts'

const rows = Number(flag('rows', '1000000'))
const queries = Number(flag('queries', '300'))
const rounds = Number(flag('rounds', '1'))
const depth = flag('depth', '1000')
const width = 384
const facts = await machine()

const folder = scratchFolder('search')
const files = [
  '--queries',
  await vectors(`queries-${queries}`, queries, 1),
  '--corpus',
  await vectors(`corpus-${rows}`, rows, 2),
  '--depth',
  depth,
]
const script = join(root, 'bench', '.scratch', 'js', 'bench', 'strata-search.js')
const peer = join(peers, 'python', 'search.py')
const turns = await contest(
  [
    { name: 'strata', command: process.execPath, args: [script, ...files] },
    {
      name: 'sentence-transformers, semantic_search',
      command: python,
      args: [peer, '--program', 'semantic_search', ...files],
    },
    { name: 'faiss-cpu, IndexFlatIP', command: python, args: [peer, '--program', 'faiss', ...files] },
  ],
  rounds,
  (name, round, turn) => {
    console.log(`round ${round + 1}  ${name}: ${turn.wallSeconds.toFixed(1)} s`)
  },
)

interface Found {
  loadSeconds: number
  searchSeconds: number
  /** Of all threads; and reading and products alone. Strata says these. */
  searchCpuSeconds?: number
  leastSeconds?: number
  leastCpuSeconds?: number
  /** Documents found for each query; the first ten of them. */
  found: number[]
  ids: number[][]
  scores: number[][]
  versions?: Record<string, string>
}
const foundBy = (list: readonly Turn[]): Found[] => list.map(({ report }) => report as unknown as Found)
const ours = foundBy(turns['strata'] ?? [])[0]
if (ours === undefined) throw new Error('no turn of Strata')
const programs = Object.entries(turns).map(([name, list]) => {
  const found = foundBy(list)
  return {
    name,
    wallSeconds: median(list.map(({ wallSeconds }) => wallSeconds)),
    loadSeconds: median(found.map(({ loadSeconds }) => loadSeconds)),
    searchSeconds: median(found.map(({ searchSeconds }) => searchSeconds)),
    ...limitOf(found),
    peakMiB: median(list.map(({ peakMiB }) => peakMiB)),
    allWallSeconds: list.map(({ wallSeconds }) => wallSeconds),
    sameTop10: sameLists(name, found[0] ?? ours),
  }
})
console.log(
  `\n${table([
    ['program', 'wall s', 'load s', 'search s', 'peak MiB', 'same 10 best'],
    ...programs.map(({ name, wallSeconds, loadSeconds, searchSeconds, peakMiB, sameTop10 }) => [
      name,
      wallSeconds,
      loadSeconds,
      searchSeconds,
      peakMiB,
      `${sameTop10} of ${queries}`,
    ]),
  ])}`,
)
for (const { name, searchSeconds, searchCpuSeconds, leastSeconds, leastCpuSeconds } of programs) {
  if (leastSeconds === undefined || leastCpuSeconds === undefined || searchCpuSeconds === undefined) continue
  const [wall, cpu] = [searchSeconds / leastSeconds, searchCpuSeconds / leastCpuSeconds]
  console.log(
    `${name}: reading and products alone take ${leastSeconds.toFixed(2)} s, ${leastCpuSeconds.toFixed(2)} CPU s; ` +
      `the search ${wall.toFixed(2)} and ${cpu.toFixed(2)} times as long`,
  )
}
const versions = Object.assign(
  {},
  ...Object.values(turns).flatMap((list) => foundBy(list).map((found) => found.versions ?? {})),
) as Record<string, string>
writeResult('search', { machine: facts, versions, rounds, rows, queries, width, depth: Number(depth), programs })

/** Strata's processor seconds, and those of reading and products alone. */
function limitOf(
  found: readonly Found[],
): Partial<Record<'searchCpuSeconds' | 'leastSeconds' | 'leastCpuSeconds', number>> {
  const keys = ['searchCpuSeconds', 'leastSeconds', 'leastCpuSeconds'] as const
  return Object.fromEntries(
    keys.flatMap((key) => {
      const values = found.flatMap((turn) => turn[key] ?? [])
      return values.length === 0 ? [] : [[key, median(values)]]
    }),
  )
}

/**
 * Queries with the very same ten documents in the same order. Scores that differ by more than rounding make the
 * comparison void.
 */
function sameLists(name: string, { ids, scores, found }: Found): number {
  const wanted = Math.min(Number(depth), rows)
  if (found.length !== queries || found.some((count) => count !== wanted))
    throw new Error(`${name} did not find ${wanted} documents for every query`)
  scores.forEach((list, query) =>
    list.forEach((score, rank) => {
      const own = ours?.scores[query]?.[rank] ?? NaN
      // 384 products of unit vectors in float32, summed in different orders: a few units of the last place, 6e-8 each
      if (!(Math.abs(score - own) <= 1e-6))
        throw new Error(`${name}, query ${query}, rank ${rank}: ${score}, Strata ${own}`)
    }),
  )
  return ids.filter((list, query) => list.join() === ours?.ids[query]?.join()).length
}

/** The path of a file of unit vectors, made when missing. */
async function vectors(name: string, count: number, seed: number): Promise<string> {
  const path = join(folder, `${name}.npy`)
  if (existsSync(path)) return path
  const writer = await createNpyWriter(path, 'F32', [width])
  const random = mulberry(seed)
  const step = 4096
  for (let start = 0; start < count; start += step) {
    const block = new Float32Array(Math.min(step, count - start) * width)
    for (let at = 0; at < block.length; at += width) {
      let squares = 0
      for (let i = at; i < at + width; i++) {
        const value = 2 * random() - 1
        block[i] = value
        squares += value * value
      }
      const length = Math.sqrt(squares)
      for (let i = at; i < at + width; i++) block[i] = (block[i] ?? NaN) / length
    }
    await writer.append(new Uint8Array(block.buffer))
  }
  await writer.finish()
  return path
}
