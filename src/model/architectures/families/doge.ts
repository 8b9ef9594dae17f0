/** Doge (SmallDoge 2025): keys with a bias made from their values, weights on the residual stream. */
import { readDecoder, readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const doge = {
  title: 'Doge',
  notes: 'RMS norm on q and k per head, keys biased by their values, weighted residual stream',
  modelTypes: ['doge'],
  classes: ['Doge'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 2048 })
    if (config.flag('is_moe', false))
      throw config.unsupported('is_moe', 'the reference routes tokens by the rest of their batch')
    const window = readWindow(config, undefined)
    return {
      ...decoder,
      streamWeights: true,
      attention: {
        ...decoder.attention,
        queryKeyNorm: { over: 'head', norm: decoder.norm },
        dynamicMask: { keep: config.int('keep_window_size', 2048), bias: decoder.attention.bias.qkv },
      },
      block: () => ({ window }),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.attention.q.norm': 'layers.{i}.self_attn.q_norm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_norm.*',
    'block.attention.mask.decay': 'layers.{i}.self_attn.A',
    'block.attention.mask.project': 'layers.{i}.self_attn.dt_proj.*',
    'block.stream1': 'layers.{i}.input_residual',
    'block.stream2': 'layers.{i}.post_attention_residual',
  },
} as const satisfies Family
