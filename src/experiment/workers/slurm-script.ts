/** The Slurm script: its array tasks are workers on one folder. */
import { fault } from '#core'
import type { Job } from './job.ts'

export interface SlurmOptions {
  readonly partition?: string | undefined
  /** In Slurm's notation: minutes, `hours:minutes:seconds`, `days-hours`. */
  readonly time?: string | undefined
  /** Number of processors per worker. */
  readonly cpus?: number | undefined
  readonly gpus?: number | undefined
  /** `8G`. */
  readonly memory?: string | undefined
  /** Shell commands before the worker starts: modules, environments. */
  readonly setup?: readonly string[] | undefined
  /** Maximum number of workers. */
  readonly workers?: number | undefined
}

export interface ScriptOptions extends SlurmOptions {
  readonly name: string
  /** Array tasks, one worker each. */
  readonly count: number
  /** Absolute path of the folder where the workers start and their logs go. */
  readonly folder: string
  readonly logs: string
  /** The program and its arguments; `--worker NAME` is appended. */
  readonly command: readonly string[]
}

/**
 * Seconds. With less, a worker would be stopped as it starts, and be requeued forever: Slurm sends the signal up to a
 * minute earlier than requested.
 */
const shortest = 180

/**
 * A minute before the time limit, and at preemption, the batch shell gets a SIGTERM: it passes it on, the worker
 * releases its claims and exits, and the task is queued again – by Slurm after preemption, by the script itself at the
 * time limit. A cancelled task is not. Throws `usage.value` for a value that does not fit in a line of a script.
 */
export function slurmScript({ name, count, folder, logs, command, ...options }: ScriptOptions): string {
  const { partition, time, cpus, gpus, memory, setup = [] } = options
  if (time !== undefined && walltime(time) < shortest)
    throw fault('usage.value', {
      place: 'slurm time',
      what: 'too short: Slurm signals a worker up to two minutes before the end',
      seen: time,
      wanted: `${shortest / 60} minutes or more`,
    })
  const directives = {
    'job-name': name,
    array: `0-${count - 1}`,
    chdir: folder,
    // a per cent sign in a path is not a pattern
    output: `${logs.replaceAll('%', '%%')}/%A_%a.log`,
    'open-mode': 'append',
    signal: 'B:TERM@60',
    partition,
    time,
    'cpus-per-task': cpus,
    gpus,
    mem: memory,
  }
  return `${[
    '#!/bin/bash',
    ...Object.entries(directives).flatMap(([key, value]) =>
      value === undefined ? [] : [`#SBATCH --${key}=${directive(String(value), key)}`],
    ),
    '#SBATCH --requeue',
    '',
    ...setup,
    '',
    'told=0',
    `trap 'told=1; [ -z "$worker" ] || kill -TERM "$worker" 2>/dev/null' TERM`,
    `${command.map(quoted).join(' ')} --worker "slurm-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID" &`,
    'worker=$!',
    '# signalled before the worker had a name',
    '[ "$told" = 0 ] || kill -TERM "$worker" 2>/dev/null',
    '# a signal ends a wait, not the worker, and Slurm sends more than one',
    'while wait "$worker"; code=$?; kill -0 "$worker" 2>/dev/null; do :; done',
    'if [ "$told" = 1 ]; then',
    '  if [ "$(squeue --noheader --jobs "$SLURM_JOB_ID" --format %T 2>/dev/null)" = RUNNING ]; then scontrol requeue "$SLURM_JOB_ID"; fi',
    '  exit 0',
    'fi',
    'exit "$code"',
  ].join('\n')}\n`
}

/** Quotes a word for bash, so that nothing in it is interpreted. */
export function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** Quotes a value for a line of `#SBATCH`, which supports double quotes and backslashes. */
function directive(value: string, key: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f]/.test(value))
    throw fault('usage.value', { place: `slurm ${key}`, what: 'the value must be a single line', seen: value })
  return /^[\w./:=@%+,-]+$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** Seconds of a time in Slurm's notation. Throws `usage.value`. */
export function walltime(text: string): number {
  const [, days, first = '', second, third] = /^(?:(\d+)-)?(\d+)(?::(\d{1,2}))?(?::(\d{1,2}))?$/.exec(text) ?? []
  if (first === '')
    throw fault('usage.value', {
      place: 'slurm time',
      what: 'not a time',
      seen: text,
      wanted: 'minutes, hours:minutes:seconds, days-hours',
    })
  const [a, b, c] = [first, second ?? '0', third ?? '0'].map(Number) as [number, number, number]
  if (days !== undefined) return ((Number(days) * 24 + a) * 60 + b) * 60 + c
  // minutes, minutes:seconds, or hours:minutes:seconds
  return third === undefined ? a * 60 + b : (a * 60 + b) * 60 + c
}

/**
 * Number of workers that finish the jobs within their walltime, by the estimated durations: groups, which share a
 * model, are packed whole as long as they fit, the largest first. The number of groups where no time is given; never
 * more than the number of jobs, or than `most`.
 */
export function workersFor(
  jobs: readonly Job[],
  { seconds, most = 1000 }: { seconds?: number | undefined; most?: number | undefined } = {},
): number {
  const groups = new Map<string, number>()
  for (const { group, seconds: own } of jobs) groups.set(group, (groups.get(group) ?? 0) + own)
  const wanted = seconds === undefined ? groups.size : packed([...groups.values()], seconds)
  return Math.max(1, Math.min(wanted, jobs.length, most))
}

/**
 * Number of bins of one size that hold everything: first fit, the largest first; an item larger than a bin takes
 * several, because a requeued worker continues it.
 */
function packed(sizes: readonly number[], room: number): number {
  const bins: number[] = []
  for (const size of sizes.toSorted((a, b) => b - a)) {
    const whole = Math.floor(size / room)
    const rest = size - whole * room
    for (let i = 0; i < whole; i++) bins.push(0)
    if (rest === 0) continue
    const at = bins.findIndex((left) => left >= rest)
    if (at >= 0) bins[at] = (bins[at] ?? 0) - rest
    else bins.push(room - rest)
  }
  return bins.length
}
