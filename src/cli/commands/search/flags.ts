/** Flags of `strata search`. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { layers, furtherRepresentations, merge } from '../../flags/models.ts'
import { background } from '../../flags/pictures.ts'
import { plugin } from '../../flags/plugin.ts'
import { normalize, reading } from '../../flags/reading.ts'
import { selecting } from '../../flags/selecting.ts'
import { tasks } from '../../flags/tasks.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import type { Aggregation, RewardKind } from '#experiment/search'
import {
  aboveZero,
  atLeastZero,
  neighbours,
  positive,
  positiveNumbers,
  shares,
  wholeNumber,
} from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const revisions = {
  flags: '--revisions <list>',
  help: 'checkpoints of the model: step0,step1000,…, all, or every:8 of them',
} as const satisfies Flag

export const means = {
  flags: '--means <counts>',
  help: 'means of N neighbouring layers as further arms: 2,3',
  parse: neighbours('--means'),
} as const satisfies Flag

export const vary = {
  flags: '--vary <ranges>',
  help: 'settings of the --merge recipe to try as checkpoints: path=from:to:step, comma-separated',
} as const satisfies Flag

export const policy = {
  flags: '--policy <names>',
  help: 'policy that chooses the next arm; with --replay several, comma-separated, or all',
  fallback: 'linucb',
} as const satisfies Flag

export const budget = {
  flags: '--budget <pulls>',
  help: 'number of pulls; with --replay several, comma-separated (default: 50; 10,25,50,100 with --replay)',
  parse: positiveNumbers('--budget'),
} as const satisfies Flag

export const budgetSeconds = {
  flags: '--budget-seconds <n>',
  help: 'maximum wall-clock time of pulls and context, in seconds',
  parse: aboveZero('--budget-seconds'),
} as const satisfies Flag

export const limit = {
  flags: '--limit <shares>',
  help: 'halving over texts instead of tasks: shares of each task’s texts to score before all of them: 0.125,0.5',
  parse: shares('--limit'),
} as const satisfies Flag

export const keepCheckpoints = {
  flags: '--keep-checkpoints <n>',
  help: 'number of downloaded checkpoints to keep in the Hugging Face cache, the last used ones (default: all)',
  parse: positive('--keep-checkpoints'),
} as const satisfies Flag

export const reward = {
  flags: '--reward <kind>',
  help: 'objective to maximise: z-score against the mean of the baseline’s layers, against its same layer, or the score itself',
  choices: wordsOf<RewardKind>()(['z', 'same-layer', 'raw']),
  fallback: 'z',
} as const satisfies Flag

export const aggregation = {
  flags: '--aggregation <name>',
  help: 'how the rewards of tasks become one',
  choices: wordsOf<Aggregation>()(['mean', 'median', 'trimmed', 'harmonic']),
  fallback: 'mean',
} as const satisfies Flag

export const clip = {
  flags: '--clip <x>',
  help: 'limit of the rewards: beyond ±x they count as ±x; 0 for no limit',
  fallback: 3,
  parse: atLeastZero('--clip'),
} as const satisfies Flag

export const floor = {
  flags: '--floor <sd>',
  help: 'minimum deviation of the baseline’s layers',
  fallback: 0,
  parse: atLeastZero('--floor'),
} as const satisfies Flag

export const baseline = {
  flags: '--baseline <checkpoint>',
  help: 'checkpoint whose layers rewards are measured against (default: the last)',
} as const satisfies Flag

export const context = {
  flags: '--context <metrics>',
  help: 'context of the arms: rows of JSON, the output of strata metrics, or names of metrics to compute (default: sentence_entropy,dataset_entropy,lidar,dime)',
} as const satisfies Flag

export const contextCorpus = {
  flags: '--context-corpus <name>',
  help: 'corpus of those metrics, if the file has several',
} as const satisfies Flag

export const texts = {
  flags: '--texts <file>',
  help: 'texts that the context is computed on (default: those of the tasks)',
} as const satisfies Flag

export const depth = {
  flags: '--depth',
  help: 'depth of the layer, its square and the logarithm of the training step as further context',
} as const satisfies Flag

export const lastStep = {
  flags: '--last-step <n>',
  help: '--depth: training step of a checkpoint whose name has none (default: the largest step named)',
  parse: positive('--last-step'),
} as const satisfies Flag

export const alpha = {
  flags: '--alpha <x>',
  help: 'weight of uncertainty',
  fallback: 1,
  parse: atLeastZero('--alpha'),
} as const satisfies Flag

export const seed = {
  flags: '--seed <n>',
  help: 'seed of the search',
  fallback: 42,
  parse: wholeNumber('--seed'),
} as const satisfies Flag

export const cost = {
  flags: '--cost <kind>',
  help: 'whether gain is weighed against the cost of an arm (aware)',
  choices: wordsOf<'plain' | 'aware'>()(['plain', 'aware']),
  fallback: 'plain',
} as const satisfies Flag

export const out = {
  flags: '--out <folder>',
  help: 'folder of the search: its pulls, and the recipes that it varies (default: --results)',
} as const satisfies Flag

export const replay = {
  flags: '--replay <scores>',
  help: 'recorded scores to run policies over instead: rows of JSON, a folder of results, or a table of mteb-layersweep',
} as const satisfies Flag

export const seeds = {
  flags: '--seeds <n>',
  help: '--replay: number of runs of a policy that draws',
  fallback: 200,
  parse: positive('--seeds'),
} as const satisfies Flag

export const checkpointCost = {
  flags: '--checkpoint-cost <x>',
  help: '--replay with --cost aware: extra cost of a checkpoint’s first arm, in arms',
  fallback: 5,
  parse: atLeastZero('--checkpoint-cost'),
} as const satisfies Flag

export const averageSubsets = {
  flags: '--average-subsets',
  help: '--replay: mean of the subsets where none is English or the only one',
} as const satisfies Flag

export const plot = {
  flags: '--plot <file>',
  help: '--replay: file for a picture of the regret, .svg or .png',
} as const satisfies Flag

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
  // refused by the replay, with a message of its own
  means,
  limit,
  ...everywhere,
] as const satisfies readonly Flag[]

/** Flags that have an effect on recorded scores. */
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

/** Flags that have an effect on a search that scores. */
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
  normalize,
  ...machine,
  dryRun,
] as const satisfies readonly Flag[]

export const flags = [
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
  normalize,
  ...machine,
  dryRun,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
