/** Mixtral (Jiang et al. 2024): Mistral whose MLP is a choice of experts. */
import { readDecoder, readWindow } from '../decoder.ts'
import { chosenRouting, expertRows, readExperts } from '../experts.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const mixtral = {
  title: 'Mixtral',
  notes:
    'top-k experts, router softmax over all experts then renormalised; an expert computes only the tokens that chose it; optional window; grouped keys',
  modelTypes: ['mixtral'],
  classes: ['Mixtral'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 131_072, keyHeads: 8, epsilon: 1e-5, base: 1e6 })
    const window = readWindow(config, undefined)
    return {
      ...decoder,
      attention: { ...decoder.attention, bias: { qkv: false, out: false } },
      mlp: readExperts(config, {
        activation: decoder.mlp.activation,
        routing: chosenRouting,
        experts: ['num_local_experts', 8],
        perToken: ['num_experts_per_tok', 2],
        width: ['intermediate_size'],
      }),
      block: () => ({ window }),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    ...expertRows('layers.{i}.block_sparse_moe', ['w1', 'w3', 'w2']),
    'block.mlp.router': 'layers.{i}.block_sparse_moe.gate.*',
  },
} as const satisfies Family
