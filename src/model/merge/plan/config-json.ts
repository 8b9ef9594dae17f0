/** The output's config.json: the donor's, with what the merge has changed. */
import { fault } from '#core'
import { isObject } from '#files/formats'
import type { MergePlan } from './plan.ts'
import type { Recipe } from '../recipe/recipe.ts'
import { sharesBlocks, type TensorRole, tensorRoles, untiedConfig } from '#model/architectures'

const layerKeys = ['num_hidden_layers', 'num_blocks', 'n_layer', 'n_layers', 'num_layers']
const torchNames: Readonly<Record<string, string>> = {
  F64: 'float64',
  F32: 'float32',
  F16: 'float16',
  BF16: 'bfloat16',
}

/**
 * `donor` is the base's config, or the first model's. Throws `config.unsupported` where its layers share blocks and are moved. Type, layer count and lists by layer, vocabulary and the tie of
 * head and embedding are put right.
 */
export function outputConfig(
  donor: Readonly<Record<string, unknown>>,
  recipe: Recipe,
  plan: MergePlan,
): Record<string, unknown> {
  refuseMovedBlocks(donor, sourceLayers(recipe))
  const config: Record<string, unknown> = { ...donor }
  const dtype = torchNames[mostStored(plan)]
  if (dtype !== undefined) {
    delete config['dtype']
    config['torch_dtype'] = dtype
  }
  const [layers] = plan.layers.values()
  const text = config['text_config']
  const inner = isObject(text) ? { ...text } : undefined
  if (inner !== undefined) config['text_config'] = inner
  if (layers !== undefined && plan.layers.size === 1)
    for (const part of [config, inner]) if (part !== undefined) setLayers(part, layers, sourceLayers(recipe))
  if (plan.vocabulary !== undefined) {
    if (inner !== undefined && 'vocab_size' in inner) inner['vocab_size'] = plan.vocabulary.rows
    if (inner === undefined || 'vocab_size' in config || !('vocab_size' in inner))
      config['vocab_size'] = plan.vocabulary.rows
  }
  const names = plan.tensors.map(({ name }) => name)
  const roleOf = tensorRoles(donor, names)
  const stores = (kind: TensorRole['kind']): boolean => names.some((name) => roleOf(name).kind === kind)
  delete config['_name_or_path']
  return stores('head') && stores('token-embedding') ? untiedConfig(config) : config
}

/** Layers that share a block find it where its first user stood, and their own branches by their number. */
function refuseMovedBlocks(donor: Readonly<Record<string, unknown>>, sources: readonly number[]): void {
  const moved = sources.findIndex((layer, index) => layer !== index)
  if (moved < 0 || !sharesBlocks(donor)) return
  throw fault('config.unsupported', {
    place: 'config.json',
    what: `layers of this model share blocks, so layer ${sources[moved] ?? 0} cannot become layer ${moved}`,
    hint: 'keep the first layers in their order',
  })
}

function mostStored({ tensors }: MergePlan): string {
  const counts = new Map<string, number>()
  for (const { dtype, shape } of tensors)
    counts.set(dtype, (counts.get(dtype) ?? 0) + shape.reduce((product, size) => product * size, 1))
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'F32'
}

/** Layer of the donor that each output layer begins from: the first source of its slice. */
function sourceLayers({ modules }: Recipe): number[] {
  return Object.values(modules).flatMap(({ slices }) =>
    slices.flatMap(({ sources: [first] }) => {
      const [from, to] = first?.layers ?? [0, 0]
      return Array.from({ length: to - from }, (_, j) => from + j)
    }),
  )
}

/** The count under whichever key the family uses, and every list that had one entry per layer (`layer_types` …). */
function setLayers(config: Record<string, unknown>, layers: number, sources: readonly number[]): void {
  const key = layerKeys.find((name) => typeof config[name] === 'number')
  if (key === undefined) return
  const before = config[key]
  for (const name of layerKeys) if (config[name] === before) config[name] = layers
  for (const [name, value] of Object.entries(config)) {
    if (Array.isArray(value) && value.length === before && sources.length === layers)
      config[name] = sources.map((layer) => (value as unknown[])[layer])
  }
}
