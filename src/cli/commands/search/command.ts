/** Help of `strata search`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'search',
  group: 'search',
  summary: 'find the best checkpoint and layer within a budget, or replay policies over recorded scores',
  args: [
    [
      '[models...]',
      'one model and its --revisions, or several as checkpoints; with --replay the model whose scores are meant',
    ],
  ],
  examples: [
    'strata search EleutherAI/pythia-410m --revisions every:8 --tasks "STS*" --budget 50',
    'strata search ./step0 ./step512 ./step1000 --tasks STSBenchmark,Banking77Classification --policy random --budget 12',
    'strata search ./run --revisions all --tasks STSBenchmark,SICK-R --policy halving --limit 0.125,0.5 --budget 20',
    'strata search ./run --revisions all --layers all --means 2,3 --tasks STSBenchmark --budget 30',
    'strata search --merge slerp.yml --vary t=0:1:0.1 --tasks STSBenchmark --budget 20 --policy gp-ei',
    'strata search pythia-410m --replay scores.jsonl --context metrics.jsonl --policy all --budget 10,25,50,100 --plot regret.svg',
  ],
}
