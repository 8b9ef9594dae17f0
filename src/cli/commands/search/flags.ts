/** Flags of `strata search` alone. */
import type { Aggregation, RewardKind } from '#experiment/search'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import {
  aboveZero,
  atLeastZero,
  neighbours,
  positive,
  positiveNumbers,
  shares,
  wholeNumber,
} from '../../spec/parsers.ts'

export const revisions = {
  flags: '--revisions <list>',
  help: 'checkpoints of the model: step0,step1000,… or all, or every:8 of them',
} as const satisfies Flag

export const means = {
  flags: '--means <counts>',
  help: 'means of so many neighbouring layers are arms too: 2,3',
  parse: neighbours('--means'),
} as const satisfies Flag

export const vary = {
  flags: '--vary <ranges>',
  help: "settings of --merge's recipe as checkpoints: path=from:to:step, comma-separated",
} as const satisfies Flag

export const policy = {
  flags: '--policy <names>',
  help: 'what chooses the next arm; of --replay several, comma-separated, or all',
  fallback: 'linucb',
} as const satisfies Flag

export const budget = {
  flags: '--budget <pulls>',
  help: 'arms that may be pulled; of --replay several, comma-separated (default 50)',
  parse: positiveNumbers('--budget'),
} as const satisfies Flag

export const budgetSeconds = {
  flags: '--budget-seconds <n>',
  help: 'wall clock of the pulls and the context at most',
  parse: aboveZero('--budget-seconds'),
} as const satisfies Flag

export const limit = {
  flags: '--limit <shares>',
  help: 'halving over texts instead of tasks: shares of what every task asks, before all of it: 0.125,0.5',
  parse: shares('--limit'),
} as const satisfies Flag

export const keepCheckpoints = {
  flags: '--keep-checkpoints <n>',
  help: 'downloaded checkpoints that stay in the Hugging Face cache: those used last (default: all)',
  parse: positive('--keep-checkpoints'),
} as const satisfies Flag

export const reward = {
  flags: '--reward <kind>',
  help: "what is raised: z against the mean of the baseline's layers, against its same layer, or the score itself",
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
  help: 'rewards beyond ±x count as ±x; 0 leaves them',
  fallback: 3,
  parse: atLeastZero('--clip'),
} as const satisfies Flag

export const floor = {
  flags: '--floor <sd>',
  help: "smallest deviation of the baseline's layers that is believed",
  fallback: 0,
  parse: atLeastZero('--floor'),
} as const satisfies Flag

export const baseline = {
  flags: '--baseline <checkpoint>',
  help: 'checkpoint whose layers rewards are measured by (default: the last)',
} as const satisfies Flag

export const context = {
  flags: '--context <metrics>',
  help: 'what is known of the arms: rows of JSON, what strata metrics wrote, or names of metrics to compute (default: sentence_entropy,dataset_entropy,lidar,dime)',
} as const satisfies Flag

export const contextCorpus = {
  flags: '--context-corpus <name>',
  help: 'corpus of those metrics, where the file has several',
} as const satisfies Flag

export const texts = {
  flags: '--texts <file>',
  help: 'texts to look by: txt, jsonl, csv, tsv, parquet (.gz too); - reads standard input',
} as const satisfies Flag

export const depth = {
  flags: '--depth',
  help: 'depth of the layer, its square and the logarithm of the training step as context too',
} as const satisfies Flag

export const lastStep = {
  flags: '--last-step <n>',
  help: '--depth: training step of a checkpoint whose name tells none (default: the last one told)',
  parse: positive('--last-step'),
} as const satisfies Flag

export const alpha = {
  flags: '--alpha <x>',
  help: 'how much what is not known counts',
  fallback: 1,
  parse: atLeastZero('--alpha'),
} as const satisfies Flag

export const seed = {
  flags: '--seed <n>',
  help: 'seed of the samples',
  fallback: 42,
  parse: wholeNumber('--seed'),
} as const satisfies Flag

export const cost = {
  flags: '--cost <kind>',
  help: 'aware: gain is weighed against what an arm costs',
  choices: wordsOf<'plain' | 'aware'>()(['plain', 'aware']),
  fallback: 'plain',
} as const satisfies Flag

export const out = { flags: '--out <folder>', help: 'folder to write to' } as const satisfies Flag

export const replay = {
  flags: '--replay <scores>',
  help: 'run policies over recorded scores instead: rows of JSON, a folder of results, a table of mteb-layersweep',
} as const satisfies Flag

export const seeds = {
  flags: '--seeds <n>',
  help: 'runs of a policy that draws, in a replay',
  fallback: 200,
  parse: positive('--seeds'),
} as const satisfies Flag

export const checkpointCost = {
  flags: '--checkpoint-cost <x>',
  help: "--replay with --cost aware: what a checkpoint's first arm costs more, in arms",
  fallback: 5,
  parse: atLeastZero('--checkpoint-cost'),
} as const satisfies Flag

export const averageSubsets = {
  flags: '--average-subsets',
  help: 'mean of the subsets where none is English or the only one',
} as const satisfies Flag

export const plot = {
  flags: '--plot <file>',
  help: 'picture of the scores, by layer or by method: a file that ends in .svg or .png',
} as const satisfies Flag
