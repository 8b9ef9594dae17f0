/**
 * Merging a pair of 1.1 B parameters (and their base): Strata, mergekit 0.1.5 and `cp` in turn, wall time and peak
 * memory.
 *
 *   node bench/run.mjs merge-speed [--rounds 1] [--only ties,linear] [--programs strata,mergekit,cp] [--size small]
 *   [--memory 512M] [--threads 2] [--keep true] [--hashed true]
 *
 * `cp` reads both inputs and writes one model, synced: what any merge of two must at least move. Inputs are made up
 * (bench/lib/made-model.ts), lie in the page cache for all, and are deleted afterwards. mergekit's time is the whole
 * process, as Strata's is; `importSeconds` says how much of it goes before its first tensor. With `--hashed` only the
 * first merge hashes the inputs, as where several recipes are tried on the same models.
 *
 * A second table holds Strata's processor seconds to the bytes moved (every operand read once, the output written
 * once), with what limits it: `bench/lib/limits.ts`.
 */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contestant, median, runOnce } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { limitOf, measureLimits } from './lib/limits.ts'
import { makeTinyLlamas, smallLlama, tinyLlama } from './lib/made-model.ts'
import { peers, program, scratch, scratchFolder } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'

const work = scratchFolder('merge-speed')
const small = flag('size', 'full') === 'small'
const models = join(work, small ? 'small' : 'full')
const rounds = Number(flag('rounds', '1'))
const threads = flag('threads', '2')
const mine = flag('programs', 'strata,mergekit,cp').split(',')

const thinned = ['weight: 0.6, density: 0.5', 'weight: 0.4, density: 0.5']
const recipes: Readonly<Record<string, string>> = {
  linear: pair('linear', ['weight: 0.6', 'weight: 0.4'], { base: false }),
  slerp: `merge_method: slerp\nbase_model: ${models}/tune-1\nmodels:\n  - model: ${models}/tune-1\n  - model: ${models}/tune-2\nparameters: {t: 0.4}\n`,
  nuslerp: pair('nuslerp', ['weight: 0.6', 'weight: 0.4'], { base: false }),
  model_stock: pair('model_stock', ['', '']),
  task_arithmetic: pair('task_arithmetic', ['weight: 0.6', 'weight: 0.4']),
  ties: pair('ties', thinned),
  dare_ties: pair('dare_ties', thinned),
  della: pair('della', thinned),
  sce: pair('sce', ['', ''], { parameters: 'select_topk: 0.5' }),
  breadcrumbs: pair('breadcrumbs', thinned),
}

function pair(
  method: string,
  each: readonly string[],
  { base = true, parameters = '' }: { base?: boolean; parameters?: string } = {},
): string {
  const entries = each.map(
    (text, k) => `  - model: ${models}/tune-${k + 1}\n${text === '' ? '' : `    parameters: {${text}}\n`}`,
  )
  return `merge_method: ${method}\n${base ? `base_model: ${models}/base\n` : ''}models:\n${entries.join('')}${parameters === '' ? '' : `parameters: {${parameters}}\n`}`
}

const only = flag('only', Object.keys(recipes).join(',')).split(',')
if (!existsSync(join(models, 'made'))) {
  console.log(`making models below ${models} …`)
  makeTinyLlamas(models, small ? smallLlama : tinyLlama, 2)
  writeFileSync(join(models, 'made'), '')
}

const out = join(work, 'out')
const cache = join(work, 'cache')
const copies = `cat ${models}/tune-1/model.safetensors > /dev/null; cp ${models}/tune-2/model.safetensors ${out}; sync ${out}`

function contestantsOf(method: string): Contestant[] {
  const config = join(work, `${method}.yml`)
  writeFileSync(config, recipes[method] ?? '')
  const jobs = join(work, `${method}.json`)
  writeFileSync(jobs, JSON.stringify([{ config, out }]))
  const strata = [program, 'merge', config, out, '--memory', flag('memory', '512M'), '--threads', threads, '--json']
  return [
    {
      name: 'strata',
      command: process.execPath,
      args: strata,
      // inputs are hashed in every turn, as in a first merge of them
      env: { STRATA_CACHE: cache },
      fresh: [out, `${out}.partial`, ...(flag('hashed', 'false') === 'true' ? [] : [cache])],
    },
    {
      name: 'mergekit',
      command: join(scratch, 'mergekit-0.1.5', 'bin', 'python'),
      args: [join(peers, 'python', 'mergekit_run.py'), jobs, threads],
      fresh: [out],
    },
  ].filter(({ name }) => mine.includes(name))
}

