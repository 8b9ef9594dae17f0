/**
 * Mixtures after DeepSeek-V3 (DeepSeek-AI 2024): sigmoids with a correction for the choice, groups, shared experts, and
 * dense first layers.
 */
import type { ConfigReader } from './config-reader.ts'
import type { Decoder } from './decoder.ts'
import {
  denseWhere,
  expertRows,
  readDenseLayers,
  readExperts,
  readGroups,
  readNormalized,
  sharedExpert,
  sharedRows,
  softmaxRouting,
} from './experts.ts'
import type { ExpertsSpec, TopRouting } from './experts-spec.ts'
import type { FamilySpec } from './family.ts'
import { limits } from './sizes.ts'
import type { BlockSpec, SlotNames } from './spec.ts'

/** Values of a configuration class where config.json leaves them out. */
export interface MixtureDefaults {
  readonly experts?: number | undefined
  readonly perToken?: number | undefined
  readonly width?: number
  /** Experts that every token passes. */
  readonly shared?: number
  /** Dense layers before the first sparse one. */
  readonly dense?: number
  /** Whether `mlp_layer_types` says which layers are dense. */
  readonly listed?: boolean
  readonly scaling?: number
  readonly groups?: number
  readonly chosen?: number
  readonly normalized?: boolean
  /** What differs from sigmoids with a correction. */
  readonly routing?: Partial<TopRouting>
}

const expertKeys = ['n_routed_experts', 'num_experts', 'num_local_experts'] as const
const sharedKeys = ['n_shared_experts', 'num_shared_experts'] as const

export interface Mixture extends Pick<FamilySpec, 'mlp'> {
  readonly mlp: ExpertsSpec
  readonly block: (layer: number) => Partial<BlockSpec>
}

export function readMixture(
  config: ConfigReader,
  { layers, mlp: dense }: Pick<Decoder, 'layers' | 'mlp'>,
  usual: MixtureDefaults,
): Mixture {
  const { shared = 0, listed = false, scaling = 1, groups = 1, chosen = 1, normalized = true, routing } = usual
  const columns = [['moe_intermediate_size'], usual.width] as const
  const width = config.int(...columns, { max: limits.width })
  const inShared = config.int(sharedKeys, shared, { min: 0, max: limits.experts }) * width
  const first = config.int('first_k_dense_replace', usual.dense ?? 0, { min: 0 })
  const isDense = (layer: number): boolean => layer < first
  const mlp = readExperts(config, {
    activation: dense.activation,
    routing: {
      ...softmaxRouting,
      scores: 'sigmoid',
      correction: true,
      groups: readGroups(config, { groups, chosen, by: 'best-two' }, [expertKeys, usual.experts]),
      normalized: readNormalized(config, normalized),
      scaling: config.number('routed_scaling_factor', scaling),
      ...routing,
    },
    experts: [expertKeys, usual.experts],
    perToken: [['num_experts_per_tok', 'num_experts_per_token'], usual.perToken],
    width: columns,
    shared: sharedExpert(inShared, { bias: dense.bias }),
  })
  return { mlp, block: denseWhere(listed ? readDenseLayers(config, layers, isDense) : isDense, dense) }
}

export const mixtureRows = {
  ...expertRows('layers.{i}.mlp'),
  ...sharedRows('layers.{i}.mlp.shared_experts'),
  'block.mlp.router': 'layers.{i}.mlp.gate.weight',
  'block.mlp.router.correction': 'layers.{i}.mlp.gate.e_score_correction_bias',
} as const satisfies SlotNames
