/** Aria's text model (Li et al. 2024): LLaMA with experts, and some that every token passes. */
import { readDecoder } from '../decoder.ts'
import { chosenRouting, readExperts, sharedExpert, sharedRows } from '../experts.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { limits } from '../sizes.ts'
import { llama } from './llama.ts'

export const aria = {
  title: 'Aria (text)',
  notes: 'LLaMA with top-k experts by the softmax of the chosen, stored [in, out], and shared experts',
  modelTypes: ['aria_text'],
  classes: ['Aria', 'AriaText'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 2048, padId: 2 })
    const { activation, bias } = decoder.mlp
    if (activation !== 'silu') throw config.unsupported('hidden_act', 'experts of this family compute silu')
    const shared = config.int('moe_num_shared_experts', 2, { min: 0, max: limits.experts })
    return {
      ...decoder,
      mlp: readExperts(config, {
        activation,
        routing: chosenRouting,
        experts: ['moe_num_experts', 8],
        perToken: ['moe_topk', 2],
        width: ['intermediate_size', 4096],
        shared: sharedExpert(shared * decoder.mlp.width, { bias }),
        stacked: { in: 'in-out', out: 'in-out', interleaved: false },
      }),
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }) },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    ...sharedRows('layers.{i}.mlp.shared_experts'),
    'block.mlp.router': 'layers.{i}.mlp.router.weight',
    'block.mlp.stacked.in': ['layers.{i}.mlp.experts.gate_up_proj', 'layers.{i}.mlp.experts.fc1.weight'],
    'block.mlp.stacked.out': ['layers.{i}.mlp.experts.down_proj', 'layers.{i}.mlp.experts.fc2.weight'],
  },
} as const satisfies Family
