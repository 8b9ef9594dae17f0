/**
 * A sentence-transformers folder as data: which modules, with which settings, in which order. Follows
 * sentence-transformers 2 … 6; nothing of the folder is executed.
 */
import { fault, matrix, type Matrix, type RepoFiles, type Similarity } from '#core'
import { type Asking, readAsking } from './asking.ts'
import {
  fieldOf,
  flagOf,
  type JsonFields,
  optionalCountOf,
  optionalObjectOf,
  optionalTextOf,
  readJsonFields,
  readJsonList,
  wrongField,
} from '#files/formats'
import { pairHeadKind } from './cross-encoder-folder.ts'
import { isTokenModule, readLateInteraction } from './late-interaction-folder.ts'
import { type Entries, type Entry, inFolder, neededConfig, readEntries, unsupported } from './module-entries.ts'
import {
  assertFeatures,
  type ModuleStep,
  ofTokens,
  readDense,
  readLayerNorm,
  readLayerWeights,
  type StepFeatures,
} from './module-steps.ts'
import type { LateInteraction, PoolingName } from '#model/passes'
import { readPooling } from './pooling-module.ts'
import { readRoutes } from './router.ts'
import { readSplade, type SpladeSpec } from './splade-config.ts'
import { readAutoEncoder } from './sparse-steps.ts'

export { applyModules, laterWidth, type ModuleStep } from './module-steps.ts'

export interface ModulesSpec {
  /** What turns text into vectors: a transformer and a pooling, or a static table. */
  readonly kind: 'transformer' | 'static' | 'sparse-static'
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
  /** Task adapter of texts that no task asks for. */
  readonly defaultAdapter?: string | undefined
  readonly similarity: Similarity | undefined
  /** WeightedLayerPooling: the last state is replaced by a mix of states before it is pooled. */
  readonly layerMix: LayerMix | undefined
  /** A vector for each token, and none for a text. */
  readonly lateInteraction?: LateInteraction | undefined
  /** The vector is the weights of words by the masked-LM head; `pooling` is that of the states alone. */
  readonly splade?: SpladeSpec | undefined
  /** A SparseEncoder: few numbers of a vector are not 0, and a search goes through these. */
  readonly isSparse?: boolean
  /** Where queries and documents pass other modules; the spec itself is then that of texts of no side. */
  readonly routes?: Routes | undefined
  /** Steps applied to a pooled vector, or to that of each token. */
  readonly later: readonly ModuleStep[]
}

