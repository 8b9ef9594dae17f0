/**
 * A representation as the modules of sentence-transformers: their files next to a checkpoint. Names and settings that
 * every release from 2 on reads.
 */
import type { Dtype } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { ModelSettings } from '#model/passes'
import type { ModulesSpec } from '#model/checkpoint'
import type { ExportedStep, Reading } from './reading.ts'
import { libraryLayers } from './st-layers.ts'

/** Tensors of a module, float32. */
export interface ModuleTensor {
  readonly name: string
  readonly dtype: Extract<Dtype, 'F32'>
  readonly shape: readonly number[]
  readonly bytes: Uint8Array
}

export interface LibraryModule {
  /** Without the library's name: `Pooling`. */
  readonly name: string
  /** Undefined for a module without settings. */
  readonly config: Readonly<Record<string, unknown>> | undefined
  readonly tensors: readonly ModuleTensor[]
}

export interface LibraryModel {
  readonly blocks: number
  /** Behind the transformer. */
  readonly modules: readonly LibraryModule[]
  /** Numbers of a vector. */
  readonly width: number
  /** Words that config.json must have for them. */
  readonly words: Readonly<Record<string, unknown>>
}

/** Throws `usage.conflict`, with the reason, for what the library's modules cannot say. */
export async function libraryModel(
  reading: Reading,
  spec: ModelSpec,
  settings: Pick<ModelSettings, 'includePrompt'>,
): Promise<LibraryModel> {
  const { blocks, weighted, dense } = await libraryLayers(reading, spec)
  const width = blocks === spec.layers ? (spec.final.project ?? spec.width) : spec.width
  const later = laterModules(reading.later, dense?.outputs ?? width * reading.pooling.length)
  return {
    blocks,
    width: later.width,
    modules: [
      ...(weighted === undefined ? [] : [weightedModule(weighted, width, blocks)]),
      poolingModule(reading, width, settings),
      ...(dense === undefined ? [] : [denseModule({ ...dense, activation: 'Identity', residual: undefined })]),
      ...later.modules,
    ],
    words: weighted === undefined ? {} : { output_hidden_states: true },
  }
}

function weightedModule(
  { start, weights }: { start: number; weights: Float32Array },
  width: number,
  blocks: number,
): LibraryModule {
  return {
    name: 'WeightedLayerPooling',
    config: { word_embedding_dimension: width, layer_start: start, num_hidden_layers: blocks },
    tensors: [tensor('layer_weights', [weights.length], weights)],
  }
}

const poolingFlags = {
  cls: 'pooling_mode_cls_token',
  max: 'pooling_mode_max_tokens',
  mean: 'pooling_mode_mean_tokens',
  mean_sqrt_len_tokens: 'pooling_mode_mean_sqrt_len_tokens',
  weightedmean: 'pooling_mode_weightedmean_tokens',
  lasttoken: 'pooling_mode_lasttoken',
} as const satisfies Record<Reading['pooling'][number], string>

/** The flags of older releases say one order of several poolings; only the newer list says every order. */
function poolingModule(
  { pooling }: Reading,
  width: number,
  { includePrompt }: Pick<ModelSettings, 'includePrompt'>,
): LibraryModule {
  const flags = Object.entries(poolingFlags).map(([mode, flag]) => [flag, pooling.some((own) => own === mode)] as const)
  const usualOrder = Object.keys(poolingFlags).filter((mode) => pooling.some((own) => own === mode))
  const modes = usualOrder.join() === pooling.join() ? Object.fromEntries(flags) : { pooling_mode: pooling }
  return {
    name: 'Pooling',
    config: { word_embedding_dimension: width, ...modes, include_prompt: includePrompt },
    tensors: [],
  }
}

type DenseStep = Extract<ExportedStep, { kind: 'dense' }>

