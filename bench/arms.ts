/**
 * A search over every layer of nine checkpoints, 351 arms by default: seconds of a pull whose checkpoint was pulled
 * before, next to those of a checkpoint's first pull; then the same search again, which finds all of its pulls. The
 * policy draws at random, so that nearly every pull is of another checkpoint than the one before.
 *
 *   node bench/run.mjs arms [--checkpoints 9] [--layers 38] [--width 256] [--budget 351]
 */
import { readFileSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { type Contestant, median, runOnce } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { madeCheckpoint, neoxShape } from './lib/made-shapes.ts'
import { carried, program, scratchFolder } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'

interface Pull {
  readonly checkpoint: string
  readonly seconds: number
}

const layers = Number(flag('layers', '38'))
const width = Number(flag('width', '256'))
const count = Number(flag('checkpoints', '9'))
const budget = flag('budget', String(count * (layers + 1)))
const facts = await machine()
const shape = neoxShape({ width, layers, heads: width / 64 })
const checkpoints = Array.from({ length: count }, (_, seed) =>
  madeCheckpoint(`neox-${layers}x${width}-${seed}`, shape, { seed }),
)
const home = scratchFolder('arms')
const [out, cache, results] = ['search', 'cache', 'results'].map((name) => join(home, name)) as [string, string, string]
for (const folder of [out, cache, results]) rmSync(folder, { recursive: true, force: true })
const search: Contestant = {
  name: 'strata search',
  command: process.execPath,
  args: [
    program,
    'search',
    ...checkpoints,
    '--tasks',
    'STS17',
    '--subsets',
    'en-en',
    '--policy',
    'random',
    '--budget',
    budget,
    '--results',
    results,
    '--out',
    out,
    '--cache-dir',
    cache,
    '--quiet',
  ],
  env: { HF_HUB_CACHE: carried, HF_HUB_OFFLINE: '1' },
}

const first = await runOnce(search)
const pulls = readFileSync(join(out, 'trajectory.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => {
    const pull = JSON.parse(line) as Partial<Pull>
    return pull.checkpoint === undefined || pull.seconds === undefined ? [] : [pull as Pull]
  })
const opened = new Set<string>()
const [firsts, later]: [number[], number[]] = [[], []]
for (const { checkpoint, seconds } of pulls) {
  ;(opened.has(checkpoint) ? later : firsts).push(seconds)
  opened.add(checkpoint)
}
const again = await runOnce(search)
const seconds = { first: median(firsts), later: median(later), latest: Math.max(...later) }
writeResult('arms', {
  machine: facts,
  loadAfter: loadavg()[0],
  checkpoints: count,
  states: layers + 1,
  pulls: pulls.length,
  seconds,
  whole: first,
  again,
})
console.log(
  table([
    [`${pulls.length} pulls, ${opened.size} checkpoints`, 's', 'MiB'],
    ['first pull of a checkpoint, median', seconds.first, ''],
    ['later pull, median', seconds.later, ''],
    ['later pull, slowest', seconds.latest, ''],
    ['the whole search', first.wallSeconds, first.peakMiB],
    ['the same again', again.wallSeconds, again.peakMiB],
  ]),
)
