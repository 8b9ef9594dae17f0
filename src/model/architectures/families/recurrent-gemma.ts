/** RecurrentGemma (Botev et al. 2024, Griffin): RG-LRU in two of three layers, local attention in the third. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { noAttention } from '../recurs.ts'
import { limits } from '../sizes.ts'
import { gemmaNorm } from './gemma.ts'
import { capStep } from './gemma2.ts'
import { llama } from './llama.ts'

export const recurrentGemma = {
  title: 'RecurrentGemma',
  notes:
    'RG-LRU with gates by blocks of channels, a token at position 0 starts anew; local attention, half of each head is rotated; embeddings times the root of the width in bfloat16; pads are zeroed before the convolution (the reference lets them in)',
  modelTypes: ['recurrent_gemma'],
  classes: ['RecurrentGemma'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 8192,
      activationKey: 'hidden_activation',
      activation: 'gelu_pytorch_tanh',
      rotary: { fraction: 0.5 },
    })
    const { width, attention, mlp } = decoder
    const headWidth = width / attention.heads
    if (attention.headWidth !== headWidth)
      throw config.refuse('head_dim', 'is written over by the reference', headWidth)
    const kinds = readKinds(config, decoder.layers)
    const window = config.int(['attention_window_size', 'sliding_window'], 2048)
    const inner = config.int('lru_width', width, { max: limits.width })
    if (inner % attention.heads !== 0) throw config.refuse('lru_width', 'is not divided by the heads', attention.heads)
    const scan = {
      kind: 'gated-recurrence',
      width: inner,
      heads: attention.heads,
      kernel: config.int('conv1d_width', 4, { max: 1024 }),
      activation: mlp.activation,
    } as const
    return {
      ...decoder,
      norm: gemmaNorm(decoder.norm),
      maxTokens: undefined,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      embedding: { multiplier: bfloat16(Math.sqrt(width)) },
      attention: { ...attention, bias: { qkv: attention.bias.qkv, out: true } },
      mlp: { ...mlp, width: Math.floor(mlp.width / 2), bias: true },
      block: (layer) =>
        kinds[layer] === 'attention' ? { window } : { attention: noAttention, rotary: undefined, scan },
      heads: {
        causal: causalHead({
          tied: config.flag('tie_word_embeddings', true),
          after: capStep(config.number('logits_soft_cap', 30, { min: 1e-6 })),
        }),
      },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.norm1': 'layers.{i}.temporal_pre_norm.*',
    'block.attention.q': 'layers.{i}.temporal_block.q_proj.*',
    'block.attention.k': 'layers.{i}.temporal_block.k_proj.*',
    'block.attention.v': 'layers.{i}.temporal_block.v_proj.*',
    'block.attention.out': 'layers.{i}.temporal_block.o_proj.*',
    'block.scan.in': 'layers.{i}.temporal_block.linear_x.*',
    'block.scan.gate': 'layers.{i}.temporal_block.linear_y.*',
    'block.scan.convolution': 'layers.{i}.temporal_block.conv_1d.*',
    'block.scan.write': 'layers.{i}.temporal_block.rg_lru.input_gate_weight',
    'block.scan.write.bias': 'layers.{i}.temporal_block.rg_lru.input_gate_bias',
    'block.scan.select': 'layers.{i}.temporal_block.rg_lru.recurrent_gate_weight',
    'block.scan.select.bias': 'layers.{i}.temporal_block.rg_lru.recurrent_gate_bias',
    'block.scan.decay': 'layers.{i}.temporal_block.rg_lru.recurrent_param',
    'block.scan.out': 'layers.{i}.temporal_block.linear_out.*',
    'block.norm2': 'layers.{i}.channel_pre_norm.*',
    'block.mlp.gate': 'layers.{i}.mlp_block.gate_proj.*',
    'block.mlp.up': 'layers.{i}.mlp_block.up_proj.*',
    'block.mlp.out': 'layers.{i}.mlp_block.down_proj.*',
    'final.norm': 'final_norm.*',
  },
} as const satisfies Family

/** `block_types`, over and over; the others attend. */
function readKinds(config: ConfigReader, layers: number): readonly ('recurrent' | 'attention')[] {
  const pattern = config.list('block_types') ?? ['recurrent', 'recurrent', 'attention']
  if (pattern.length === 0) throw config.refuse('block_types', 'is empty')
  return Array.from({ length: layers }, (_, layer) =>
    pattern[layer % pattern.length] === 'recurrent' ? 'recurrent' : 'attention',
  )
}

/** The nearest number of 8 significant bits, as the reference keeps the root of the width. */
function bfloat16(value: number): number {
  const step = 2 ** (Math.floor(Math.log2(value)) - 7)
  return Math.round(value / step) * step
}
