/** Phi-3.5-MoE (Abdin et al. 2024): two experts by SparseMixer, LayerNorm, biases. */
import { readDecoder, readWindow } from '../decoder.ts'
import { expertRows, readExperts } from '../experts.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import type { ConfigReader } from '../config-reader.ts'
import type { NormSpec, Rotary } from '../spec.ts'
import { llama } from './llama.ts'

export const phimoe = {
  title: 'Phi-3.5-MoE',
  notes:
    'sparsemixer routing, LayerNorm, biases, optional window; longrope: always the short factors, as transformers, and a magnitude by length (short_mscale, long_mscale)',
  modelTypes: ['phimoe'],
  classes: ['Phimoe', 'PhiMoE'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 131_072, keyHeads: 8, epsilon: 1e-5, base: 1e6 })
    const norm: NormSpec = { ...decoder.norm, kind: 'layer', bias: true }
    const window = readWindow(config, undefined)
    if (config.int('num_experts_per_tok', 2) !== 2)
      throw config.unsupported('num_experts_per_tok', 'sparsemixer chooses two experts')
    const { positions } = decoder.attention
    const tables = positions.kind === 'rotary' ? positions.tables.map((table) => shortRotary(config, table)) : []
    return {
      ...decoder,
      norm,
      attention: { ...decoder.attention, positions: { kind: 'rotary', tables } },
      mlp: readExperts(config, {
        activation: decoder.mlp.activation,
        routing: { kind: 'sparse-mixer', jitter: config.number('router_jitter_noise', 0.01, { min: 0 }) },
        experts: ['num_local_experts', 16],
        perToken: ['num_experts_per_tok', 2],
        width: ['intermediate_size', 6400],
      }),
      block: () => ({ window }),
      heads: {
        causal: causalHead({
          tied: config.flag('tie_word_embeddings', false),
          bias: config.flag('lm_head_bias', false),
        }),
        sequence: scoreHead,
      },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    ...expertRows('layers.{i}.block_sparse_moe', ['w1', 'w3', 'w2']),
    'block.mlp.router': 'layers.{i}.block_sparse_moe.gate.weight',
    'head.causal.bias': { outside: 'lm_head.bias' },
  },
} as const satisfies Family

/** The reference's tables do not know how long a text is: only their magnitude does. */
function shortRotary(config: ConfigReader, rotary: Rotary): Rotary {
  const { scaling } = rotary
  if (scaling.kind === 'default') return rotary
  const section = config.section('rope_scaling') ?? config.section('rope_parameters')
  if (scaling.kind !== 'longrope' || section === undefined)
    throw config.unsupported('rope_scaling', 'only longrope is supported for this family')
  const { short } = scaling
  const trainedLength = section.int('original_max_position_embeddings')
  return {
    ...rotary,
    magnitude: section.number('short_mscale'),
    longMagnitude: section.number('long_mscale'),
    scaling: { ...scaling, trainedLength, long: short },
  }
}
