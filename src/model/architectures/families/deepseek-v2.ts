/** DeepSeek-V2 (DeepSeek-AI 2024): latent attention; softmax routing, greedy or within the best groups. */
import { readMixture } from '../corrected-mixture.ts'
import { readDecoder } from '../decoder.ts'
import { readGroups } from '../experts.ts'
import type { Family } from '../family.ts'
import { readLatent } from '../latent.ts'
import { deepseekV3, refuseSparseSteps } from './deepseek-v3.ts'

export const deepseekV2 = {
  title: 'DeepSeek-V2',
  notes:
    'multi-head latent attention with or without q_lora_rank, interleaved rotary, yarn with mscale; softmax routing, greedy or group_limited_greedy, shares never divided by their sum (as transformers); shared experts, dense first layers',
  modelTypes: ['deepseek_v2'],
  classes: ['DeepseekV2'],
  spec: (config) => {
    refuseSparseSteps(config)
    const decoder = readDecoder(config, { maxTokens: 2048, headWidth: 64 })
    const limited = config.choice('topk_method', ['greedy', 'group_limited_greedy'], 'greedy') !== 'greedy'
    // The reference reads norm_topk_prob and does not divide.
    config.flag('norm_topk_prob', false)
    return {
      ...decoder,
      ...readLatent(config, decoder.attention.heads, { queryRank: 1536, interleaved: true }),
      ...readMixture(config, decoder, {
        experts: 64,
        width: 1407,
        shared: 2,
        routing: {
          scores: 'softmax',
          correction: false,
          normalized: undefined,
          groups: limited ? readGroups(config, { by: 'best' }, [['n_routed_experts', 'num_experts'], 64]) : undefined,
        },
      }),
    }
  },
  prefixes: deepseekV3.prefixes,
  tensors: deepseekV3.tensors,
} as const satisfies Family
