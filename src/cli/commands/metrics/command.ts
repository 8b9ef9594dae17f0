/** Help of `strata metrics`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'metrics',
  group: 'look',
  summary: 'measure each layer without labels: spectra, entropies, neighbours, curvature',
  args: [['<models...>', 'org/name, org/name@revision, or folders']],
  examples: [
    'strata metrics sentence-transformers/all-MiniLM-L6-v2 --texts texts.txt --json',
    'strata metrics ./model --task STSBenchmark:test --metrics effective_rank,curvature',
  ],
}
