/** OLMo 2 (OLMo Team 2025): norms after attention and MLP instead of before, and over all of q and k. */
import type { ConfigReader } from '../config-reader.ts'
import { type Decoder, type DecoderDefaults, readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const olmo2 = {
  title: 'OLMo 2',
  notes: 'norms on the outputs of attention and MLP, none before them; RMS norm over whole q and k',
  modelTypes: ['olmo2'],
  classes: ['Olmo2'],
  spec: (config) => readOlmo2(config),
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.norm1.after': 'layers.{i}.post_attention_layernorm.*',
    'block.norm2.after': 'layers.{i}.post_feedforward_layernorm.*',
    'block.attention.q.norm': 'layers.{i}.self_attn.q_norm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_norm.*',
  },
} as const satisfies Family

export function readOlmo2(config: ConfigReader, rotary: Pick<DecoderDefaults, 'base' | 'rotary'> = {}): Decoder {
  const decoder = readDecoder(config, { maxTokens: 2048, epsilon: 1e-5, padId: 1, ...rotary })
  return {
    ...decoder,
    placement: 'after',
    attention: { ...decoder.attention, queryKeyNorm: { over: 'all-heads', norm: decoder.norm } },
    mlp: { ...decoder.mlp, bias: false },
  }
}
