/** What `strata run` takes. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { batchTokens, threads, device, cacheDir, cacheLimit } from '../../flags/machine.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import {
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
} from './flags.ts'

export const command = {
  name: 'run',
  group: 'search',
  summary: 'run an experiment file: models × representations × tasks × combinations, in one process or many, resumable',
  args: [
    [
      '<files...>',
      'experiment file in YAML, or a configuration of mteb-layersweep, or the stages of layer-aggregation',
    ],
  ],
  flags: [
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
  ],
  examples: [
    'strata run experiment.yaml --dry-run',
    'strata run experiment.yaml --workers 2',
    'strata run experiment.yaml --on slurm --workers 20 --time 4:00:00 --cpus 8 --memory 16G',
    'strata run experiment.yaml --status',
    'strata run experiment.yaml --resume',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