/** Modules of texts of no side, of queries, of documents: the same object where they are the same. */
export interface Routes {
  readonly plain: ModulesSpec
  readonly query: ModulesSpec
  readonly document: ModulesSpec
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

/**
 * The modules of a repository, or undefined when it has no modules.json, or only a cross-encoder's.
 * Throws `config.unsupported` (a module or setting that is not known), `config.value`, `config.missing`,
 * `file.outside`, `format.*`, `tensor.*`.
 */
export async function readModules(files: RepoFiles): Promise<ModulesSpec | undefined> {
  const list = await readJsonList(files, 'modules.json')
  if (list === undefined) return undefined
  const entries = readEntries(list, `${files.name}/modules.json`, await readOwnTransformer(files))
  if ((await pairHeadKind(files, entries)) !== undefined) return undefined
  const [first, ...rest] = entries
  if (first.name !== 'Router' && first.name !== 'Asym')
    return readLine(files, entries, await readAsking(files, entries))
  const { plain, query, document } = await readRoutes(files, first.folder)
  const asked = await readAsking(files, [...plain, ...query, ...document, ...rest])
  const line = (route: Entries): Promise<ModulesSpec> => readLine(files, [...route, ...rest], asked)
  const own = await line(plain)
  const routes = {
    plain: own,
    query: query === plain ? own : await line(query),
    document: document === plain ? own : await line(document),
  }
  return { ...own, names: ['Router', ...own.names], routes }
}

/**
 * The class of a repository's own code that does what the library's Transformer does, with adapters chosen by task
 * (jina-embeddings-v3); undefined where config.json names no adapters, for such a class may then be anything.
 */
async function readOwnTransformer(files: RepoFiles): Promise<string | undefined> {
  const config = await readJsonFields(files, 'config.json')
  return Array.isArray(config?.fields['lora_adaptations']) ? 'custom_st.Transformer' : undefined
}

/** Modules one after the other, the first of which reads text. */
async function readLine(files: RepoFiles, entries: Entries, asking: Asking): Promise<ModulesSpec> {
  const [first, ...rest] = entries
  const { last, active, isLate, ...asked } = asking
  const shared = { names: entries.map(({ name }) => name), folder: first.folder, ...asked }
  const later = async (steps: readonly Entry[]): Promise<ModuleStep[]> => [
    ...(await readLater(files, steps, { active })),
    ...last,
  ]
  if (first.name === 'StaticEmbedding' || first.name === 'SparseStaticEmbedding') {
    return {
      kind: first.name === 'StaticEmbedding' ? 'static' : 'sparse-static',
      ...shared,
      pooling: [],
      includePrompt: true,
      maxLength: undefined,
      lowerCase: false,
      layerMix: undefined,
      later: await later(rest),
    }
  }
  const config = await readTransformerFile(files, first.folder)
  if (isLate === true) return readLateLine(files, entries, { config, asked: shared, last })
  const mixed = rest[0]?.name === 'WeightedLayerPooling' ? rest[0] : undefined
  const [pool, ...others] = mixed ? rest.slice(1) : rest
  const isSplade = pool?.name === 'SpladePooling'
  const task = isSplade ? 'fill-mask' : 'feature-extraction'
  const { outputsHidden, ...settings } = await readTransformer(files, first, { task, config })
  if (isSplade && mixed === undefined)
    return {
      kind: 'transformer',
      ...shared,
      ...settings,
      splade: await readSplade(files, pool.folder),
      pooling: ['mean'],
      includePrompt: true,
      layerMix: undefined,
      later: await later(others),
    }
  if (pool?.name !== 'Pooling') throw order(files, pool?.name ?? 'nothing', 'Pooling behind Transformer')
  const { pooling, includePrompt } = readPooling(await neededConfig(files, pool.folder, 'Pooling'))
  const layerMix = mixed && outputsHidden ? await readLayerMix(files, mixed.folder, pooling) : undefined
  return { kind: 'transformer', ...shared, ...settings, pooling, includePrompt, layerMix, later: await later(others) }
}

/** The modules of a model with a vector for each token. */
async function readLateLine(
  files: RepoFiles,
  [first, ...rest]: Entries,
  {
    config,
    asked,
    last,
  }: {
    readonly config: JsonFields
    readonly asked: Pick<ModulesSpec, 'names' | 'folder' | 'prompts' | 'defaultPromptName' | 'similarity'>
    readonly last: readonly ModuleStep[]
  },
): Promise<ModulesSpec> {
  const { outputsHidden: _, ...settings } = await readTransformer(files, first, { task: 'feature-extraction', config })
  const { lateInteraction, isUnit, ...own } = await readLateInteraction(files, rest, config)
  const steps = rest.filter(({ name }) => !isTokenModule(name))
  const later = await readLater(files, steps, { features: () => ofTokens })
  return {
    kind: 'transformer',
    ...asked,
    ...settings,
    ...own.settings,
    pooling: ['mean'],
    includePrompt: true,
    layerMix: undefined,
    lateInteraction,
    later: [...later, ...(isUnit ? [{ kind: 'normalize' } as const] : []), ...last],
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
  { folder, name: module }: Entry,
  { task, config }: { readonly task: TransformerTask; readonly config: JsonFields },
): Promise<Pick<ModulesSpec, 'maxLength' | 'lowerCase' | 'defaultAdapter'> & { outputsHidden: boolean }> {
  assertTransformer(config, task, module === 'MLMTransformer' ? 'fill-mask' : 'feature-extraction')
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
  const loaded = optionalObjectOf(config, 'model_args')
  const defaultAdapter = loaded && optionalTextOf(loaded, 'default_task')
  return {
    ...(defaultAdapter === undefined ? {} : { defaultAdapter }),
    maxLength:
      ownLength === undefined
        ? optionalCountOf(config, 'max_seq_length')
        : optionalCountOf(ownLength, 'model_max_length'),
    lowerCase: flagOf(config, 'do_lower_case', false),
    outputsHidden: hidden.some(({ fields }) => fieldOf(fields, 'output_hidden_states') === true),
  }
}

/** What a pooling reads of a Transformer: states for Pooling, logits of the masked-LM head for SpladePooling. */
type TransformerTask = 'feature-extraction' | 'fill-mask'

const poolingReads = { 'feature-extraction': 'last_hidden_state', 'fill-mask': 'logits' } as const

/** Settings of sentence-transformers ≥ 5.2 that make something else of a Transformer than its pooling reads. */
function assertTransformer(config: JsonFields, wanted: TransformerTask, usual: TransformerTask): void {
  const task = optionalTextOf(config, 'transformer_task') ?? usual
  if (task !== wanted)
    throw unsupported(`${config.place} › transformer_task`, task, `the pooling behind it reads ${wanted}`)
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
  if (String(path) !== poolingReads[wanted])
    throw unsupported(`${text.place} › method_output_name`, String(path), `only ${poolingReads[wanted]} is pooled`)
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

/** What the modules behind the pooling are read with. */
export interface LaterHow {
  /** What the Dense at an index works on; default: the vector of a text. */
  readonly features?: ((index: number) => StepFeatures) | undefined
  /** Numbers of a sparse vector that are not 0, at most. */
  readonly active?: number | undefined
}

/** The modules behind the pooling. Throws `config.*`, `tensor.*`. */
export async function readLater(
  files: RepoFiles,
  entries: readonly Entry[],
  { features, active }: LaterHow = {},
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
    else if (name === 'SparseAutoEncoder')
      steps.push(await readAutoEncoder(files, folder, await neededConfig(files, folder, name), active))
    else if (name !== 'Dropout')
      throw order(
        files,
        name,
        'nothing but Dense, Normalize, LayerNorm, SparseAutoEncoder and Dropout behind the pooling',
      )
  }
  return steps
}

function order(files: RepoFiles, seen: string, wanted: string): Error {
  return fault('config.unsupported', {
    place: `${files.name}/modules.json`,
    what: 'the order of the modules is not supported',
    seen,
    wanted,
  })
}
