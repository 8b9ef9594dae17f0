/**
 * A sentence-transformers folder as data: which modules, with which settings, in which order. Follows
 * sentence-transformers 2 … 6; nothing of the folder is executed.
 */
import { fault, matrix, type Matrix, type RepoFiles, similarities, type Similarity } from '#core'
import {
  fieldOf,
  flagOf,
  isObject,
  type JsonFields,
  optionalCountOf,
  optionalObjectOf,
  optionalTextOf,
  readJsonFields,
  readJsonList,
  wrongField,
} from '#files/formats'
import { pairHeadKind } from './cross-encoder-folder.ts'
import { folderNamed } from '#files/hub'
import {
  assertFeatures,
  type ModuleStep,
  ofTokens,
  readDense,
  readLayerNorm,
  readLayerWeights,
  type StepFeatures,
} from './module-steps.ts'
import { isLateType, isTokenModule, readLateInteraction } from './late-interaction-folder.ts'
import { readPooling } from './pooling-module.ts'
import type { LateInteraction, PoolingName } from '#model/passes'

export { applyModules, laterWidth, type ModuleStep } from './module-steps.ts'

export interface ModulesSpec {
  /** What turns text into vectors: a transformer and a pooling, or a static table. */
  readonly kind: 'transformer' | 'static'
  /** Modules in order: `Transformer`, `Pooling`, `Normalize`, … */
  readonly names: readonly string[]
  /** Folder of the first module's files, `''` for the repository itself. */
  readonly folder: string
  /** Concatenated in this order; empty for static tables. */
  readonly pooling: readonly PoolingName[]
  /** False: tokens of the prompt are not pooled. */
  readonly includePrompt: boolean
  /** Tokens of a text; undefined when the folder leaves it to tokenizer and positions. */
  readonly maxLength: number | undefined
  readonly lowerCase: boolean
  readonly prompts: Readonly<Record<string, string>>
  readonly defaultPromptName: string | undefined
  readonly similarity: Similarity | undefined
  /** WeightedLayerPooling: the last state is replaced by a mix of states before it is pooled. */
  readonly layerMix: LayerMix | undefined
  /** A vector for each token, and none for a text. */
  readonly lateInteraction?: LateInteraction | undefined
  /** Steps applied to a pooled vector, or to that of each token. */
  readonly later: readonly ModuleStep[]
}

/**
 * Σ weights[k] · h(start + k) over all states from `start` to the last, as `hidden_states` of transformers holds them
 * (final norm `native`).
 */
export interface LayerMix {
  readonly start: number
  /** They sum to 1. */
  readonly weights: Float64Array
}

/** More modules than any model has. */
const maxModules = 32

/**
 * The modules of a repository, or undefined when it has no modules.json, or only a cross-encoder's.
 * Throws `config.unsupported` (a module or setting that is not known), `config.value`, `config.missing`,
 * `file.outside`, `format.*`, `tensor.*`.
 */
export async function readModules(files: RepoFiles): Promise<ModulesSpec | undefined> {
  const list = await readJsonList(files, 'modules.json')
  if (list === undefined) return undefined
  const entries = readEntries(list, `${files.name}/modules.json`)
  if ((await pairHeadKind(files, entries)) !== undefined) return undefined
  const [first, ...rest] = entries
  const { truncated, type, ...asked } = await readAsking(files)
  const shared = { names: entries.map(({ name }) => name), folder: first.folder, ...asked }
  if (first.name === 'StaticEmbedding') {
    return {
      kind: 'static',
      ...shared,
      pooling: [],
      includePrompt: true,
      maxLength: undefined,
      lowerCase: false,
      layerMix: undefined,
      later: [...(await readLater(files, rest)), ...truncated],
    }
  }
  const config = await readTransformerFile(files, first.folder)
  const transformer = await readTransformer(files, first.folder, config)
  if (isLateType(type)) {
    const { outputsHidden: _, ...settings } = transformer
    const { lateInteraction, ...own } = await readLateInteraction(files, rest, config)
    const later = await readLater(
      files,
      rest.filter(({ name }) => !isTokenModule(name)),
      () => ofTokens,
    )
    const unit = own.isUnit ? [{ kind: 'normalize' } as const] : []
    const given = { ...shared, ...settings, ...own.settings, pooling: ['mean'] as const, includePrompt: true }
    return {
      kind: 'transformer',
      ...given,
      layerMix: undefined,
      lateInteraction,
      later: [...later, ...unit, ...truncated],
    }
  }
  const mixed = rest[0]?.name === 'WeightedLayerPooling' ? rest[0] : undefined
  const [pool, ...later] = mixed ? rest.slice(1) : rest
  if (pool?.name !== 'Pooling') throw order(files, pool?.name ?? 'nothing', 'Pooling behind Transformer')
  const { pooling, includePrompt } = readPooling(await neededConfig(files, pool.folder, 'Pooling'))
  const { outputsHidden, ...settings } = transformer
  const layerMix = mixed && outputsHidden ? await readLayerMix(files, mixed.folder, pooling) : undefined
  return {
    kind: 'transformer',
    ...shared,
    ...settings,
    pooling,
    includePrompt,
    layerMix,
    later: [...(await readLater(files, later)), ...truncated],
  }
}

