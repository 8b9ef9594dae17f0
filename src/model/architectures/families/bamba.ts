/** Bamba (IBM, Princeton, CMU and UIUC 2024): LLaMA's blocks with Mamba-2 in the place of attention in most layers. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { noAttention } from '../recurs.ts'
import { hybridKeys, readDuality, readExpanded } from '../state-space.ts'
import { llama } from './llama.ts'

export const bamba = {
  title: 'Bamba',
  notes: 'Mamba-2 in all layers but attn_layer_indices, half of each head is rotated',
  modelTypes: ['bamba'],
  classes: ['Bamba'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 262_144,
      keyHeads: 8,
      epsilon: 1e-5,
      rotary: { fraction: 0.5 },
    })
    const { width, norm } = decoder
    const scan = readDuality(config, hybridKeys, { inner: readExpanded(config, 'mamba_expand', width), norm })
    const attending = config.numbers('attn_layer_indices') ?? []
    return {
      ...decoder,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      block: (layer) => (attending.includes(layer) ? {} : { attention: noAttention, rotary: undefined, scan }),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.scan.in': 'layers.{i}.mamba.in_proj.*',
    'block.scan.convolution': 'layers.{i}.mamba.conv1d.*',
    'block.scan.step': 'layers.{i}.mamba.dt_bias',
    'block.scan.decay': 'layers.{i}.mamba.A_log',
    'block.scan.skip': 'layers.{i}.mamba.D',
    'block.scan.norm': 'layers.{i}.mamba.norm.*',
    'block.scan.out': 'layers.{i}.mamba.out_proj.*',
    'block.norm2': 'layers.{i}.pre_ff_layernorm.*',
    'block.mlp.gate': 'layers.{i}.feed_forward.gate_proj.*',
    'block.mlp.up': 'layers.{i}.feed_forward.up_proj.*',
    'block.mlp.out': 'layers.{i}.feed_forward.down_proj.*',
    'final.norm': 'final_layernorm.*',
  },
} as const satisfies Family
