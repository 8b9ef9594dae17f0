/** Flags of an experiment. */
import { dryRun, everywhere } from '../flags/everywhere.ts'
import { batchTokens, threads, device, cacheDir, cacheLimit } from '../flags/machine.ts'
import { type Flag, wordsOf } from '../spec/flag.ts'
import { positive } from '../spec/parsers.ts'
import type { FlagValues } from '../spec/flag-values.ts'

export const workers = {
  flags: '--workers <n>',
  help: 'number of worker processes on this machine (default: this process)',
  parse: positive('--workers'),
} as const satisfies Flag

export const resume = {
  flags: '--resume',
  help: 'try failed jobs again; finished jobs are never done twice, with or without it',
} as const satisfies Flag

export const status = {
  flags: '--status',
  help: 'show the progress and the workers’ jobs, and do nothing',
} as const satisfies Flag

export const on = {
  flags: '--on <place>',
  help: 'where to run: on this machine, or as an array job of Slurm',
  choices: wordsOf<'local' | 'slurm'>()(['local', 'slurm']),
  fallback: 'local',
} as const satisfies Flag

export const cancel = {
  flags: '--cancel',
  help: 'cancel the array job; its workers give back the jobs that they hold',
} as const satisfies Flag

export const partition = { flags: '--partition <name>', help: 'Slurm partition' } as const satisfies Flag

export const time = {
  flags: '--time <time>',
  help: 'Slurm: time limit per worker: minutes, hours:minutes:seconds, or days-hours',
} as const satisfies Flag

export const cpus = {
  flags: '--cpus <n>',
  help: 'Slurm: number of processors per worker',
  parse: positive('--cpus'),
} as const satisfies Flag

export const gpus = {
  flags: '--gpus <n>',
  help: 'Slurm: number of GPUs per worker',
  parse: positive('--gpus'),
} as const satisfies Flag

export const memory = { flags: '--memory <size>', help: 'Slurm: memory per worker, such as 8G' } as const satisfies Flag

export const setup = {
  flags: '--setup <line>',
  help: 'Slurm: line of shell to run before each worker; repeatable',
  repeated: true,
} as const satisfies Flag

export const worker = {
  flags: '--worker <name>',
  help: 'name under which to join a run as one of its workers',
} as const satisfies Flag

export const out = {
  flags: '--out <folder>',
  help: 'folder of the experiment (default: its name)',
} as const satisfies Flag

export const flags = [
  workers,
  resume,
  status,
  on,
  cancel,
  partition,
  time,
  cpus,
  gpus,
  memory,
  setup,
  worker,
  out,
  batchTokens,
  threads,
  device,
  cacheDir,
  cacheLimit,
  dryRun,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