interface Figure {
  method: string
  program: string
  seconds: number
  peakMiB: number
  userSeconds: number
  systemSeconds: number
  all: number[]
}

const figures: Figure[] = []
async function measure(method: string, contestants: readonly Contestant[]): Promise<void> {
  const turns = new Map(
    contestants.map(({ name }) => [
      name,
      [] as { seconds: number; peakMiB: number; userSeconds: number; systemSeconds: number }[],
    ]),
  )
  for (let round = 0; round < rounds; round++) {
    for (const contestant of contestants) {
      const { wallSeconds, peakMiB, userSeconds, systemSeconds, report } = await runOnce(contestant)
      if (typeof report['error'] === 'string') throw new Error(report['error'])
      turns.get(contestant.name)?.push({ seconds: wallSeconds, peakMiB, userSeconds, systemSeconds })
      console.log(
        `${method} ${contestant.name}: ${wallSeconds.toFixed(2)} s, user ${userSeconds.toFixed(2)} s, ${peakMiB.toFixed(0)} MiB`,
      )
    }
  }
  for (const [name, all] of turns)
    figures.push({
      method,
      program: name,
      seconds: median(all.map(({ seconds }) => seconds)),
      peakMiB: Math.max(...all.map(({ peakMiB }) => peakMiB)),
      userSeconds: median(all.map((one) => one.userSeconds)),
      systemSeconds: median(all.map((one) => one.systemSeconds)),
      all: all.map(({ seconds }) => seconds),
    })
}

const where = await machine()
const limits = measureLimits(join(work, 'written'))
if (mine.includes('cp')) await measure('copy', [{ name: 'cp', command: 'sh', args: ['-c', copies], fresh: [out] }])
for (const method of only) await measure(method, contestantsOf(method))
const modelBytes = statSync(join(models, 'base', 'model.safetensors')).size
for (const path of [out, cache]) rmSync(path, { recursive: true, force: true })
if (flag('keep', 'false') !== 'true') rmSync(models, { recursive: true, force: true })

const copy = figures.find(({ program: name }) => name === 'cp')
const of = (method: string, name: string): Figure | undefined =>
  figures.find((one) => one.method === method && one.program === name)
console.log(
  table([
    ['method', 'strata s', 'MiB', 'mergekit s', 'MiB', 'times', 'of cp'],
    ...only.map((method) => {
      const [own, other] = [of(method, 'strata'), of(method, 'mergekit')]
      return [
        method,
        own?.seconds ?? NaN,
        own?.peakMiB ?? NaN,
        other?.seconds ?? NaN,
        other?.peakMiB ?? NaN,
        (other?.seconds ?? NaN) / (own?.seconds ?? NaN),
        (own?.seconds ?? NaN) / (copy?.seconds ?? NaN),
      ]
    }),
  ]),
)
const costs = only.flatMap((method) => {
  const own = of(method, 'strata')
  if (own === undefined) return []
  // pairs without a base read two models, the others three
  const moved = (/^base_model/m.test(recipes[method] ?? '') && method !== 'slerp' ? 4 : 3) * modelBytes
  const { seconds, userSeconds, systemSeconds } = own
  const limit = limitOf(
    { moved, output: modelBytes, processorSeconds: userSeconds + systemSeconds, threads: Number(threads) },
    limits,
  )
  return [
    {
      method,
      movedGB: moved / 1e9,
      seconds,
      userSeconds,
      systemSeconds,
      GBs: moved / 1e9 / seconds,
      userSecondsPerGB: userSeconds / (moved / 1e9),
      limit,
    },
  ]
})
console.log(
  `\ncopy in memory ${limits.memoryGBs.toFixed(1)} GB/s, written and synced ${limits.diskGBs.toFixed(2)} GB/s, ${threads} threads`,
)
console.log(
  table([
    ['method', 'GB moved', 's', 'user s', 'system s', 'GB/s', 'user s/GB', 'limit'],
    ...costs.map((cost) => [
      cost.method,
      cost.movedGB,
      cost.seconds,
      cost.userSeconds,
      cost.systemSeconds,
      cost.GBs,
      cost.userSecondsPerGB,
      cost.limit,
    ]),
  ]),
)
const after = readFileSync('/proc/loadavg', 'utf8').trim()
console.log(`load before ${String(where['loadBefore'])}, after ${after}`)
const measured = { machine: { ...where, loadAfter: after }, threads, rounds, limits, costs, figures }
if (!small && mine.length === 3) writeResult('merge-speed', measured)
else if (only.length === Object.keys(recipes).length)
  writeResult('merge-costs', { parameters: (modelBytes / 2e9).toFixed(1), ...measured })
