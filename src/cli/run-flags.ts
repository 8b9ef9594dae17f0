/** Flags of experiments. */
import { type Flag, positive, wordsOf } from './flag.ts'

export const runFlags = {
  workers: {
    flags: '--workers <n>',
    help: 'processes on this machine (default: this one)',
    parse: positive('--workers'),
  },
  worker: { flags: '--worker <name>', help: 'take part in a run as one of its workers, under this name' },
  resume: {
    flags: '--resume',
    help: 'try failed jobs again; what is finished is never done twice, with or without it',
  },
  on: {
    flags: '--on <place>',
    help: 'this machine, or an array job of Slurm',
    choices: wordsOf<'local' | 'slurm'>()(['local', 'slurm']),
    fallback: 'local',
  },
  cancelWork: { flags: '--cancel', help: 'take back the array job: its workers give back what they hold' },
  partition: { flags: '--partition <name>', help: 'of Slurm' },
  walltime: { flags: '--time <time>', help: 'of Slurm, for a worker: minutes, hours:minutes:seconds, days-hours' },
  cpus: { flags: '--cpus <n>', help: 'of Slurm, for a worker', parse: positive('--cpus') },
  gpus: { flags: '--gpus <n>', help: 'of Slurm, for a worker', parse: positive('--gpus') },
  workerMemory: { flags: '--memory <size>', help: 'of Slurm, for a worker: 8G' },
  setup: { flags: '--setup <line>', help: 'a line of shell before a worker of Slurm starts', repeated: true },
  workStatus: { flags: '--status', help: 'only say how far it is and who does what' },
} as const satisfies Record<string, Flag>