function denseModule({
  inputs,
  outputs,
  weight,
  bias,
  activation,
  residual,
}: Pick<DenseStep, 'inputs' | 'outputs' | 'weight' | 'bias' | 'activation' | 'residual'>): LibraryModule {
  // torch has all but one in the module that is named after them.
  const where = activation === 'Identity' ? 'torch.nn.modules.linear' : 'torch.nn.modules.activation'
  return {
    name: 'Dense',
    config: {
      in_features: inputs,
      out_features: outputs,
      bias: bias !== undefined,
      activation_function: `${where}.${activation}`,
      ...(residual === undefined ? {} : { use_residual: true }),
    },
    tensors: [
      tensor('linear.weight', [outputs, inputs], weight),
      ...(bias === undefined ? [] : [tensor('linear.bias', [outputs], bias)]),
      ...(residual instanceof Float32Array ? [tensor('residual.weight', [outputs, inputs], residual)] : []),
    ],
  }
}

function laterModules(steps: readonly ExportedStep[], pooled: number): { modules: LibraryModule[]; width: number } {
  const modules: LibraryModule[] = []
  let width = pooled
  for (const step of steps) {
    modules.push(laterModule(step, width))
    if (step.kind === 'dense') width = step.outputs
    if (step.kind === 'truncate') width = Math.min(width, step.width)
  }
  return { modules, width }
}

/** The first columns as a product with ones and zeros, which changes no number: a module may then follow. */
function columnsModule(inputs: number, outputs: number): LibraryModule {
  const weight = new Float32Array(outputs * inputs)
  for (let column = 0; column < outputs; column++) weight[column * inputs + column] = 1
  return denseModule({ inputs, outputs, weight, bias: undefined, activation: 'Identity', residual: undefined })
}

/** `width`: numbers of a vector before the step. */
function laterModule(step: ExportedStep, width: number): LibraryModule {
  switch (step.kind) {
    case 'truncate':
      return columnsModule(width, Math.min(width, step.width))
    case 'normalize':
      return { name: 'Normalize', config: undefined, tensors: [] }
    case 'dense':
      return denseModule(step)
    case 'layer-norm':
      return {
        name: 'LayerNorm',
        config: { dimension: step.width },
        tensors: [tensor('norm.weight', [step.width], step.weight), tensor('norm.bias', [step.width], step.bias)],
      }
    default:
      return step satisfies never
  }
}

function tensor(
  name: string,
  shape: readonly number[],
  { buffer, byteOffset, byteLength }: Float32Array,
): ModuleTensor {
  return { name, dtype: 'F32', shape, bytes: new Uint8Array(buffer, byteOffset, byteLength) }
}

/** The small files that make a folder of these modules a model: where each lies, what it is asked with. */
export function libraryFiles(
  { modules }: Pick<LibraryModel, 'modules'>,
  { maxLength, lowerCase, similarity }: ModelSettings,
  folder: Pick<ModulesSpec, 'prompts' | 'defaultPromptName'>,
): ReadonlyMap<string, string> {
  const entries = [
    { name: 'Transformer', path: '' },
    ...modules.map(({ name }, index) => ({ name, path: moduleFolder(name, index) })),
  ]
  const list = entries.map(({ name, path }, idx) => ({
    idx,
    name: String(idx),
    path,
    type: `sentence_transformers.models.${name}`,
  }))
  const files: Record<string, unknown> = {
    'modules.json': list,
    'sentence_bert_config.json': { max_seq_length: maxLength, do_lower_case: lowerCase },
    'config_sentence_transformers.json': {
      prompts: folder.prompts,
      default_prompt_name: folder.defaultPromptName ?? null,
      similarity_fn_name: similarity,
    },
  }
  for (const [index, { name, config }] of modules.entries())
    if (config !== undefined) files[`${moduleFolder(name, index)}/config.json`] = config
  return new Map(Object.entries(files).map(([path, value]) => [path, `${JSON.stringify(value, undefined, 2)}\n`]))
}

/** `index`: among the modules behind the transformer. */
export function moduleFolder(name: string, index: number): string {
  return `${index + 1}_${name}`
}
