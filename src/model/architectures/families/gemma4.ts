/** Gemma 4's text model (Gemma Team 2026): wide heads in global layers, shared keys, per-layer embeddings. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import { chosenRouting, expertRows, readExperts } from '../experts.ts'
import type { ExpertsSpec } from '../experts-spec.ts'
import type { Family, FamilySpec } from '../family.ts'
import { causalHead } from '../heads.ts'
import { layerTypes } from '../layer-types.ts'
import { type LayerType, readRotary } from '../rotary.ts'
import { readSharedKeys } from '../shared-keys.ts'
import { limits } from '../sizes.ts'
import type { AttentionSpec, Rotary } from '../spec.ts'
import { capStep, readCap } from './gemma2.ts'
import { gemma3n } from './gemma3n.ts'

export const gemma4 = {
  title: 'Gemma 4 (text)',
  notes:
    'global layers with heads of another width, few key heads and values made of keys, upper layers with the keys of lower ones, per-layer embeddings, a number per block; experts next to the MLP where enable_moe_block says so',
  modelTypes: ['gemma4_text'],
  classes: ['Gemma4'],
  spec: (config) => {
    const width = config.int('hidden_size_per_layer_input', 256, { min: 0, max: limits.width })
    const rows = config.int('vocab_size_per_layer_input', 262_144, { max: limits.vocabulary })
    const { block, mlp, ...spec } = readGemma4(config, { maxTokens: 131_072, window: 512 })
    const mixture = config.flag('enable_moe_block', false) ? readMixture(config, mlp.activation) : undefined
    return {
      ...spec,
      mlp,
      block: (layer) => ({ ...block(layer), mixture }),
      layerInputs: width === 0 ? undefined : { width, rows, blocks: spec.layers },
    }
  },
  prefixes: gemma3n.prefixes,
  tensors: {
    ...gemma3n.tensors,
    ...expertRows('layers.{i}'),
    'block.scale': 'layers.{i}.layer_scalar',
    'block.mlp.router': 'layers.{i}.router.proj.*',
    'block.mlp.router.norm': 'layers.{i}.router.scale',
    'block.mlp.router.scale': 'layers.{i}.router.per_expert_scale',
    'block.mixture.mlp.norm': 'layers.{i}.post_feedforward_layernorm_1.*',
    'block.mixture.norm': 'layers.{i}.pre_feedforward_layernorm_2.*',
    'block.mixture.norm.after': 'layers.{i}.post_feedforward_layernorm_2.*',
  },
} as const satisfies Family

/** Experts that read the stream next to the MLP. */
function readMixture(config: ConfigReader, activation: ExpertsSpec['activation']): ExpertsSpec {
  return readExperts(config, {
    activation,
    routing: { ...chosenRouting, perExpert: true },
    experts: ['num_experts'],
    perToken: ['top_k_experts'],
    width: ['moe_intermediate_size'],
  })
}

/** Everything but layer inputs and experts. */
export function readGemma4(config: ConfigReader, usual: { maxTokens: number; window: number }) {
  const decoder = readDecoder(config, {
    maxTokens: usual.maxTokens,
    tied: true,
    padId: 0,
    keyHeads: 4,
    headWidth: 256,
    activationKey: 'hidden_activation',
    activation: 'gelu_pytorch_tanh',
    rotary: { layerType: 'sliding_attention' },
  })
  const { layers, attention, norm, mlp } = decoder
  const types = readTypes(config, layers)
  const keysOf = readSharedKeys(config, types, 0)
  const own = readHeads(config, types, attention)
  const bidirectional = readBidirectional(config)
  const written = config.int('sliding_window', usual.window)
  // Half the window to each side, and one more: the reference counts the bound in.
  const window = bidirectional ? Math.floor(written / 2) + 2 : written
  const doubled = config.flag('use_double_wide_mlp', false)
  const equal = config.flag('attention_k_eq_v', false)
  return {
    ...decoder,
    causal: !bidirectional,
    placement: 'around',
    embedding: { multiplier: Math.sqrt(decoder.width) },
    attention: {
      ...attention,
      queryKeyNorm: { over: 'head', norm },
      valueNorm: { ...norm, weight: 'none' },
      positions: { kind: 'rotary', tables: readTables(config, types, own) },
    },
    scale: 1,
    block: (layer) => ({
      keysOf: keysOf[layer],
      ...(types[layer] === 'sliding_attention' ? { window, rotary: 1 } : {}),
      attention: { ...own[layer], values: equal && types[layer] === 'full_attention' ? 'keys' : undefined },
      mlp: { ...mlp, bias: false, width: doubled && keysOf[layer] !== undefined ? 2 * mlp.width : mlp.width },
    }),
    blockScale: true,
    heads: {
      causal: causalHead({
        tied: config.flag('tie_word_embeddings', true),
        after: capStep(readCap(config, 'final_logit_softcapping', undefined)),
      }),
    },
  } as const satisfies FamilySpec
}

