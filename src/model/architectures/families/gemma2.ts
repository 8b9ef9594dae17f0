/** Gemma 2 (Gemma Team 2024): norms around both halves, capped scores and logits, every other layer sliding. */
import type { ConfigReader, Key } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { layerTypes } from '../layer-types.ts'
import type { HeadStep } from '../spec.ts'
import { gemmaNorm } from './gemma.ts'
import { llama } from './llama.ts'

export const gemma2 = {
  title: 'Gemma 2',
  notes:
    'four norms per block, soft caps on scores and logits (as trained: transformers applies the former only in eager attention), even layers slide',
  modelTypes: ['gemma2'],
  classes: ['Gemma2'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 8192,
      tied: true,
      keyHeads: 4,
      headWidth: 256,
      activationKey: 'hidden_activation',
      activation: 'gelu_pytorch_tanh',
    })
    const window = config.int('sliding_window', 4096)
    const types = layerTypes(config, decoder.layers, (layer) =>
      layer % 2 === 0 ? 'sliding_attention' : 'full_attention',
    )
    const tied = config.flag('tie_word_embeddings', true)
    return {
      ...decoder,
      norm: gemmaNorm(decoder.norm),
      placement: 'around',
      padId: config.int('pad_token_id', 0, { min: -1 }),
      embedding: { multiplier: Math.sqrt(decoder.width) },
      attention: { ...decoder.attention, softcap: readCap(config, 'attn_logit_softcapping', 50) },
      mlp: { ...decoder.mlp, bias: false },
      scale: readQueryScale(config),
      block: (layer) => ({ window: types[layer] === 'sliding_attention' ? window : undefined }),
      heads: {
        causal: causalHead({ tied, after: capStep(readCap(config, 'final_logit_softcapping', 30)) }),
        sequence: scoreHead,
      },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.norm1.after': 'layers.{i}.post_attention_layernorm.*',
    'block.norm2': 'layers.{i}.pre_feedforward_layernorm.*',
    'block.norm2.after': 'layers.{i}.post_feedforward_layernorm.*',
  },
} as const satisfies Family

/** A soft cap: null switches it off. */
export function readCap(config: ConfigReader, key: string, usual: number | undefined): number | undefined {
  return config.isNull(key) ? undefined : (config.optionalNumber(key, { min: 1e-6 }) ?? usual)
}

export function capStep(cap: number | undefined): readonly HeadStep[] {
  return cap === undefined ? [] : [{ do: 'softcap', cap }]
}

/** `query_pre_attn_scalar`^-0.5 in place of headWidth^-0.5. */
export function readQueryScale(config: ConfigReader): number {
  const key: Key = 'query_pre_attn_scalar'
  return config.number(key, 256, { min: 1e-6 }) ** -0.5
}
