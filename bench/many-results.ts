/**
 * A folder of 100,000 results, of 1,000 representations on 100 tasks each: `strata results` and `strata report`, whole
 * processes, seconds, CPU seconds and peak memory.
 *
 *   node bench/run.mjs many-results [--rounds 3] [--models 40] [--states 25] [--tasks 100]
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { type Contestant, contest, median, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { program, scratchFolder } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'

const rounds = Number(flag('rounds', '3'))
const [models, states, tasks] = [flag('models', '40'), flag('states', '25'), flag('tasks', '100')].map(Number)
if (models === undefined || states === undefined || tasks === undefined) throw new Error('a number is missing')
const facts = await machine()
const root = join(scratchFolder('many-results'), 'results')
rmSync(root, { recursive: true, force: true })
for (let model = 0; model < models; model++)
  for (let h = 0; h < states; h++) writeFolder(`org/model-${model}`, `h${h}`, tasks)

const turns = await contest(
  [strata('results', '--results', root), strata('report', root)],
  rounds,
  (name, round, turn) => {
    console.log(`round ${round + 1}  ${name}: ${cpuSeconds(turn).toFixed(1)} CPU s`)
  },
)
const measured = Object.entries(turns).map(([name, all]) => ({
  name,
  seconds: median(all.map(({ wallSeconds }) => wallSeconds)),
  cpuSeconds: median(all.map(cpuSeconds)),
  peakMiB: median(all.map(({ peakMiB }) => peakMiB)),
}))
const results = models * states * tasks
writeResult('many-results', { machine: facts, loadAfter: loadavg()[0], results, commands: measured })
console.log(
  table([
    [`${results} results`, 's', 'CPU s', 'MiB'],
    ...measured.map(({ name, seconds, cpuSeconds, peakMiB }) => [name, seconds, cpuSeconds, peakMiB]),
  ]),
)
rmSync(root, { recursive: true, force: true })

function cpuSeconds({ userSeconds, systemSeconds }: Turn): number {
  return userSeconds + systemSeconds
}

function strata(...args: readonly string[]): Contestant {
  return { name: `strata ${args[0] ?? ''}`, command: process.execPath, args: [program, ...args] }
}

/** As a sweep writes them, two in ten with the metrics of a search. */
function writeFolder(model: string, representation: string, count: number): void {
  const folder = join(root, model.replace('/', '__'), 'main', 'experiments', representation)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'model_meta.json'),
    JSON.stringify({ name: model, revision: 'main', experiment_kwargs: { representation } }),
  )
  for (let task = 0; task < count; task++) {
    const metrics = Array.from({ length: task % 5 === 0 ? 120 : 12 }, (_, i) => [
      `metric_at_${i}`,
      scoreOf(`${model}${representation}${task}`, i),
    ])
    const part = {
      ...Object.fromEntries(metrics),
      main_score: scoreOf(`${model}${representation}${task}`, -1),
      hf_subset: 'default',
      languages: ['eng-Latn'],
    }
    const strata = {
      status: 'ok',
      model,
      revision: 'main',
      representation,
      profile: 'mteb-2',
      settings: { pooling: 'mean', maxLength: 256, prompt: null },
      fingerprint: 'f'.repeat(64),
      fingerprint_version: 2,
      version: '0.1.0',
      seconds: 1.5,
    }
    const name = `Task${task}`
    const result = {
      dataset_revision: 'a'.repeat(40),
      task_name: name,
      mteb_version: '2.26.24',
      scores: { test: [part] },
      evaluation_time: 1.5,
      kg_co2_emissions: null,
      strata,
    }
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`)
  }
}

/** In 0 … 1, the same for the same names. */
function scoreOf(name: string, metric: number): number {
  let hash = metric + 7
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003
  return hash / 1_000_003
}
