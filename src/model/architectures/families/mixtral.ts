/** Mixtral (Jiang et al. 2024): Mistral whose MLP is a choice of experts. */
import { readDecoder, readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { limits } from '../sizes.ts'
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
    const experts = config.int('num_local_experts', 8, { max: limits.experts })
    const perToken = config.int('num_experts_per_tok', 2)
    if (perToken > experts) throw config.refuse('num_experts_per_tok', 'exceeds the number of experts', `≤ ${experts}`)
    return {
      ...decoder,
      attention: { ...decoder.attention, bias: { qkv: false, out: false } },
      mlp: {
        kind: 'experts',
        activation: decoder.mlp.activation,
        width: decoder.mlp.width,
        bias: false,
        experts,
        perToken,
      },
      block: () => ({ window }),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.mlp.router': 'layers.{i}.block_sparse_moe.gate.*',
    'block.mlp.gate': 'layers.{i}.block_sparse_moe.experts.{e}.w1.*',
    'block.mlp.up': 'layers.{i}.block_sparse_moe.experts.{e}.w3.*',
    'block.mlp.out': 'layers.{i}.block_sparse_moe.experts.{e}.w2.*',
  },
} as const satisfies Family
