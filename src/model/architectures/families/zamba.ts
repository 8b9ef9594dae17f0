/** Zamba (Glorioso et al. 2024): Mamba in several heads, and one transformer block that many layers share. */
import type { Family } from '../family.ts'
import { limits, readSizes, readWidth } from '../sizes.ts'
import { readAutomatic, readExpanded } from '../state-space.ts'
import { inDecoder, readHybrids, readJoinedHeads, readZamba, zamba2 } from './zamba2.ts'

export const zamba = {
  title: 'Zamba',
  notes:
    'Mamba whose heads have projections of their own; hybrid layers first add what a shared transformer block makes of state and embedding; it is stored with the first layer that uses it',
  modelTypes: ['zamba'],
  classes: ['Zamba'],
  spec: (config) => {
    const { layers, width, heads } = readSizes(config)
    const period = config.int('attn_layer_period', 6)
    const offset = config.int('attn_layer_offset', 4, { min: 0 })
    const inner = readExpanded(config, 'mamba_expand', width)
    const parts = config.int('n_mamba_heads', 2, { max: limits.heads })
    if (inner % parts !== 0) throw config.refuse('n_mamba_heads', `heads do not divide ${inner} columns`)
    return readZamba(config, {
      isHybrid: readHybrids(config, layers, (layer) => layer === 2 || (layer > 2 && (layer - 3) % period === offset)),
      shared: 1,
      scan: {
        kind: 'selective',
        width: inner,
        states: config.int('mamba_d_state', 16, { max: limits.width }),
        rank: readAutomatic(config, 'mamba_dt_rank', Math.ceil(width / 16)),
        kernel: config.int('mamba_d_conv', 4, { max: 1024 }),
        kernelBias: config.flag('mamba_conv_bias', true),
        bias: config.flag('mamba_proj_bias', false),
        activation: config.activation('hidden_mamba_act', 'silu'),
        norm: undefined,
        heads: parts,
        interleaved: true,
      },
      mlp: {
        kind: 'gated',
        layout: 'separate',
        activation: config.activation('hidden_act', 'gelu'),
        width: readWidth(config, 'intermediate_size'),
        bias: false,
      },
      attention: { ...readJoinedHeads(config, { width, heads }, 16), positions: { kind: 'none' } },
    })
  },
  prefixes: zamba2.prefixes,
  tensors: {
    'embed.token': zamba2.tensors['embed.token'],
    'block.norm1': zamba2.tensors['block.norm1'],
    'block.scan.in': zamba2.tensors['block.scan.in'],
    'block.scan.convolution': zamba2.tensors['block.scan.convolution'],
    'block.scan.select': inDecoder('mamba.x_proj_weight'),
    'block.scan.step': inDecoder('mamba.dt_proj_*'),
    'block.scan.decay': zamba2.tensors['block.scan.decay'],
    'block.scan.skip': zamba2.tensors['block.scan.skip'],
    'block.scan.out': zamba2.tensors['block.scan.out'],
    'block.joined.norm': shared('input_layernorm.*'),
    'block.attention.q': shared('self_attn.q_proj.*'),
    'block.attention.k': shared('self_attn.k_proj.*'),
    'block.attention.v': shared('self_attn.v_proj.*'),
    'block.attention.out': shared('self_attn.o_proj.*'),
    'block.norm2': shared('pre_ff_layernorm.*'),
    'block.mlp.gate': shared('feed_forward.gate_proj.*'),
    'block.mlp.up': shared('feed_forward.up_proj.*'),
    'block.mlp.out': shared('feed_forward.down_proj.*'),
    'block.joined.out': zamba2.tensors['block.joined.out'],
    'final.norm': zamba2.tensors['final.norm'],
    'head.causal': zamba2.tensors['head.causal'],
    'head.sequence.out': zamba2.tensors['head.sequence.out'],
  },
  depth: zamba2.depth,
} as const satisfies Family

function shared(name: string): string {
  return `layers.{s}.shared_transf.${name}`
}
