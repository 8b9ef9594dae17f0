/** Phi-3 and Phi-4 mini (Abdin et al. 2024): fused projections, optional window, long rotary factors. */
import type { ConfigReader } from '../config-reader.ts'
import { type Decoder, readDecoder, readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const phi3 = {
  title: 'Phi-3',
  notes: 'fused [q | k | v] and [gate | up], sliding window, longrope by the longest sequence of the batch',
  modelTypes: ['phi3'],
  classes: ['Phi3'],
  spec: (config) => readPhi3(config, { maxTokens: 4096, padId: 32_000 }),
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.attention.qkv': 'layers.{i}.self_attn.qkv_proj.*',
    'block.mlp.in': 'layers.{i}.mlp.gate_up_proj.*',
  },
} as const satisfies Family

function readPhi3(config: ConfigReader, usual: { maxTokens: number; keyHeads?: number; padId: number }): Decoder {
  const { padId, ...sizes } = usual
  const decoder = readDecoder(config, {
    ...sizes,
    epsilon: 1e-5,
    rotary: { aliases: { su: 'longrope', yarn: 'longrope' }, trainedLength: 4096 },
  })
  const window = readWindow(config, undefined)
  return {
    ...decoder,
    padId: config.int('pad_token_id', padId, { min: -1 }),
    attention: { ...decoder.attention, layout: 'qkv', bias: { qkv: false, out: false } },
    mlp: { ...decoder.mlp, layout: 'halves', bias: false },
    block: () => ({ window }),
  }
}

/** Phi-4 multimodal (Abouelenin et al. 2025): text passes the adapters of its pictures and sounds by. */
export const phi4Multimodal = {
  ...phi3,
  title: 'Phi-4 multimodal (text)',
  notes: 'Phi-4 mini; adapters for pictures and sounds are not read (original code: phi4mm)',
  modelTypes: ['phi4_multimodal', 'phi4mm'],
  classes: ['Phi4Multimodal', 'Phi4MM'],
  spec: (config) => {
    config.only('lm_head_bias', [false], 'a head with a bias is not supported')
    return readPhi3(config, { maxTokens: 131_072, keyHeads: 8, padId: 199_999 })
  },
  tensors: {
    ...phi3.tensors,
    'block.attention.qkv': [phi3.tensors['block.attention.qkv'], 'layers.{i}.self_attn.qkv_proj.base_layer.*'],
    'block.attention.out': [phi3.tensors['block.attention.out'], 'layers.{i}.self_attn.o_proj.base_layer.*'],
    'block.mlp.in': [phi3.tensors['block.mlp.in'], 'layers.{i}.mlp.gate_up_proj.base_layer.*'],
    'block.mlp.out': [phi3.tensors['block.mlp.out'], 'layers.{i}.mlp.down_proj.base_layer.*'],
  },
} as const satisfies Family
