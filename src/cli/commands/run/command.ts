/** Help of `strata run`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'run',
  group: 'search',
  summary: 'run an experiment file: models × representations × tasks × combinations, in one process or many, resumable',
  args: [
    [
      '<files...>',
      'experiment file in YAML, or a configuration of mteb-layersweep, or the stages of layer-aggregation',
    ],
  ],
  examples: [
    'strata run experiment.yaml --dry-run',
    'strata run experiment.yaml --workers 2',
    'strata run experiment.yaml --on slurm --workers 20 --time 4:00:00 --cpus 8 --memory 16G',
    'strata run experiment.yaml --status',
    'strata run experiment.yaml --resume',
  ],
}
