/** `strata run`: an experiment file, by one process or by many. */
import { availableParallelism, hostname } from 'node:os'
import { fault } from '#core'
import {
  lookAgain,
  planStudy,
  readStudy,
  recordStudy,
  runStudy,
  type RunStudyOptions,
  type Shard,
  type Study,
  studyCosts,
  type StudyJob,
  type StudyPlan,
} from '#experiment/study'
import { claimedJobs, forgetFailed, forgetJobs, startWorkers, status } from '#experiment/workers'
import type { Terminal } from '../command.ts'
import { cancelStudy, clusterScript, queuedLines, submitStudy } from '../cluster.ts'
import type { CommandRun, FlagsOf } from '../commands.ts'
import { costLines, statusLines } from '../lines/study-lines.ts'
import { cacheFolder, modelOptions } from '../options.ts'

type Flags = FlagsOf<'run'>

export const run: CommandRun<'run'> = async (files, flags, terminal) => {
  checkTogether(flags)
  const study = await readStudy(files, { shard: shardOf(process.env) })
  for (const notice of flags.worker === undefined ? study.notices : []) terminal.note(`notice  ${notice}`)
  const plan = await planStudy(study)
  const folder = flags.out ?? study.name
  const options: RunStudyOptions = {
    folder,
    worker: flags.worker ?? `${hostname().replaceAll(/[^\w.-]/g, '-')}-${process.pid}`,
    model: machineOf(modelOptions(flags, terminal)),
    cache: cacheFolder(flags),
    signal: terminal.signal,
  }
  if (flags.cancel === true) return cancelStudy(folder, terminal)
  const again = await changedJobs(study, plan, options, flags, terminal)
  const cluster = { files, folder, study, plan, flags, again }
  if (flags.dryRun === true && flags.on === 'slurm') {
    for (const line of (await clusterScript(cluster)).script.trimEnd().split('\n')) terminal.print(line)
    return 0
  }
  if (flags.dryRun === true) return dryRun(study, plan, { ...options, again }, flags, terminal)
  if (flags.status === true) return told(plan, { folder, again }, flags, terminal)
  if (flags.worker === undefined) {
    await recordStudy(study, plan, folder)
    await forgetJobs(folder, again)
    if (flags.resume === true) {
      const failed = await forgetFailed(folder, plan.jobs)
      if (failed > 0) terminal.note(`${failed} failed jobs are tried again`)
    }
  }
  if (flags.on === 'slurm') return submitStudy(cluster, terminal)
  if (flags.workers !== undefined && flags.workers > 1) await many(files, flags.workers, flags, terminal)
  else
    await runStudy(study, plan, {
      ...options,
      onEvent: ({ event, job, what }) => sayEvent(plan, { event, job, what }, terminal),
    })
  return flags.worker === undefined ? told(plan, { folder, again: [] }, flags, terminal) : 0
}

/** Flags that would be without effect. */
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
  status: asked,
  cancel,
}: Flags): void {
  if (worker !== undefined && (workers !== undefined || on === 'slurm'))
    throw fault('usage.conflict', { place: '--worker', what: 'a worker starts no workers', seen: workers ?? on })
  const [first, second] = Object.entries({ '--dry-run': dryRun, '--status': asked, '--cancel': cancel }).flatMap(
    ([name, given]) => (given === true ? [name] : []),
  )
  if (first !== undefined && second !== undefined)
    throw fault('usage.conflict', { place: first, what: 'one question at a time', seen: second })
  const [stranger] = Object.entries({ partition, time, cpus, gpus, memory, setup }).flatMap(([name, given]) =>
    given === undefined ? [] : [`--${name}`],
  )
  if (stranger !== undefined && on !== 'slurm')
    throw fault('usage.conflict', {
      place: stranger,
      what: 'is asked of Slurm, and this run is not one of Slurm',
      hint: 'add --on slurm',
    })
}

/**
 * Finished jobs of which something has changed since. A worker takes what whoever started it has found; while others are
 * at work, the status is what they say.
 */
async function changedJobs(
  study: Study,
  plan: StudyPlan,
  { folder, model, cache, signal }: RunStudyOptions,
  flags: Flags,
  terminal: Terminal,
): Promise<readonly string[]> {
  if (flags.worker !== undefined) return []
  if (flags.status === true && (await claimedJobs(folder)).length > 0) return []
  const { changed, unseen } = await lookAgain(study, plan, { folder, model, cache, signal: signal ?? terminal.signal })
  if (changed.length > 0)
    terminal.note(`${changed.length} finished jobs are done again: what they are made of has changed`)
  const [first] = unseen
  if (first !== undefined)
    terminal.note(`${unseen.length} finished jobs are left as they are, not looked at again: ${first.what}`)
  return changed
}

