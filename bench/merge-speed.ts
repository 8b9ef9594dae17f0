/**
 * Merging a pair of 1.1 B parameters (and their base): Strata, mergekit 0.1.5 and `cp` in turn, wall time and peak memory.
 *
 *   node bench/run.mjs merge-speed [--rounds 1] [--only ties,linear] [--programs strata,mergekit,cp] [--size small] [--memory 512M] [--threads 2] [--keep true]
 *
 * `cp` reads both inputs and writes one model, synced: what any merge of two must at least move. Inputs are made up (bench/lib/made-model.ts), lie in the page cache for all,
 * and are deleted afterwards. mergekit's time is the whole process, as Strata's is; `importSeconds` says how much of it goes before its first tensor.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contestant, median, runOnce } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
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
  task_arithmetic: pair('task_arithmetic', ['weight: 0.6', 'weight: 0.4']),
  ties: pair('ties', thinned),
  dare_ties: pair('dare_ties', thinned),
  della: pair('della', thinned),
  sce: pair('sce', ['', ''], { parameters: 'select_topk: 0.5' }),
  breadcrumbs: pair('breadcrumbs', thinned),
}

function pair(method: string, each: readonly string[], { base = true, parameters = '' }: { base?: boolean; parameters?: string } = {}): string {
  const entries = each.map((text, k) => `  - model: ${models}/tune-${k + 1}\n${text === '' ? '' : `    parameters: {${text}}\n`}`)
  return `merge_method: ${method}\n${base ? `base_model: ${models}/base\n` : ''}models:\n${entries.join('')}${parameters === '' ? '' : `parameters: {${parameters}}\n`}`
}

const only = flag('only', Object.keys(recipes).join(',')).split(',')
if (!existsSync(join(models, 'made'))) {
  console.log(`making models below ${models} …`)
  makeTinyLlamas(models, small ? smallLlama : tinyLlama, 2)
  writeFileSync(join(models, 'made'), '')
}

const out = join(work, 'out')
const copies = `cat ${models}/tune-1/model.safetensors > /dev/null; cp ${models}/tune-2/model.safetensors ${out}; sync ${out}`

function contestantsOf(method: string): Contestant[] {
  const config = join(work, `${method}.yml`)
  writeFileSync(config, recipes[method] ?? '')
  const jobs = join(work, `${method}.json`)
  writeFileSync(jobs, JSON.stringify([{ config, out }]))
  const strata = [program, 'merge', config, out, '--memory', flag('memory', '512M'), '--threads', threads, '--json']
  return [
    { name: 'strata', command: process.execPath, args: strata, fresh: [out, `${out}.partial`] },
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
  all: number[]
}

const figures: Figure[] = []
async function measure(method: string, contestants: readonly Contestant[]): Promise<void> {
  const turns = new Map(contestants.map(({ name }) => [name, [] as { seconds: number; peakMiB: number }[]]))
  for (let round = 0; round < rounds; round++) {
    for (const contestant of contestants) {
      const { wallSeconds, peakMiB, report } = await runOnce(contestant)
      if (typeof report['error'] === 'string') throw new Error(report['error'])
      turns.get(contestant.name)?.push({ seconds: wallSeconds, peakMiB })
      console.log(`${method} ${contestant.name}: ${wallSeconds.toFixed(2)} s, ${peakMiB.toFixed(0)} MiB`)
    }
  }
  for (const [name, all] of turns)
    figures.push({
      method,
      program: name,
      seconds: median(all.map(({ seconds }) => seconds)),
      peakMiB: Math.max(...all.map(({ peakMiB }) => peakMiB)),
      all: all.map(({ seconds }) => seconds),
    })
}

const where = await machine()
if (mine.includes('cp')) await measure('copy', [{ name: 'cp', command: 'sh', args: ['-c', copies], fresh: [out] }])
for (const method of only) await measure(method, contestantsOf(method))
rmSync(out, { recursive: true, force: true })
if (flag('keep', 'false') !== 'true') rmSync(models, { recursive: true, force: true })

const copy = figures.find(({ program: name }) => name === 'cp')
const of = (method: string, name: string): Figure | undefined => figures.find((one) => one.method === method && one.program === name)
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
if (!small && mine.length === 3)
  writeResult('merge-speed', { machine: { ...where, loadAfter: readFileSync('/proc/loadavg', 'utf8').trim() }, threads, rounds, figures })
