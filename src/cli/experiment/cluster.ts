/** `strata run --on slurm`: the workers of an experiment as an array job. */
import { resolve } from 'node:path'
import { asFault, fault } from '#core'
import type { Experiment, ExperimentPlan } from '#experiment/run'
import {
  cancel,
  finishedJobs,
  queue,
  type Queued,
  slurmScript,
  submit,
  submitted,
  walltime,
  workersFor,
} from '#experiment/workers'
import type { Terminal } from '../spec/command.ts'
import type { Flags } from './flags.ts'
import { workerFlags } from './worker-flags.ts'

interface ClusterOptions {
  readonly files: readonly string[]
  readonly folder: string
  readonly experiment: Experiment
  readonly plan: ExperimentPlan
  readonly flags: Flags
  /** Finished jobs that will run again. */
  readonly again: readonly string[]
}

/**
 * The script, and the number of workers it starts; flags override the file's `slurm`. Only unfinished jobs count.
 * Throws `usage.value`.
 */
export async function clusterScript({
  files,
  folder,
  experiment,
  plan,
  flags,
  again,
}: ClusterOptions): Promise<{ script: string; tasks: number; logs: string }> {
  const { partition, time, cpus, gpus, memory, setup, workers } = experiment.slurm ?? {}
  const asked = {
    partition: flags.partition ?? partition,
    time: flags.time ?? time,
    cpus: flags.cpus ?? cpus,
    gpus: flags.gpus ?? gpus,
    memory: flags.memory ?? memory,
    setup: flags.setup ?? setup,
  }
  const finished = await finishedJobs(folder)
  const left = plan.jobs.filter(({ id }) => !finished.has(id) || again.includes(id))
  const tasks = workersFor(left, {
    seconds: asked.time === undefined ? undefined : walltime(asked.time),
    most: flags.workers ?? workers,
  })
  const logs = resolve(folder, 'logs')
  const given = workerFlags({
    ...flags,
    out: resolve(folder),
    cacheDir: flags.cacheDir === undefined ? undefined : resolve(flags.cacheDir),
    threads: flags.threads ?? asked.cpus,
  })
  const command = [process.execPath, process.argv[1] ?? '', 'run', ...files.map((file) => resolve(file)), ...given]
  return {
    script: slurmScript({
      name: `strata-${experiment.name}`,
      count: tasks,
      folder: process.cwd(),
      logs,
      command,
      ...asked,
    }),
    tasks,
    logs,
  }
}

export async function submitExperiment(options: ClusterOptions, terminal: Terminal): Promise<number> {
  const { script, tasks, logs } = await clusterScript(options)
  const { id } = await submit(options.folder, script, { tasks, logs })
  const { files, flags } = options
  if (flags.json === true) terminal.print(JSON.stringify({ id, tasks, logs }))
  else {
    terminal.print(`array ${id} of ${tasks} ${tasks === 1 ? 'worker' : 'workers'}, logs in ${logs}`)
    const out = flags.out === undefined ? '' : ` --out ${flags.out}`
    terminal.print(`strata run ${files.join(' ')}${out} --status shows the progress, --cancel cancels it`)
  }
  return 0
}

export async function cancelExperiment(folder: string, terminal: Terminal): Promise<number> {
  const found = await cancel(folder)
  if (found === undefined)
    throw fault('usage.conflict', { place: folder, what: 'no array job was submitted from here' })
  terminal.print(
    `array ${found.id} of ${found.tasks} is cancelled; finished jobs are kept, strata run continues with the rest`,
  )
  return 0
}

/**
 * Its tasks, one per line; none where nothing is queued, or where Slurm is not installed. Other failures of Slurm are
 * printed.
 */
export async function queuedLines(folder: string): Promise<string[]> {
  const found = await submitted(folder)
  if (found === undefined) return []
  let tasks: readonly Queued[]
  try {
    tasks = await queue(found.id)
  } catch (error) {
    const { code, message } = asFault(error, 'internal', folder)
    return code === 'cluster.missing' ? [] : [`slurm    ${message}`]
  }
  return tasks.map(
    ({ task, state, node, time, reason }) =>
      `slurm    ${[task, state.toLowerCase(), node, time, reason === 'None' ? '' : reason].filter((part) => part !== '').join('  ')}`,
  )
}
