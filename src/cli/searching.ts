/** What `strata search` takes. */
import type { CommandSpec } from './command.ts'
import { everywhere } from './flag-groups.ts'

export const searching = {
  summary: 'find the best checkpoint and layer under a budget; or see how policies would have done on recorded scores',
  args: [['[model]', 'which model of the recorded scores']],
  flags: [
    'replay',
    'tasks',
    'policy',
    'budgets',
    'rewardKind',
    'aggregation',
    'clip',
    'floor',
    'baseline',
    'context',
    'contextCorpus',
    'depth',
    'lastStep',
    'alpha',
    'seeds',
    'costKind',
    'checkpointCost',
    'averageSubsets',
    'plot',
    'background',
    ...everywhere,
  ],
  examples: [
    'strata search pythia-410m --replay scores.jsonl --context metrics.jsonl --policy all --budget 10,25,50,100 --plot regret.svg',
    'strata search --replay results --policy random,sweep --budget 20',
  ],
} as const satisfies CommandSpec
