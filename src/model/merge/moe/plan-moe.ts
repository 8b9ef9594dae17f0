/**
 * A mixture of experts as a plan of tensors: the base's own, every expert's feed-forward parts under their new names,
 * the routers. From headers and configs alone.
 */
import { type Dtype, fault, type TensorInfo, type TensorSource, type ModelHeaders } from '#core'
import type { Compat } from '#model/merge-methods'
import type { MergePlan, PlannedTensor } from '../plan/plan.ts'
import { layerCounts, type TensorRole, tensorRoles } from '#model/architectures'
import { type Expert, type MoeRecipe, readsPrompts } from './moe-recipe.ts'
import { chooseFamily } from './output-families.ts'
import type { MoeRequest, OutputFamily } from './output-family.ts'

/** The parts that are settled before any prompt is read. */
export interface MoeOutline {
  readonly family: OutputFamily
  readonly config: Record<string, unknown>
  readonly layers: number
  readonly width: number
  /** The experts whose rows a router has, the gated shared one behind them. */
  readonly gated: readonly Expert[]
  readonly dtype: Dtype | undefined
  readonly notes: readonly string[]
}

const storedNames: Readonly<Record<string, Dtype>> = {
  float64: 'F64',
  float32: 'F32',
  float16: 'F16',
  bfloat16: 'BF16',
}
const torchNames: Readonly<Record<string, string>> = {
  F64: 'float64',
  F32: 'float32',
  F16: 'float16',
  BF16: 'bfloat16',
}

/** `inputs`: base and sources, each once. Throws `config.unsupported`, `config.value`, `usage.value`. */
export function outlineMoe(recipe: MoeRecipe, inputs: readonly ModelHeaders[], place: string): MoeOutline {
  const { base, experts, shared } = recipe
  const config = inputOf(inputs, base).config
  const request: MoeRequest = {
    modelTypes: [base, ...[...experts, ...shared].map(({ model }) => model)].map((model) =>
      kindOf(inputOf(inputs, model)),
    ),
    experts: experts.length,
    shared: shared.length,
    sharedPrompts: shared.some(({ positive }) => positive.length > 0),
    randomGates: !readsPrompts(recipe.gateMode),
    expertsPerToken: recipe.expertsPerToken,
  }
  const family = chooseFamily(request, recipe.architecture, place)
  const [layers, width] = [config['num_hidden_layers'], config['hidden_size']]
  if (typeof layers !== 'number' || typeof width !== 'number')
    throw fault('config.value', {
      place: `${base}/config.json`,
      what: 'num_hidden_layers or hidden_size is missing',
      seen: [layers, width],
    })
  const dtype = recipe.dtype ?? storedNames[String(config['torch_dtype'] ?? config['dtype'])]
  const notes = [
    ...(readsPrompts(recipe.gateMode) ? [] : ['the routers are random: the mixture needs training']),
    ...((experts.length & (experts.length - 1)) === 0
      ? []
      : [`${experts.length} experts: llama.cpp takes powers of two only`]),
  ]
  return {
    family,
    config: {
      ...family.config(config, request),
      ...(dtype === undefined ? {} : { torch_dtype: torchNames[dtype] ?? 'float32' }),
    },
    layers,
    width,
    gated: [...experts, ...(family.sharedGate === undefined ? [] : shared)],
    dtype,
    notes,
  }
}

function kindOf({ config }: ModelHeaders): string {
  const type = config['model_type']
  return typeof type === 'string' ? type : 'unknown'
}

/** Names of the routers' tensors, and their rows among those of `gated`. */
export function gateTensors(
  { family, layers, width, gated }: MoeOutline,
  recipe: MoeRecipe,
): { name: string; layer: number; from: number; to: number; shape: number[] }[] {
  const count = recipe.experts.length
  return Array.from({ length: layers }, (_, layer) => {
    const path = `model.layers.${layer}`
    const own = { name: family.gate(path), layer, from: 0, to: count, shape: [count, width] }
    return family.sharedGate === undefined || gated.length === count
      ? [own]
      : [
          own,
          { name: family.sharedGate(path), layer, from: count, to: gated.length, shape: [gated.length - count, width] },
        ]
  }).flat()
}

export interface MoePlanOptions {
  compat?: Compat | undefined
  seed?: number | undefined
}

/**
 * `inputs`: base and experts, each once; `routers`: their tensors and zero biases. Throws `tensor.missing`,
 * `tensor.shape`, and `config.unsupported` for tensors
 * the output has no place for.
 */
