/** An experiment file, by one process or by many: `strata run`, and what other commands leave to it. */
import { hostname } from 'node:os'
import { fault } from '#core'
import {
  jobName,
  languageCosts,
  lookAgain,
  planExperiment,
  readExperiment,
  recordExperiment,
  runExperiment,
  type RunExperimentOptions,
  type Shard,
  type Experiment,
  experimentCosts,
  type ExperimentPlan,
} from '#experiment/run'
import { threadBudget } from '#platform/threads'
import { claimedJobs, forgetFailed, forgetJobs, startWorkers, status } from '#experiment/workers'
import type { Terminal } from '../spec/command.ts'
import { cancelExperiment, clusterScript, queuedLines, submitExperiment } from './cluster.ts'
import type { Flags } from './flags.ts'
import { workerFlags } from './worker-flags.ts'
import { languageCostLines, costLines, statusLines } from './experiment-lines.ts'
import { cacheFolder, modelOptions } from '../options/model-options.ts'

export interface Along {
  /** Called whenever a worker says something. Jobs of this process wait for it. */
  readonly onChange?: (() => Promise<void>) | undefined
}

/** A command by itself; others run experiments of their own with it. */
export async function runFile(
  files: readonly string[],
  flags: Flags,
  terminal: Terminal,
  { onChange }: Along = {},
): Promise<number> {
  checkTogether(flags)
  // who only looks, or stops, asks no server
  const needsKeys = flags.status !== true && flags.cancel !== true
  const experiment = await readExperiment(files, { shard: shardOf(process.env), needsKeys })
  for (const notice of flags.worker === undefined ? experiment.notices : []) terminal.note(`notice  ${notice}`)
  const plan = await planExperiment(experiment)
  const folder = flags.out ?? experiment.name
  const options: RunExperimentOptions = {
    folder,
    worker: flags.worker ?? `${hostname().replaceAll(/[^\w.-]/g, '-')}-${process.pid}`,
    model: machineOf(modelOptions(flags, terminal)),
    cache: cacheFolder(flags),
    signal: terminal.signal,
  }
  if (flags.cancel === true) return cancelExperiment(folder, terminal)
  const again = await changedJobs(experiment, plan, options, flags, terminal)
  const cluster = { files, folder, experiment, plan, flags, again }
  if (flags.dryRun === true && flags.on === 'slurm') {
    for (const line of (await clusterScript(cluster)).script.trimEnd().split('\n')) terminal.print(line)
    return 0
  }
  if (flags.dryRun === true) return dryRun(experiment, plan, { ...options, again }, flags, terminal)
  if (flags.status === true) return printStatus(plan, { folder, again }, flags, terminal)
  if (flags.worker === undefined) {
    await recordExperiment(experiment, plan, folder)
    await forgetJobs(folder, again)
    if (flags.resume === true) {
      const failed = await forgetFailed(folder, plan.jobs)
      if (failed > 0) terminal.note(`${failed} failed jobs will be tried again`)
    }
  }
  if (flags.on === 'slurm') return submitExperiment(cluster, terminal)
  if (flags.workers !== undefined && flags.workers > 1)
    await runByWorkers(files, flags.workers, { flags, onChange }, terminal)
  else
    await runExperiment(experiment, plan, {
      ...options,
      onEvent({ event, job, what }) {
        sayEvent(plan, { event, job, what }, terminal)
        return onChange?.()
      },
    })
  return flags.worker === undefined ? printStatus(plan, { folder, again: [] }, flags, terminal) : 0
}

/** Refuses flags that would have no effect. */
function checkTogether({
  on,
  worker,
  workers,
  partition,
  time,
  cpus,
  gpus,
  memory,
  setup,
  dryRun,
  resume,
  status: asked,
  cancel,
}: Flags): void {
  if (worker !== undefined && resume === true)
    throw fault('usage.conflict', {
      place: '--resume',
      what: 'cannot be combined with --worker',
      hint: 'give it to the run that the worker joins',
    })
  if (worker !== undefined && (workers !== undefined || on === 'slurm'))
    throw fault('usage.conflict', {
      place: '--worker',
      what: 'cannot be combined with --workers or --on slurm',
      seen: workers ?? on,
    })
  const [first, second] = Object.entries({ '--dry-run': dryRun, '--status': asked, '--cancel': cancel }).flatMap(
    ([name, given]) => (given === true ? [name] : []),
  )
  if (first !== undefined && second !== undefined)
    throw fault('usage.conflict', { place: first, what: 'only one of these can be given', seen: second })
  const [stranger] = Object.entries({ partition, time, cpus, gpus, memory, setup }).flatMap(([name, given]) =>
    given === undefined ? [] : [`--${name}`],
  )
  if (stranger !== undefined && on !== 'slurm')
    throw fault('usage.conflict', {
      place: stranger,
      what: 'needs --on slurm',
      hint: 'add --on slurm',
    })
}

/**
 * Finished jobs whose inputs have changed since. A worker accepts the finding of the process that started it; while
 * others are at work, the status is theirs.
 */