/**
 * The mix of pooled states: pooling is linear in the states, so that the mix may be taken after it. `states` are
 * h(start) … h(L), [rows × width] each.
 */
export function mixStates({ weights }: LayerMix, states: readonly Matrix[]): Matrix {
  const [first] = states
  if (first === undefined || states.length !== weights.length) {
    throw fault('config.value', {
      place: 'WeightedLayerPooling',
      what: 'the numbers of states and weights differ',
      seen: weights.length,
      wanted: states.length,
    })
  }
  const out = matrix(first.rows, first.width)
  for (let i = 0; i < out.data.length; i++) {
    let sum = 0
    for (let k = 0; k < states.length; k++) sum += (weights[k] ?? 0) * (states[k]?.data[i] ?? 0)
    out.data[i] = sum
  }
  return out
}

/** One module of `modules.json`. */
export interface ModuleEntry {
  readonly name: string
  readonly folder: string
}

/** The modules in order, the first of which reads text. Throws `config.*`, `file.outside`. */
export function readEntries(list: readonly unknown[], place: string): readonly [ModuleEntry, ...ModuleEntry[]] {
  if (list.length > maxModules)
    throw fault('format.limit', { place, what: 'too many modules', seen: list.length, wanted: `at most ${maxModules}` })
  const entries = list.map((entry, index): ModuleEntry => {
    if (!isObject(entry)) throw wrongField(place, String(index), entry, 'an object')
    const config = { place: `${place} › ${index}`, fields: entry }
    const type = optionalTextOf(config, 'type')
    if (type === undefined) throw wrongField(config.place, 'type', null, 'a module’s name')
    // Every release spells the way to a module differently; the last word has stayed.
    const isKnown = type.startsWith('sentence_transformers.') || type === 'pylate.models.Dense.Dense'
    const name = isKnown ? (type.split('.').at(-1) ?? '') : undefined
    if (name === undefined)
      throw unsupported(config.place, type, 'it is code of the repository itself, which is never run')
    if (!known.includes(name)) throw unsupported(config.place, type, `known modules: ${known.join(', ')}`)
    return { name, folder: folderNamed(optionalTextOf(config, 'path') ?? '', `${config.place} › path`) }
  })
  const [first, ...rest] = entries
  if (first === undefined) throw fault('config.value', { place, what: 'no modules' })
  if (!inputs.includes(first.name))
    throw fault('config.value', {
      place,
      what: 'the first module does not read text',
      seen: first.name,
      wanted: inputs.join(' or '),
    })
  return [first, ...rest]
}

const inputs = ['Transformer', 'StaticEmbedding']
const others = 'WeightedLayerPooling Pooling Dense Normalize LayerNorm Dropout MultiVectorMask LogitScore'
const known = [...inputs, ...others.split(' ')]

/** Names a Transformer's settings have had, newest first (sentence-transformers `Transformer.load_config`). */
export const transformerFiles: readonly string[] = [
  'bert',
  'roberta',
  'distilbert',
  'camembert',
  'albert',
  'xlm-roberta',
  'xlnet',
].map((name) => `sentence_${name}_config.json`)

/** Loading options that leave the vectors alone. Anything else that overrides config.json makes another model. */
const harmlessOverrides: ReadonlySet<string> = new Set(
  (
    'trust_remote_code revision code_revision token cache_dir local_files_only use_cache output_hidden_states attn_implementation _attn_implementation ' +
    'torch_dtype dtype unpad_inputs use_memory_efficient_attention low_cpu_mem_usage'
  ).split(' '),
)

