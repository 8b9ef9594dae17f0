/** Flags of `strata evaluate`. */
import type { VectorType } from '#representation/layers'
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { cacheDir, machine } from '../../flags/machine.ts'
import { merge, representation } from '../../flags/models.ts'
import { normalize, reading } from '../../flags/reading.ts'
import { asking } from '../../flags/selecting.ts'
import { benchmark, domains, languages, maxSamples, taskFile, tasks, types } from '../../flags/tasks.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import { positive } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

const vectors = {
  flags: '--vectors <file>',
  help: 'recorded vectors instead of a model: .npy, .npz or .safetensors, row i for text i of --texts',
} as const satisfies Flag

const texts = {
  flags: '--texts <file>',
  help: 'texts of --vectors, as printed by strata tasks NAME --texts',
} as const satisfies Flag

const vectorsType = {
  flags: '--vectors-type <type>',
  help: 'what the bytes of --vectors are: int8, uint8, or eight bits each (binary, ubinary)',
  choices: wordsOf<VectorType>()(['float32', 'float16', 'int8', 'uint8', 'binary', 'ubinary']),
} as const satisfies Flag

export const rerank = {
  flags: '--rerank <model>',
  help: 'reranker that scores the first documents of every search again: a cross-encoder, a causal reranker, or the recipe of a merge of either',
} as const satisfies Flag

export const rerankLayers = {
  flags: '--rerank-layers <n>',
  help: 'number of layers that --rerank keeps, its head on top of the last of them (default: all)',
  parse: positive('--rerank-layers'),
} as const satisfies Flag

export const rerankPrompt = {
  flags: '--rerank-prompt <text>',
  help: 'text that --rerank reads with every pair: the instruction of a causal reranker, or a prompt (default: its own)',
} as const satisfies Flag

export const top = {
  flags: '--top <n>',
  help: 'number of documents that --rerank scores per query; the others are left out (default: 100)',
  parse: positive('--top'),
} as const satisfies Flag

/** Flags that have an effect without a model: the plan covers the tasks alone. */
export const forTasks = [
  tasks,
  benchmark,
  taskFile,
  types,
  languages,
  domains,
  maxSamples,
  dryRun,
  ...everywhere,
] as const satisfies readonly Flag[]

/** Flags that have an effect on recorded vectors. */
export const forVectors = [
  ...asking,
  representation,
  vectors,
  vectorsType,
  texts,
  rerank,
  rerankLayers,
  rerankPrompt,
  top,
  cacheDir,
  dryRun,
  ...everywhere,
] as const satisfies readonly Flag[]

export const flags = [
  ...asking,
  merge,
  representation,
  vectors,
  vectorsType,
  texts,
  rerank,
  rerankLayers,
  rerankPrompt,
  top,
  ...reading,
  normalize,
  ...machine,
  dryRun,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
