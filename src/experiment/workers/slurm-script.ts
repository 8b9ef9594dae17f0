/** What Slurm is given: a script whose array tasks are workers on one folder. */
import { fault } from '#core'
import type { Job } from './job.ts'

export interface SlurmOptions {
  readonly partition?: string | undefined
  /** As Slurm writes it: minutes, `hours:minutes:seconds`, `days-hours`. */
  readonly time?: string | undefined
  /** Of a worker. */
  readonly cpus?: number | undefined
  readonly gpus?: number | undefined
  /** `8G`. */
  readonly memory?: string | undefined
  /** Lines of shell before the worker starts: modules, environments. */
  readonly setup?: readonly string[] | undefined
  /** Workers at most. */
  readonly workers?: number | undefined
}

export interface ScriptOptions extends SlurmOptions {
  readonly name: string
  /** Array tasks, one worker each. */
  readonly count: number
  /** Folder that the workers start in, and that their logs go to; absolute. */
  readonly folder: string
  readonly logs: string
  /** The program and what it is given; `--worker NAME` is added. */
  readonly command: readonly string[]
}

/**
 * Seconds. In less a worker would be told to end as it begins, and be queued again for ever: Slurm sends the signal up
 * to a minute earlier than asked.
 */
const shortest = 180

/**
 * A minute before its time is over, and when it is preempted, the batch shell gets a SIGTERM: it passes it on, the
 * worker gives back what it holds and ends, and the task is queued again – by Slurm where it took the job away, by
 * itself where its time is over. A task that was cancelled is not. Throws `usage.value` for what does not fit in a line
 * of a script.
 */
export function slurmScript({ name, count, folder, logs, command, ...options }: ScriptOptions): string {
  const { partition, time, cpus, gpus, memory, setup = [] } = options
  if (time !== undefined && walltime(time) < shortest)
    throw fault('usage.value', {
      place: 'slurm time',
      what: 'too short: Slurm tells a worker to end up to two minutes before',
      seen: time,
      wanted: `${shortest / 60} minutes or more`,
    })
  const directives = {
    'job-name': name,
    array: `0-${count - 1}`,
    chdir: folder,
    // a per cent sign of a path is no pattern
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
    '# told before the worker had a name',
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

/** For a line of bash: nothing in it means anything. */
export function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** For a line of `#SBATCH`, which knows double quotes and backslashes. */
function directive(value: string, key: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f]/.test(value))
    throw fault('usage.value', { place: `slurm ${key}`, what: 'not a value of one line', seen: value })
  return /^[\w./:=@%+,-]+$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** Seconds of a time as Slurm writes it. Throws `usage.value`. */
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
 * How many workers do the jobs in their walltime, by what the jobs are guessed to take: groups, which share a model,
 * are packed whole as long as they fit, the largest first. As many as there are groups where no time is given; never
 * more than jobs, nor than `most`.
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
 * Bins of a size that hold all: first fit, the largest first; what is larger than a bin takes several, as a worker that
 * is queued again goes on.
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
