/** What `strata run` takes. */
import type { CommandSpec } from './command.ts'
import { everywhere } from './flag-groups.ts'

export const running = {
  summary: 'run an experiment file: models × representations × tasks × combinations, by one process or many, resumable',
  args: [
    ['<files...>', 'an experiment in YAML; or a configuration of mteb-layersweep, or the stages of layer-aggregation'],
  ],
  flags: [
    'workers',
    'resume',
    'workStatus',
    'on',
    'cancelWork',
    'partition',
    'walltime',
    'cpus',
    'gpus',
    'workerMemory',
    'setup',
    'worker',
    'outFolder',
    'batchTokens',
    'threads',
    'device',
    'cacheDir',
    'cacheLimit',
    'dryRun',
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