/** What cuts a configuration of mteb-layersweep in pieces, as its own program reads it. */
function shardOf(env: Readonly<Record<string, string | undefined>>): Shard {
  const whole = (name: string): number | undefined => {
    const text = env[name]
    if (text === undefined || text === '') return undefined
    if (!/^\d+$/.test(text)) throw fault('usage.value', { place: name, what: 'not a whole number', seen: text })
    return Number(text)
  }
  return {
    onlySize: env['LAYER_TIME_ONLY_SIZE'] || undefined,
    count: whole('LAYER_TIME_NUM_SHARDS'),
    id: whole('LAYER_TIME_SHARD_ID'),
  }
}

/** What it runs on; how a model is read, the file says. */
function machineOf({
  store,
  threads,
  batchTokens,
  device,
  signal,
  onProgress,
}: RunStudyOptions['model']): RunStudyOptions['model'] {
  return { store, threads, batchTokens, device, signal, onProgress }
}

function sayEvent(
  { jobs }: StudyPlan,
  { event, job: id, what }: { event: string; job?: string | undefined; what?: string | undefined },
  terminal: Terminal,
): void {
  const job = jobs.find((one) => one.id === id)
  if (job !== undefined) terminal.note(`${event.padEnd(7)}  ${nameOf(job)}${what === undefined ? '' : `: ${what}`}`)
}

function nameOf({ kind, reference, pooling, tasks, seed }: StudyJob): string {
  return [
    reference,
    pooling,
    kind === 'aggregate'
      ? `combinations of layers, seed ${seed ?? ''}`
      : kind === 'probe'
        ? `probes of ${tasks.join(',')}`
        : tasks.join(','),
  ]
    .filter((part) => part !== undefined)
    .join('  ')
}

function idNamed({ jobs }: StudyPlan, id: string): string {
  const job = jobs.find((one) => one.id === id)
  return job === undefined ? id : nameOf(job)
}

/** The machine's threads are shared out among them. */
async function many(files: readonly string[], count: number, flags: Flags, terminal: Terminal): Promise<void> {
  const threads = Math.max(1, Math.floor((flags.threads ?? availableParallelism()) / count))
  const given = [
    ...(flags.out === undefined ? [] : ['--out', flags.out]),
    ...(flags.cacheDir === undefined ? [] : ['--cache-dir', flags.cacheDir]),
    '--threads',
    String(threads),
    ...(flags.batchTokens === undefined ? [] : ['--batch-tokens', String(flags.batchTokens)]),
    ...(flags.device === undefined ? [] : ['--device', flags.device]),
  ]
  const exits = await startWorkers({
    command: [process.execPath, process.argv[1] ?? '', 'run', ...files, ...given],
    count,
    name: `${hostname().replaceAll(/[^\w.-]/g, '-')}-${process.pid}`,
    onLine: (worker, line) => terminal.note(`${worker}  ${line}`),
    signal: terminal.signal,
  })
  const lost = exits.filter(({ code }) => code !== 0)
  if (lost.length > 0)
    terminal.note(
      `${lost.length} of ${count} workers ended early: ${lost.map(({ worker, code, signal }) => `${worker} (${signal ?? code ?? '?'})`).join(', ')}`,
    )
}

async function told(
  plan: StudyPlan,
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
  study: Study,
  plan: StudyPlan,
  options: RunStudyOptions & { readonly again: readonly string[] },
  flags: Flags,
  terminal: Terminal,
): Promise<number> {
  const groups = [...new Set(plan.jobs.map(({ group }) => group))]
  const costs = []
  for (const group of groups) {
    const jobs = plan.jobs.filter((job) => job.group === group)
    costs.push({ group, jobs: jobs.length, plan: await studyCosts(study, jobs, options) })
  }
  const found = await status(options.folder, plan.jobs, options)
  if (flags.json === true)
    terminal.print(JSON.stringify({ name: study.name, jobs: plan.jobs, finished: found.done, costs }))
  else for (const line of costLines(study.name, costs, found)) terminal.print(line)
  return 0
}