async function changedJobs(
  experiment: Experiment,
  plan: ExperimentPlan,
  { folder, model, cache, signal }: RunExperimentOptions,
  flags: Flags,
  terminal: Terminal,
): Promise<readonly string[]> {
  if (flags.worker !== undefined) return []
  if (flags.status === true && (await claimedJobs(folder)).length > 0) return []
  const { changed, unseen } = await lookAgain(experiment, plan, {
    folder,
    model,
    cache,
    signal: signal ?? terminal.signal,
  })
  if (changed.length > 0) terminal.note(`${changed.length} finished jobs are run again: their inputs have changed`)
  const [first] = unseen
  if (first !== undefined)
    terminal.note(`${unseen.length} finished jobs are left unchanged and could not be checked again: ${first.what}`)
  return changed
}

/** The shard of a configuration of mteb-layersweep, as its own program reads it. */
function shardOf(env: Readonly<Record<string, string | undefined>>): Shard {
  const whole = (name: string): number | undefined => {
    const text = env[name]
    if (text === undefined || text === '') return undefined
    if (!/^\d+$/.test(text)) throw fault('usage.value', { place: name, what: 'must be a whole number', seen: text })
    return Number(text)
  }
  return {
    onlySize: env['LAYER_TIME_ONLY_SIZE'] || undefined,
    count: whole('LAYER_TIME_NUM_SHARDS'),
    id: whole('LAYER_TIME_SHARD_ID'),
  }
}

/** Where and how fast a model runs; the file determines how it is read. */
function machineOf({
  store,
  threads,
  batchTokens,
  device,
  signal,
  onProgress,
}: RunExperimentOptions['model']): RunExperimentOptions['model'] {
  return { store, threads, batchTokens, device, signal, onProgress }
}

function sayEvent(
  { jobs }: ExperimentPlan,
  { event, job: id, what }: { event: string; job?: string | undefined; what?: string | undefined },
  terminal: Terminal,
): void {
  const job = jobs.find((one) => one.id === id)
  if (job !== undefined) terminal.note(`${event.padEnd(7)}  ${jobName(job)}${what === undefined ? '' : `: ${what}`}`)
}

function idNamed({ jobs }: ExperimentPlan, id: string): string {
  const job = jobs.find((one) => one.id === id)
  return job === undefined ? id : jobName(job)
}

/** The machine's threads are divided among them. */
async function runByWorkers(
  files: readonly string[],
  count: number,
  { flags, onChange }: Along & { readonly flags: Flags },
  terminal: Terminal,
): Promise<void> {
  const threads = Math.max(1, Math.floor((flags.threads ?? threadBudget()) / count))
  const exits = await startWorkers({
    command: [process.execPath, process.argv[1] ?? '', 'run', ...files, ...workerFlags({ ...flags, threads })],
    count,
    name: `${hostname().replaceAll(/[^\w.-]/g, '-')}-${process.pid}`,
    onLine(worker, line) {
      terminal.note(`${worker}  ${line}`)
      void onChange?.()
    },
    signal: terminal.signal,
  })
  const lost = exits.filter(({ code }) => code !== 0)
  if (lost.length > 0)
    terminal.note(
      `${lost.length} of ${count} workers ended early: ${lost.map(({ worker, code, signal }) => `${worker} (${signal ?? code ?? '?'})`).join(', ')}`,
    )
}

async function printStatus(
  plan: ExperimentPlan,
  { folder, again }: { readonly folder: string; readonly again: readonly string[] },
  flags: Flags,
  terminal: Terminal,
): Promise<number> {
  const found = await status(folder, plan.jobs, { again })
  if (flags.json === true) terminal.print(JSON.stringify(found))
  else
    for (const line of [...statusLines(found, (id) => idNamed(plan, id), folder), ...(await queuedLines(folder))])
      terminal.print(line)
  return found.failed.length > 0 ? 1 : 0
}

async function dryRun(
  experiment: Experiment,
  plan: ExperimentPlan,
  options: RunExperimentOptions & { readonly again: readonly string[] },
  flags: Flags,
  terminal: Terminal,
): Promise<number> {
  const groups = [...new Set(plan.jobs.map(({ group }) => group))]
  const costs = []
  for (const group of groups) {
    const jobs = plan.jobs.filter((job) => job.group === group)
    costs.push({ group, jobs: jobs.length, plan: await experimentCosts(experiment, jobs, options) })
  }
  const asked = await languageCosts(experiment, plan, { cache: options.cache, signal: terminal.signal })
  const found = await status(options.folder, plan.jobs, options)
  if (flags.json === true)
    terminal.print(JSON.stringify({ name: experiment.name, jobs: plan.jobs, finished: found.done, costs, asked }))
  else
    for (const line of [...costLines(experiment.name, costs, found), ...languageCostLines(asked)]) terminal.print(line)
  return asked.some(({ problem }) => problem !== null) ? 1 : 0
}
