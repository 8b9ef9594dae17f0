/** What mixtures of experts have in common: counts with bounds, the usual routings, names of their tensors. */
import type { ConfigReader, Key } from './config-reader.ts'
import type { ExpertsSpec, SharedSpec, StackedSpec, TopRouting } from './experts-spec.ts'
import { limits } from './sizes.ts'
import type { BlockSpec, MlpSpec, SlotNames } from './spec.ts'

/** A key, and what the configuration class has where it is left out. */
export type Counted = readonly [key: Key, usual?: number | undefined]

/** Softmax over all experts; `norm_topk_prob` of many families divides by the sum of the chosen. */
export const softmaxRouting: TopRouting = {
  kind: 'top',
  scores: 'softmax',
  bias: false,
  correction: false,
  groups: undefined,
  normalized: undefined,
  scaling: 1,
  weigh: 'outputs',
}

/** The softmax of the chosen logits alone, which is the softmax over all made to sum to 1. */
export const chosenRouting: TopRouting = { ...softmaxRouting, normalized: 1 }

const separateStack: StackedSpec = { in: 'out-in', out: 'out-in', interleaved: false }

export interface ExpertsOptions extends Partial<
  Pick<ExpertsSpec, 'bias' | 'clip' | 'idle' | 'shared' | 'stacked' | 'plain' | 'latent' | 'mixedBias'>
> {
  readonly activation: ExpertsSpec['activation']
  readonly routing: ExpertsSpec['routing']
  readonly experts: Counted
  readonly perToken: Counted
  readonly width: Counted
}

/** Throws `config.value` where more experts are chosen than there are. */
export function readExperts(config: ConfigReader, options: ExpertsOptions): ExpertsSpec {
  const { experts: counted, perToken: chosen, width, ...rest } = options
  const experts = config.int(...counted, { max: limits.experts })
  const perToken = config.int(...chosen, { max: limits.experts })
  const choices = experts + (options.idle?.count ?? 0)
  if (perToken > choices) throw config.refuse(chosen[0], 'exceeds the number of experts', `≤ ${choices}`)
  return {
    kind: 'experts',
    bias: false,
    clip: undefined,
    idle: undefined,
    shared: undefined,
    stacked: separateStack,
    ...rest,
    experts,
    perToken,
    width: config.int(...width, { max: limits.width }),
  }
}

/** The order of the norm by which shares are divided: 1 where `norm_topk_prob` is on. */
export function readNormalized(config: ConfigReader, usual: boolean): number | undefined {
  return config.flag(['norm_topk_prob', 'moe_renormalize'], usual) ? 1 : undefined
}

/** `n_group`, of which `topk_group` may be chosen from; undefined where that is all of them. */
export function readGroups(
  config: ConfigReader,
  usual: { readonly groups?: number; readonly chosen?: number; readonly by: 'best' | 'best-two' },
  counted: Counted,
): TopRouting['groups'] {
  const count = config.int(['n_group', 'num_expert_group'], usual.groups)
  const chosen = config.int('topk_group', usual.chosen)
  const experts = config.int(...counted, { max: limits.experts })
  if (experts % count !== 0)
    throw config.refuse(['n_group', 'num_expert_group'], `groups do not divide ${experts} experts`)
  if (chosen > count) throw config.refuse('topk_group', 'exceeds the number of groups', `≤ ${count}`)
  if (chosen === count) return undefined
  if (usual.by === 'best-two' && experts / count < 2)
    throw config.refuse(['n_group', 'num_expert_group'], 'leaves groups of one expert', `≤ ${experts / 2}`)
  return { count, chosen, by: usual.by }
}

/** MLPs that every token passes, as one of `width` columns; undefined for 0 columns. */
export function sharedExpert(width: number, options: Partial<SharedSpec> = {}): SharedSpec | undefined {
  return width === 0 ? undefined : { width, bias: false, layout: 'separate', gated: false, joined: 'sum', ...options }
}

/** Dense MLPs in some blocks. */
export function denseWhere(isDense: (layer: number) => boolean, dense: MlpSpec): (layer: number) => Partial<BlockSpec> {
  return (layer) => (isDense(layer) ? { mlp: dense } : {})
}

/** `mlp_layer_types`: one word per layer, dense or sparse. */
export function readDenseLayers(
  config: ConfigReader,
  layers: number,
  derive: (layer: number) => boolean,
): (layer: number) => boolean {
  const written = config.list('mlp_layer_types')
  if (written === undefined) return derive
  if (written.length !== layers) throw config.refuse('mlp_layer_types', `names ${written.length} layers`, layers)
  const unknown = written.find((type) => type !== 'dense' && type !== 'sparse')
  if (unknown !== undefined) throw config.unsupported('mlp_layer_types', 'supports only dense and sparse')
  return (layer) => written[layer] === 'dense'
}

/** Experts one by one, as most checkpoints store them, or all in two tensors, as transformers 5 holds them. */
export function expertRows(
  module: string,
  [gate, up, out]: readonly [string, string, string] = ['gate_proj', 'up_proj', 'down_proj'],
): SlotNames {
  return {
    'block.mlp.experts.gate': `${module}.experts.{e}.${gate}.*`,
    'block.mlp.experts.up': `${module}.experts.{e}.${up}.*`,
    'block.mlp.experts.out': `${module}.experts.{e}.${out}.*`,
    'block.mlp.stacked.in': `${module}.experts.gate_up_proj`,
    'block.mlp.stacked.out': `${module}.experts.down_proj`,
  }
}

/** A shared expert that is stored as a gated MLP. */
export function sharedRows(module: string): SlotNames {
  return {
    'block.mlp.shared.gate': `${module}.gate_proj.*`,
    'block.mlp.shared.up': `${module}.up_proj.*`,
    'block.mlp.shared.out': `${module}.down_proj.*`,
  }
}