async function readTransformerFile(files: RepoFiles, folder: string): Promise<JsonFields> {
  for (const name of transformerFiles) {
    const found = await readJsonFields(files, inFolder(folder, name))
    if (found !== undefined) return found
  }
  return { place: `${files.name}/${folder}`, fields: {} }
}

async function readTransformer(
  files: RepoFiles,
  folder: string,
  config: JsonFields,
): Promise<Pick<ModulesSpec, 'maxLength' | 'lowerCase'> & { outputsHidden: boolean }> {
  assertPlainTransformer(config)
  const overrides = ['config_args', 'config_kwargs'].flatMap((name) => optionalObjectOf(config, name) ?? [])
  for (const { place, fields } of overrides) {
    const changed = Object.keys(fields).find((name) => !harmlessOverrides.has(name))
    if (changed !== undefined)
      throw unsupported(place, changed, 'it changes config.json on loading: write it into config.json')
  }
  const ownLength = ['tokenizer_args', 'processor_kwargs']
    .map((name) => optionalObjectOf(config, name))
    .find((kwargs) => kwargs !== undefined && fieldOf(kwargs.fields, 'model_max_length') !== undefined)
  const own = await readJsonFields(files, inFolder(folder, 'config.json'))
  const hidden = [
    ...overrides,
    ...['model_args', 'model_kwargs'].flatMap((name) => optionalObjectOf(config, name) ?? []),
    ...(own ? [own] : []),
  ]
  return {
    maxLength:
      ownLength === undefined
        ? optionalCountOf(config, 'max_seq_length')
        : optionalCountOf(ownLength, 'model_max_length'),
    lowerCase: flagOf(config, 'do_lower_case', false),
    outputsHidden: hidden.some(({ fields }) => fieldOf(fields, 'output_hidden_states') === true),
  }
}

/** Settings of sentence-transformers ≥ 5.2 that make more of a Transformer than its last state of a text. */
function assertPlainTransformer(config: JsonFields): void {
  const task = optionalTextOf(config, 'transformer_task') ?? 'feature-extraction'
  if (task !== 'feature-extraction')
    throw unsupported(`${config.place} › transformer_task`, task, 'only feature-extraction gives sentence embeddings')
  const output = optionalTextOf(config, 'module_output_name') ?? 'token_embeddings'
  if (output !== 'token_embeddings')
    throw unsupported(`${config.place} › module_output_name`, output, 'only token_embeddings are pooled')
  const modalities = optionalObjectOf(config, 'modality_config')
  if (modalities === undefined) return
  if (Object.hasOwn(modalities.fields, 'message'))
    throw unsupported(modalities.place, 'message', 'it turns texts into chat messages')
  const text = optionalObjectOf(modalities, 'text')
  if (text === undefined)
    throw unsupported(modalities.place, Object.keys(modalities.fields).join(', '), 'it does not read text')
  const [method, path] = [optionalTextOf(text, 'method') ?? 'forward', fieldOf(text.fields, 'method_output_name')]
  if (method !== 'forward') throw unsupported(`${text.place} › method`, method, 'only the plain forward pass is run')
  if (String(path) !== 'last_hidden_state')
    throw unsupported(`${text.place} › method_output_name`, String(path), 'only last_hidden_state is pooled')
}

/**
 * Weights as the library uses them: plain, divided by their sum. Without `output_hidden_states` in config.json the
 * library passes the last state on, and so do we.
 */
async function readLayerMix(files: RepoFiles, folder: string, pooling: readonly PoolingName[]): Promise<LayerMix> {
  const config = await neededConfig(files, folder, 'WeightedLayerPooling')
  if (pooling.includes('max'))
    throw unsupported(
      config.place,
      'WeightedLayerPooling with max pooling',
      'the largest value of a mix is not the mix of the largest values',
    )
  const start = fieldOf(config.fields, 'layer_start') ?? 4
  const layers = optionalCountOf(config, 'num_hidden_layers') ?? 12
  if (typeof start !== 'number' || !Number.isInteger(start) || start < 0 || start > layers)
    throw wrongField(config.place, 'layer_start', start, `0 … ${layers}`)
  const raw = await readLayerWeights(files, folder, layers + 1 - start)
  const sum = raw.reduce((total, weight) => total + weight, 0)
  if (!Number.isFinite(sum) || sum === 0)
    throw fault('tensor.value', {
      place: `${files.name}/${folder} › layer_weights`,
      what: 'the weights need a finite sum other than 0',
      seen: sum,
    })
  return { start, weights: Float64Array.from(raw, (weight) => weight / sum) }
}

