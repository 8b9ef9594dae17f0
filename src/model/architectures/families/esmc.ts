/** ESM Cambrian (ESM Team 2024): LLaMA's blocks as an encoder, with LayerNorm also over queries and keys. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { denseClassifier, maskedHead } from '../heads.ts'
import type { NormSpec } from '../spec.ts'
import { llama } from './llama.ts'

/** Fixed in the reference's modules. */
const norm: NormSpec = { kind: 'layer', epsilon: 1e-5, weight: 'plain', bias: true }
const plainNorm: NormSpec = { ...norm, bias: false }

export const esmc = {
  title: 'ESM C',
  notes: 'pre-norm encoder with rotary positions, LayerNorm over all heads of q and k, branches scaled by the depth',
  modelTypes: ['esmc'],
  classes: ['Esmc'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 2048 })
    const { width, layers, attention } = decoder
    if (attention.keyHeads !== attention.heads)
      throw config.unsupported('num_key_value_heads', 'queries of this family share no keys')
    return {
      ...decoder,
      causal: false,
      padId: config.int('pad_token_id', 1, { min: -1 }),
      norm,
      residual: Math.sqrt(36 / layers),
      attention: { ...attention, queryKeyNorm: { over: 'all-heads', norm: plainNorm } },
      final: { norm: true, own: plainNorm },
      heads: {
        sequence: denseClassifier(width, 'tanh'),
        masked: maskedHead({ width, activation: 'gelu', norm, tied: false }),
      },
    }
  },
  prefixes: ['', 'esmc.'],
  tensors: {
    ...llama.tensors,
    'block.attention.q.norm': 'layers.{i}.self_attn.q_norm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_norm.*',
    'head.sequence.dense': { outside: 'classifier.dense.*' },
    'head.sequence.out': { outside: 'classifier.out_proj.*' },
    'head.masked.dense': { outside: 'lm_head.dense.*' },
    'head.masked.norm': { outside: 'lm_head.layer_norm.*' },
    'head.masked.decoder': { outside: 'lm_head.decoder.weight' },
    'head.masked.bias': { outside: 'lm_head.decoder.bias' },
  },
} as const satisfies Family