export function planMoe(
  recipe: MoeRecipe,
  outline: MoeOutline,
  inputs: readonly ModelHeaders[],
  routers: TensorSource,
  { compat = 'exact', seed = 0 }: MoePlanOptions = {},
): MergePlan {
  const { family, layers } = outline
  const base = positionOf(inputs, recipe.base)
  const names = inputs[base]?.tensors.names() ?? []
  const roleOf = tensorRoles(inputs[base]?.config ?? {}, names)
  const madeRole = tensorRoles(outline.config, names)
  const sources = [...inputs.map((input) => input.tensors), routers]
  const tensors: PlannedTensor[] = []
  // 0.1.4 looks for `down_proj` among names that it has already changed to Mixtral's.
  const scales = compat !== 'mergekit-0.1.4' || family.name !== 'Mixtral'
  const add = (
    name: string,
    input: number,
    source: string,
    wanted: readonly number[] | undefined,
    expert?: Expert,
  ): void => {
    tensors.push(
      planned({
        name,
        role: madeRole(name),
        input,
        source,
        wanted,
        expert,
        scales,
        dtype: outline.dtype,
        sources,
        layers,
      }),
    )
  }
  checkLayers(recipe, names, layers)
  for (const name of names) {
    const { kind, layer } = roleOf(name)
    if (kind === 'buffer' || kind === 'mlp') continue
    if (layer !== undefined && family.unfit.test(name)) {
      throw fault('config.unsupported', {
        place: `${recipe.base} › ${name}`,
        what: `${family.name} has no place for this tensor`,
        hint: 'name another architecture',
      })
    }
    add(name, base, name, undefined)
  }
  for (let layer = 0; layer < layers; layer++) {
    const path = `model.layers.${layer}`
    for (const part of ['gate_proj', 'up_proj', 'down_proj']) {
      const source = `${path}.mlp.${part}.weight`
      const wanted = inputs[base]?.tensors.info(source)?.shape
      recipe.experts.forEach((expert, e) =>
        add(family.expert(path, e, part), positionOf(inputs, expert.model), source, wanted, expert),
      )
      for (const expert of recipe.shared)
        add(family.shared(path, part), positionOf(inputs, expert.model), source, wanted, expert)
    }
  }
  for (const name of routers.names()) add(name, inputs.length, name, undefined)
  return {
    method: 'moe',
    compat,
    seed,
    inputs: inputs.map(({ model }) => model),
    further: [routers.name],
    base,
    dtype: undefined,
    tensors,
    vocabulary: undefined,
    layers: new Map(),
    notes: outline.notes,
  }
}

function checkLayers({ base }: MoeRecipe, names: readonly string[], layers: number): void {
  const count = layerCounts(names).get('model.layers.') ?? 0
  if (count !== layers)
    throw fault('tensor.missing', {
      place: base,
      what: 'layers of the file and of the config differ',
      seen: count,
      wanted: layers,
    })
}

interface Part {
  readonly name: string
  readonly role: TensorRole
  readonly input: number
  readonly source: string
  readonly wanted: readonly number[] | undefined
  readonly expert: Expert | undefined
  /** `residual_scale` counts. */
  readonly scales: boolean
  readonly dtype: Dtype | undefined
  readonly sources: readonly TensorSource[]
  readonly layers: number
}

function planned({
  name,
  role,
  input,
  source,
  wanted,
  expert,
  scales,
  dtype: asked,
  sources,
  layers,
}: Part): PlannedTensor {
  const info = sources[input]?.info(source)
  const place = `${sources[input]?.name ?? ''} › ${source}`
  if (info === undefined)
    throw fault('tensor.missing', { place, what: 'the model lacks a tensor that its part in the mixture needs' })
  if (wanted !== undefined && wanted.join() !== info.shape.join())
    throw fault('tensor.shape', {
      place,
      what: 'the shape does not fit the base',
      seen: info.shape,
      wanted,
      hint: 'experts must be models of one shape',
    })
  const noise = expert?.noiseScale ?? null
  const scale = scales && source.includes('.down_proj.') ? (expert?.residualScale ?? null) : null
  const dtype = isFloat(info) ? (asked ?? info.dtype) : info.dtype
  return {
    name,
    side: role.side,
    shape: info.shape,
    dtype,
    work: noise === null && scale === null && dtype === info.dtype ? 'copy' : 'merge',
    base: undefined,
    operands: [{ input, info }],
    shared: {},
    perModel: [{ noise_scale: noise, residual_scale: scale }],
    extras: [],
    layer: role.layer === undefined ? undefined : { index: role.layer.layer, count: layers },
    byToken: false,
  }
}

function isFloat({ dtype }: TensorInfo): boolean {
  return dtype === 'BF16' || dtype.startsWith('F')
}

function positionOf(inputs: readonly ModelHeaders[], model: string): number {
  const at = inputs.findIndex((input) => input.model === model)
  if (at < 0) throw fault('internal', { place: model, what: 'a model of the recipe was not opened' })
  return at
}

function inputOf(inputs: readonly ModelHeaders[], model: string): ModelHeaders {
  const input = inputs[positionOf(inputs, model)]
  if (input === undefined) throw fault('internal', { place: model, what: 'a model of the recipe was not opened' })
  return input
}

/** Biases the output wants and the base lacks, with the length its weight gives them. */
export function missingBiases({ family, layers }: MoeOutline, base: ModelHeaders): { name: string; shape: number[] }[] {
  return Array.from({ length: layers }, (_, layer) =>
    family.zeroBiases.flatMap((part) => {
      const path = `model.layers.${layer}.${part}`
      const rows = base.tensors.info(`${path}.weight`)?.shape[0]
      return base.tensors.info(`${path}.bias`) !== undefined || rows === undefined
        ? []
        : [{ name: `${path}.bias`, shape: [rows] }]
    }),
  ).flat()
}