/** The modules behind the pooling; `features`: what the Dense at an index works on. Throws `config.*`, `tensor.*`. */
export async function readLater(
  files: RepoFiles,
  entries: readonly ModuleEntry[],
  features?: (index: number) => StepFeatures,
): Promise<ModuleStep[]> {
  const steps: ModuleStep[] = []
  for (const [index, { name, folder }] of entries.entries()) {
    if (name === 'Normalize') {
      const config = folder === '' ? undefined : await readJsonFields(files, `${folder}/config.json`)
      if (config) assertFeatures(config, features?.(index))
      steps.push({ kind: 'normalize' })
    } else if (name === 'Dense')
      steps.push(await readDense(files, folder, await neededConfig(files, folder, name), features?.(index)))
    else if (name === 'LayerNorm')
      steps.push(await readLayerNorm(files, folder, await neededConfig(files, folder, name)))
    else if (name !== 'Dropout')
      throw order(files, name, 'nothing but Dense, Normalize, LayerNorm and Dropout behind the pooling')
  }
  return steps
}

/** How the whole model is asked, from config_sentence_transformers.json: prompts, similarity, numbers of a vector. */
async function readAsking(
  files: RepoFiles,
): Promise<
  Pick<ModulesSpec, 'prompts' | 'defaultPromptName' | 'similarity'> & { truncated: ModuleStep[]; type: string }
> {
  const config = await readJsonFields(files, 'config_sentence_transformers.json')
  const plain = 'SentenceTransformer'
  if (config === undefined)
    return { prompts: {}, defaultPromptName: undefined, similarity: undefined, truncated: [], type: plain }
  const type = optionalTextOf(config, 'model_type') ?? plain
  const isLate = isLateType(type)
  if (type !== plain && !isLate)
    throw unsupported(
      `${config.place} › model_type`,
      type,
      'known models: SentenceTransformer, MultiVectorEncoder, ColBERT',
    )
  const word = isLate ? undefined : optionalTextOf(config, 'similarity_fn_name')
  const similarity = similarities.find((name) => name === word)
  if (word !== undefined && similarity === undefined)
    throw wrongField(config.place, 'similarity_fn_name', word, similarities.join(', '))
  const width = optionalCountOf(config, 'truncate_dim')
  return {
    ...readPrompts(config),
    similarity,
    type,
    truncated: width === undefined ? [] : [{ kind: 'truncate', width }],
  }
}

/** The prompts of config_sentence_transformers.json. Throws `config.value`. */
export function readPrompts(config: JsonFields): Pick<ModulesSpec, 'prompts' | 'defaultPromptName'> {
  const given = optionalObjectOf(config, 'prompts')
  const prompts = Object.entries(given?.fields ?? {}).map(([name, prompt]): [string, string] => {
    if (prompt !== null && typeof prompt !== 'string')
      throw wrongField(given?.place ?? config.place, name, prompt, 'a string')
    return [name, prompt ?? '']
  })
  const defaultPromptName = optionalTextOf(config, 'default_prompt_name')
  if (defaultPromptName !== undefined && !prompts.some(([name]) => name === defaultPromptName)) {
    throw wrongField(
      config.place,
      'default_prompt_name',
      defaultPromptName,
      `one of the prompts: ${prompts.map(([name]) => name).join(', ')}`,
    )
  }
  return { prompts: Object.fromEntries(prompts), defaultPromptName }
}

/** The config of a module that cannot do without. Throws `config.missing`. */
export async function neededConfig(files: RepoFiles, folder: string, module: string): Promise<JsonFields> {
  const path = inFolder(folder, 'config.json')
  const config = await readJsonFields(files, path)
  if (config === undefined)
    throw fault('config.missing', {
      place: `${files.name}/${path}`,
      what: `the module ${module} has no config`,
      hint: 'download the repository completely',
    })
  return config
}

function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

function order(files: RepoFiles, seen: string, wanted: string): Error {
  return fault('config.unsupported', {
    place: `${files.name}/modules.json`,
    what: 'the order of the modules is not supported',
    seen,
    wanted,
  })
}

function unsupported(place: string, seen: string, hint: string): Error {
  return fault('config.unsupported', { place, what: 'not supported', seen, hint })
}
