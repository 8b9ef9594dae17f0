/** Flags of `strata evaluate`. */
import { embeddingKindNames } from '#model/server'
import type { VectorType } from '#representation/layers'
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { cacheDir, cacheLimit, machine } from '../../flags/machine.ts'
import { merge, representation } from '../../flags/models.ts'
import { plugin } from '../../flags/plugin.ts'
import { normalize, prompt, promptName, reading } from '../../flags/reading.ts'
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

export const server = {
  flags: '--model <kind>',
  help: 'interface of a server that gives vectors, asked like a model: the one at base_url=… in --model_args',
  choices: embeddingKindNames,
} as const satisfies Flag

export const serverArgs = {
  flags: '--model_args <settings>',
  help: 'settings of that server: base_url=…,model=…,dimensions=…,batch=…,num_concurrent=…, or a JSON object; the key comes from the environment',
} as const satisfies Flag

export const rerank = {
  flags: '--rerank <model>',
  help: 'reranker that scores the first documents of every search again: a cross-encoder, a causal reranker, the recipe of a merge of either, or any model by its vectors (org/name#default, org/name#h6-maxsim)',
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
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

const recorded = [representation, vectors, vectorsType, texts] as const satisfies readonly Flag[]
const served = [server, serverArgs] as const satisfies readonly Flag[]
const secondStage = [rerank, rerankLayers, rerankPrompt, top] as const satisfies readonly Flag[]
const plan = [dryRun, plugin, ...everywhere] as const satisfies readonly Flag[]

/** Flags that have an effect on recorded vectors. */
export const forVectors = [...asking, ...recorded, ...secondStage, cacheDir, ...plan] as const satisfies readonly Flag[]

/** Flags that have an effect on the vectors of a server. */
export const forServer = [
  ...asking,
  representation,
  ...served,
  ...secondStage,
  prompt,
  promptName,
  normalize,
  cacheDir,
  cacheLimit,
  ...plan,
] as const satisfies readonly Flag[]

export const flags = [
  ...asking,
  merge,
  ...recorded,
  ...served,
  ...secondStage,
  ...reading,
  normalize,
  ...machine,
  ...plan,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
