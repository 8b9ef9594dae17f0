/** Kolibri 1 (Aleph Alpha 2026): sandwiched norms, local layers with positions, experts chosen by corrected logits. */
import { mixtureRows } from '../corrected-mixture.ts'
import { readDecoder } from '../decoder.ts'
import { readExperts, readNormalized, sharedExpert, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { windowsByType } from '../layer-types.ts'
import { limits } from '../sizes.ts'
import { qwen3 } from './qwen3.ts'

export const kolibri1 = {
  title: 'Kolibri 1',
  notes:
    'norms before and after both halves and on q and k; four of five layers local, the global ones without positions; sigmoids of the top-k logits after a correction, a shared expert',
  modelTypes: ['kolibri1'],
  classes: ['Kolibri1'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 262_144,
      keyHeads: 4,
      headWidth: 128,
      innerKey: 'moe_intermediate_size',
    })
    // The reference has no model without one either.
    if (config.isNull('sliding_window')) throw config.refuse('sliding_window', 'is none')
    const window = config.int('sliding_window', 513)
    const isLocal = windowsByType(config, decoder.layers, window, (layer) => (layer + 1) % 5 !== 0)
    const shared = config.int('shared_expert_intermediate_size', 512, { max: limits.width })
    return {
      ...decoder,
      placement: 'around',
      attention: {
        ...decoder.attention,
        bias: { qkv: false, out: false },
        queryKeyNorm: { over: 'head', norm: decoder.norm },
      },
      mlp: readExperts(config, {
        activation: decoder.mlp.activation,
        routing: {
          ...softmaxRouting,
          scores: 'sigmoid',
          correction: true,
          chosenBy: 'logits',
          normalized: readNormalized(config, false),
        },
        experts: [['num_experts', 'num_local_experts'], 384],
        perToken: ['num_experts_per_tok', 6],
        width: ['moe_intermediate_size', 512],
        shared: sharedExpert(shared),
      }),
      block: (layer) => (isLocal(layer) ? { window } : { rotary: undefined }),
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }) },
    }
  },
  prefixes: qwen3.prefixes,
  tensors: {
    ...qwen3.tensors,
    ...mixtureRows,
    'block.norm1.after': ['layers.{i}.post_self_attn_layernorm.*', 'layers.{i}.post_attn_norm.*'],
    'block.norm2.after': ['layers.{i}.post_mlp_layernorm.*', 'layers.{i}.post_ffn_norm.*'],
    'block.mlp.router.correction': ['layers.{i}.mlp.gate.e_score_correction_bias', 'layers.{i}.moe.router.expert_bias'],
  },
} as const satisfies Family
