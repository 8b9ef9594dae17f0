/** ERNIE 4.5 with experts (Baidu 2025): interleaved rotary, corrected softmax routing, shared experts in some layers. */
import { mixtureRows } from '../corrected-mixture.ts'
import { readDecoder } from '../decoder.ts'
import { denseWhere, readExperts, sharedExpert, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { limits } from '../sizes.ts'
import { llama } from './llama.ts'

export const ernie45Moe = {
  title: 'ERNIE 4.5 MoE',
  notes:
    'interleaved rotary; softmax over all experts, a correction for the choice, shares divided by their sum; shared experts; experts between moe_layer_start_index and moe_layer_end_index',
  modelTypes: ['ernie4_5_moe'],
  classes: ['Ernie4_5_Moe'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 131_072, keyHeads: 4, epsilon: 1e-5, tied: true, base: 500_000 })
    const bias = config.flag('use_bias', false)
    const dense = { ...decoder.mlp, bias }
    const width = config.int('moe_intermediate_size', 1536, { max: limits.width })
    const [first, every] = [config.int('moe_layer_start_index', 1, { min: 0 }), config.int('moe_layer_interval', 1)]
    const last = config.int('moe_layer_end_index', -1, { min: -1 })
    const isDense = (layer: number): boolean =>
      (layer + 1) % every !== 0 || layer < first || (last !== -1 && layer > last)
    const { positions } = decoder.attention
    const tables = positions.kind === 'rotary' ? positions.tables : []
    return {
      ...decoder,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      attention: {
        ...decoder.attention,
        bias: { qkv: bias, out: bias },
        positions: { kind: 'rotary', tables: tables.map((table) => ({ ...table, interleaved: true })) },
      },
      mlp: readExperts(config, {
        activation: dense.activation,
        routing: { ...softmaxRouting, correction: true, normalized: 1 },
        experts: [['moe_num_experts', 'num_experts'], 64],
        perToken: [['moe_k', 'num_experts_per_tok'], 6],
        width: ['moe_intermediate_size', 1536],
        shared: sharedExpert(config.int('moe_num_shared_experts', 2, { min: 0, max: limits.experts }) * width, {
          bias,
        }),
      }),
      block: denseWhere(isDense, dense),
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true), bias }), sequence: scoreHead },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    ...mixtureRows,
    'block.mlp.router.correction': [
      'layers.{i}.mlp.moe_statics.e_score_correction_bias',
      'layers.{i}.mlp.gate.moe_statics.e_score_correction_bias',
    ],
    'head.causal.bias': { outside: 'lm_head.bias' },
  },
} as const satisfies Family
