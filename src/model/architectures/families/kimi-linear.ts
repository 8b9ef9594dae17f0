/** Kimi Linear (Moonshot AI 2025): Kimi delta attention in three of four layers, latent attention without positions. */
import type { ConfigReader } from '../config-reader.ts'
import { mixtureRows, readMixture } from '../corrected-mixture.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { latentRows, readLatent } from '../latent.ts'
import { layerKinds } from '../layer-types.ts'
import { noAttention } from '../recurs.ts'
import { limits } from '../sizes.ts'
import { refuseSparseSteps } from './deepseek-v3.ts'
import { llama } from './llama.ts'

export const kimiLinear = {
  title: 'Kimi Linear',
  notes:
    'gated delta rule whose key columns decay by themselves, short convolutions on q, k and v; latent attention without positions in the other layers; experts as DeepSeek-V3',
  modelTypes: ['kimi_linear'],
  classes: ['KimiLinear'],
  spec: (config) => {
    refuseSparseSteps(config)
    config.only('moe_router_activation_func', ['sigmoid'], 'is not read by the reference, which takes sigmoids')
    config.only('mla_use_nope', [true], 'is not read by the reference, which rotates nothing')
    const decoder = readDecoder(config, {
      maxTokens: 1_048_576,
      maxTokensKey: ['model_max_length', 'max_position_embeddings'],
      epsilon: 1e-5,
      padId: 163_839,
      headWidth: 64,
    })
    const { norm, layers } = decoder
    const dense = { ...decoder.mlp, bias: false }
    const { attention, scale } = readLatent(config, decoder.attention.heads)
    const linear = config.section('linear_attn_config')
    const heads = readSize(config, linear, ['linear_num_heads', 'num_heads', 32])
    const width = readSize(config, linear, ['linear_head_dim', 'head_dim', 128])
    const scan = {
      kind: 'gated-delta',
      keyHeads: heads,
      heads,
      keyWidth: width,
      valueWidth: width,
      kernel: readSize(config, linear, ['linear_conv_kernel_dim', 'short_conv_kernel_size', 4]),
      activation: decoder.mlp.activation,
      layout: 'each',
      norm: { norm, groups: heads, order: 'norm-first', activation: 'sigmoid', weightPer: 'group' },
      shareFactor: 1,
      narrow: width,
    } as const
    const kinds = readKinds(config, linear, layers)
    const mixture = readMixture(
      config,
      { layers, mlp: dense },
      { experts: 256, perToken: 8, width: 1024, shared: 1, dense: 1, scaling: 2.446, listed: true },
    )
    return {
      ...decoder,
      attention: { ...attention, positions: { kind: 'none' } },
      scale,
      mlp: mixture.mlp,
      block: (layer) => ({
        ...mixture.block(layer),
        ...(kinds[layer] === 'linear_attention' ? { attention: noAttention, scan } : {}),
      }),
      // the reference never ties the head
      heads: { causal: causalHead({ tied: false }) },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    ...latentRows,
    'block.mlp.gate': inMixture('gate_proj.*'),
    'block.mlp.up': inMixture('up_proj.*'),
    'block.mlp.out': inMixture('down_proj.*'),
    'block.scan.q': llama.tensors['block.attention.q'],
    'block.scan.k': llama.tensors['block.attention.k'],
    'block.scan.v': llama.tensors['block.attention.v'],
    'block.scan.convolution': 'layers.{i}.self_attn.conv1d.*',
    'block.scan.convolution.q': 'layers.{i}.self_attn.q_conv1d.*',
    'block.scan.convolution.k': 'layers.{i}.self_attn.k_conv1d.*',
    'block.scan.convolution.v': 'layers.{i}.self_attn.v_conv1d.*',
    'block.scan.select.down': inGate('f_a_proj.*'),
    'block.scan.select': inGate('f_b_proj.*'),
    'block.scan.step': inGate('dt_bias'),
    'block.scan.decay': inGate('A_log'),
    'block.scan.share': 'layers.{i}.self_attn.b_proj.*',
    'block.scan.gate.down': 'layers.{i}.self_attn.g_a_proj.*',
    'block.scan.gate': 'layers.{i}.self_attn.g_b_proj.*',
    'block.scan.norm': 'layers.{i}.self_attn.o_norm.*',
    'block.scan.out': llama.tensors['block.attention.out'],
    ...mixtureRows,
    'block.mlp.experts.gate': 'layers.{i}.block_sparse_moe.experts.{e}.w1.*',
    'block.mlp.experts.up': 'layers.{i}.block_sparse_moe.experts.{e}.w3.*',
    'block.mlp.experts.out': 'layers.{i}.block_sparse_moe.experts.{e}.w2.*',
    'block.mlp.router': inMixture('gate.weight'),
    'block.mlp.router.correction': inMixture('gate.e_score_correction_bias'),
    'block.mlp.shared.gate': inMixture('shared_experts.gate_proj.*'),
    'block.mlp.shared.up': inMixture('shared_experts.up_proj.*'),
    'block.mlp.shared.out': inMixture('shared_experts.down_proj.*'),
  },
  depth: {
    lists: ['layer_types', 'mlp_layer_types'],
    // counts before the lists of linear_attn_config, which name layers that are gone
    further: (blocks) => ({
      layer_types: blocks.map(({ scan }) => (scan === undefined ? 'full_attention' : 'linear_attention')),
    }),
  },
} as const satisfies Family

function inGate(name: string): readonly [string, string] {
  return [`layers.{i}.self_attn.${name}`, `layers.{i}.self_attn.forget_gate.${name}`]
}

function inMixture(name: string): readonly [string, string] {
  return [`layers.{i}.block_sparse_moe.${name}`, `layers.{i}.mlp.${name}`]
}

/** A size of released configs' own section, which counts before the key outside. */
function readSize(
  config: ConfigReader,
  section: ConfigReader | undefined,
  [key, inside, usual]: readonly [key: string, inside: string, usual: number],
): number {
  return section?.optionalInt(inside, { max: limits.width }) ?? config.int(key, usual, { max: limits.width })
}

/** One kind per layer: `layer_types`, the section's lists (counted from 1), or every fourth layer but the first. */
function readKinds(
  config: ConfigReader,
  section: ConfigReader | undefined,
  layers: number,
): readonly ('full_attention' | 'linear_attention')[] {
  const [full, linear] = [section?.numbers('full_attn_layers'), section?.numbers('kda_layers')]
  const isFull = (layer: number): boolean => {
    if (section === undefined || full === undefined || linear === undefined) return layer > 0 && layer % 4 === 0
    if (full.includes(layer + 1) === linear.includes(layer + 1))
      throw section.refuse(['full_attn_layers', 'kda_layers'], `must name layer ${layer + 1} in one of two lists`)
    return full.includes(layer + 1)
  }
  return layerKinds(config, layers, ['full_attention', 'linear_attention'], {
    derive: (layer) => (isFull(layer) ? 'full_attention' : 'linear_attention'),
  })
}
