/** Flags of experiments. */
import { type Flag, positive } from './flag.ts'

export const runFlags = {
  workers: { flags: '--workers <n>', help: 'processes on this machine (default: this one)', parse: positive('--workers') },
  worker: { flags: '--worker <name>', help: 'take part in a run as one of its workers, under this name' },
  resume: { flags: '--resume', help: 'try failed jobs again; what is finished is never done twice, with or without it' },
  workStatus: { flags: '--status', help: 'only say how far it is and who does what' },
} as const satisfies Record<string, Flag>