/** The last layer is global whatever the config says. */
function readTypes(config: ConfigReader, layers: number): readonly LayerType[] {
  const types = layerTypes(config, layers, (layer) => ((layer + 1) % 6 === 0 ? 'full_attention' : 'sliding_attention'))
  return types.map((type, layer) => (layer === layers - 1 ? 'full_attention' : type))
}

/** `vision` looks ahead among the patches of an image only. */
function readBidirectional(config: ConfigReader): boolean {
  const key = 'use_bidirectional_attention'
  return config.has(key) && config.choice(key, ['all', 'vision']) === 'all'
}

type Heads = Pick<AttentionSpec, 'headWidth' | 'keyHeads'>

/** Heads layer by layer: as `per_layer_config` has them, or global layers by keys of their own. */
function readHeads(config: ConfigReader, types: readonly LayerType[], usual: AttentionSpecOf): readonly Heads[] {
  const written = config.section('per_layer_config')
  const read = (section: ConfigReader, width: string, keys: string): Heads => {
    const keyHeads = section.int(keys, usual.keyHeads, { max: limits.heads })
    if (usual.heads % keyHeads !== 0) throw section.refuse(keys, `key/value heads do not divide ${usual.heads} heads`)
    return { headWidth: section.int(width, usual.headWidth, { max: limits.width }), keyHeads }
  }
  if (written !== undefined) {
    return types.map((_, layer) => {
      const section = written.section(String(layer))
      const other = section?.keys().find((key) => key !== 'head_dim' && key !== 'num_key_value_heads')
      if (section !== undefined && other !== undefined) throw section.unsupported(other, 'is not read layer by layer')
      return section === undefined ? usual : read(section, 'head_dim', 'num_key_value_heads')
    })
  }
  const wide = {
    headWidth: config.int('global_head_dim', 512, { max: limits.width }),
    keyHeads: config.flag('attention_k_eq_v', false)
      ? read(config, 'head_dim', 'num_global_key_value_heads').keyHeads
      : usual.keyHeads,
  }
  return types.map((type) => (type === 'full_attention' ? wide : usual))
}

type AttentionSpecOf = Heads & Pick<AttentionSpec, 'heads'>

const usualSections = {
  full_attention: { rope_type: 'proportional', partial_rotary_factor: 0.25, rope_theta: 1_000_000 },
  sliding_attention: { rope_type: 'default', rope_theta: 10_000 },
} as const

/** Tables of global layers, then of local ones. */
function readTables(config: ConfigReader, types: readonly LayerType[], heads: readonly Heads[]): readonly Rotary[] {
  return (['full_attention', 'sliding_attention'] as const).map((layerType) => {
    const widths = new Set(heads.flatMap(({ headWidth }, layer) => (types[layer] === layerType ? [headWidth] : [])))
    if (widths.size > 1) throw config.unsupported('per_layer_config', 'layers of one type have heads of two widths')
    const [headWidth = 2] = widths
    return readRotary(config, { headWidth, layerType, usual: usualSections[layerType] })
  })
}
