/** Flags of `strata aggregate`. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { merge } from '../../flags/models.ts'
import { plot, background } from '../../flags/pictures.ts'
import { plugin } from '../../flags/plugin.ts'
import { furtherReading } from '../../flags/reading.ts'
import { transform, sampleSize, trials, seed } from '../../flags/sampling.ts'
import { selecting } from '../../flags/selecting.ts'
import type { LayerNorm } from '#representation/layers'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import { aboveZero, atLeastZero, positive, prices } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const methods = {
  flags: '--methods <names>',
  help: 'ways to combine layers, comma-separated, or all',
  fallback: 'all',
} as const satisfies Flag

export const lambda = {
  flags: '--lambda <prices>',
  help: 'weights of similarity, comma-separated (default: 0.5)',
  parse: prices('--lambda'),
} as const satisfies Flag

export const similarity = {
  flags: '--similarity <names>',
  help: 'similarity measures that layers are compared by, comma-separated',
  fallback: 'cka',
} as const satisfies Flag

export const similarityMatrix = {
  flags: '--similarity-matrix <file>',
  help: 'layer × layer similarity to use instead of --similarity: .npy, .pkl, JSON, or a folder of strata similarity, also of a grid',
} as const satisfies Flag

export const quality = {
  flags: '--quality <source>',
  help: 'quality of each layer: its score on validation rows (validation), the similarity matrix (diagonal, row_mean), or a JSON file',
  fallback: 'validation',
} as const satisfies Flag

export const qualitySoftmax = {
  flags: '--quality-softmax <temperature>',
  help: 'temperature T of a softmax over the qualities: exp(q / T)',
  parse: aboveZero('--quality-softmax'),
} as const satisfies Flag

export const qualityLog = { flags: '--quality-log', help: 'logarithm of the qualities' } as const satisfies Flag

export const qualityNormalise = {
  flags: '--quality-normalise',
  help: 'qualities scaled to sum 1',
} as const satisfies Flag

export const clusters = {
  flags: '--clusters <n>',
  help: 'maximum number of clusters of layers',
  fallback: 4,
  parse: positive('--clusters'),
} as const satisfies Flag

export const components = {
  flags: '--components <n>',
  help: 'maximum number of axes of a projection',
  fallback: 768,
  parse: positive('--components'),
} as const satisfies Flag

export const dropDelta = {
  flags: '--drop-delta <share>',
  help: 'greedy_delta: share of the best quality that a layer may lack',
  fallback: 0.15,
  parse: atLeastZero('--drop-delta'),
} as const satisfies Flag

export const maxLayers = {
  flags: '--max-layers <n>',
  help: 'greedy methods: maximum number of layers (default: no limit)',
  parse: positive('--max-layers'),
} as const satisfies Flag

export const layerNorm = {
  flags: '--layer-norm <rule>',
  help: 'normalisation of a layer’s vector before it is mixed',
  choices: wordsOf<LayerNorm>()(['none', 'l2', 'zscore']),
  fallback: 'none',
} as const satisfies Flag

export const pcaCorpus = {
  flags: '--pca-corpus <texts>',
  help: 'texts for comparing and projecting layers: a file, or task:NAME[:split] (default: 30,000 from the training splits)',
} as const satisfies Flag

export const tables = {
  flags: '--tables <folder>',
  help: 'folder for results_table.csv and .md, experiment_summary.json and a folder per model and method',
} as const satisfies Flag

export const pooling = {
  flags: '--pooling <names>',
  help: 'how token states become one vector, one run for each, comma-separated: mean, cls, lasttoken, max, weightedmean',
} as const satisfies Flag

export const flags = [
  ...selecting,
  merge,
  methods,
  lambda,
  similarity,
  similarityMatrix,
  quality,
  qualitySoftmax,
  qualityLog,
  qualityNormalise,
  clusters,
  components,
  dropDelta,
  maxLayers,
  layerNorm,
  pcaCorpus,
  transform,
  sampleSize,
  trials,
  seed,
  tables,
  plot,
  background,
  pooling,
  ...furtherReading,
  ...machine,
  dryRun,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
