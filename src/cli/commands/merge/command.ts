/** Help of `strata merge`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'merge',
  group: 'combine',
  summary: 'merge models into one by a mergekit recipe',
  args: [
    ['<recipe>', 'mergekit or mergekit-moe YAML'],
    [
      '[more-and-out...]',
      'further recipes, then the folder to write; with several recipes each gets its own folder inside it, and what they share is read once; no folder with --dry-run or --steps',
    ],
  ],
  examples: [
    'strata merge ties.yml ./merged',
    'strata merge ties.yml --dry-run',
    'strata merge recipes/*.yml --steps --json > steps.jsonl',
    'strata merge recipes/*.yml ./merged    # ./merged/ties, ./merged/slerp, …',
    'strata evaluate --merge ties.yml --tasks STSBenchmark    # the same, scored without being written',
  ],
}
