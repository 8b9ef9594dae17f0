/** Flags of `strata run` alone. */

import { type Flag, wordsOf } from '../../spec/flag.ts'
import { positive } from '../../spec/parsers.ts'

export const workers = {
  flags: '--workers <n>',
  help: 'processes on this machine (default: this one)',
  parse: positive('--workers'),
} as const satisfies Flag

export const resume = {
  flags: '--resume',
  help: 'try failed jobs again; what is finished is never done twice, with or without it',
} as const satisfies Flag

export const status = { flags: '--status', help: 'only say how far it is and who does what' } as const satisfies Flag

export const on = {
  flags: '--on <place>',
  help: 'this machine, or an array job of Slurm',
  choices: wordsOf<'local' | 'slurm'>()(['local', 'slurm']),
  fallback: 'local',
} as const satisfies Flag

export const cancel = {
  flags: '--cancel',
  help: 'take back the array job: its workers give back what they hold',
} as const satisfies Flag

export const partition = { flags: '--partition <name>', help: 'of Slurm' } as const satisfies Flag

export const time = {
  flags: '--time <time>',
  help: 'of Slurm, for a worker: minutes, hours:minutes:seconds, days-hours',
} as const satisfies Flag

export const cpus = {
  flags: '--cpus <n>',
  help: 'of Slurm, for a worker',
  parse: positive('--cpus'),
} as const satisfies Flag

export const gpus = {
  flags: '--gpus <n>',
  help: 'of Slurm, for a worker',
  parse: positive('--gpus'),
} as const satisfies Flag

export const memory = { flags: '--memory <size>', help: 'of Slurm, for a worker: 8G' } as const satisfies Flag

export const setup = {
  flags: '--setup <line>',
  help: 'a line of shell before a worker of Slurm starts',
  repeated: true,
} as const satisfies Flag

export const worker = {
  flags: '--worker <name>',
  help: 'take part in a run as one of its workers, under this name',
} as const satisfies Flag

export const out = { flags: '--out <folder>', help: 'folder to write to' } as const satisfies Flag
