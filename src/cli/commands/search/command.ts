/** What `strata search` takes. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { layers, furtherRepresentations, merge } from '../../flags/models.ts'
import { background } from '../../flags/pictures.ts'
import { reading } from '../../flags/reading.ts'
import { selecting } from '../../flags/selecting.ts'
import { tasks } from '../../flags/tasks.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import type { Flag } from '../../spec/flag.ts'
import {
  revisions,
  means,
  vary,
  policy,
  budget,
  budgetSeconds,
  limit,
  keepCheckpoints,
  reward,
  aggregation,
  clip,
  floor,
  baseline,
  context,
  contextCorpus,
  texts,
  depth,
  lastStep,
  alpha,
  seed,
  cost,
  out,
  replay,
  seeds,
  checkpointCost,
  averageSubsets,
  plot,
} from './flags.ts'

const byBoth = [
  policy,
  budget,
  reward,
  aggregation,
  clip,
  floor,
  baseline,
  context,
  contextCorpus,
  alpha,
  // refused by the replay, in words of their own
  means,
  limit,
  ...everywhere,
] as const satisfies readonly Flag[]

/** Flags that act on recorded scores. */
export const replayed = [
  ...byBoth,
  replay,
  tasks,
  depth,
  lastStep,
  seeds,
  cost,
  checkpointCost,
  averageSubsets,
  plot,
  background,
] as const satisfies readonly Flag[]

/** Flags that act on a search that scores. */
export const live = [
  ...byBoth,
  ...selecting,
  revisions,
  layers,
  furtherRepresentations,
  merge,
  vary,
  budgetSeconds,
  keepCheckpoints,
  texts,
  seed,
  cost,
  out,
  ...reading,
  ...machine,
  dryRun,
] as const satisfies readonly Flag[]

export const command = {
  name: 'search',
  group: 'search',
  summary: 'find the best checkpoint and layer within a budget, or replay policies over recorded scores',
  args: [
    [
      '[models...]',
      'one model and its --revisions, or several as checkpoints; with --replay the model whose scores are meant',
    ],
  ],
  flags: [
    ...selecting,
    revisions,
    layers,
    furtherRepresentations,
    means,
    merge,
    vary,
    policy,
    budget,
    budgetSeconds,
    limit,
    keepCheckpoints,
    reward,
    aggregation,
    clip,
    floor,
    baseline,
    context,
    contextCorpus,
    texts,
    depth,
    lastStep,
    alpha,
    seed,
    cost,
    out,
    replay,
    seeds,
    checkpointCost,
    averageSubsets,
    plot,
    background,
    ...reading,
    ...machine,
    dryRun,
    ...everywhere,
  ],
  examples: [
    'strata search EleutherAI/pythia-410m --revisions every:8 --tasks "STS*" --budget 50',
    'strata search ./step0 ./step512 ./step1000 --tasks STSBenchmark,Banking77Classification --policy random --budget 12',
    'strata search ./run --revisions all --tasks STSBenchmark,SICK-R --policy halving --limit 0.125,0.5 --budget 20',
    'strata search ./run --revisions all --layers all --means 2,3 --tasks STSBenchmark --budget 30',
    'strata search --merge slerp.yml --vary t=0:1:0.1 --tasks STSBenchmark --budget 20 --policy gp-ei',
    'strata search pythia-410m --replay scores.jsonl --context metrics.jsonl --policy all --budget 10,25,50,100 --plot regret.svg',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
