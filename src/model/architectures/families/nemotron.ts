/** Nemotron-4 and Minitron (Parmar et al. 2024): LayerNorm of 1 + weight, squared ReLU, half of each head rotated. */
import { layerNorm, plainMlp, readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const nemotron = {
  title: 'Nemotron',
  notes: 'LayerNorm of 1 + weight with bias, plain MLP with squared ReLU, rotary on half of each head',
  modelTypes: ['nemotron'],
  classes: ['Nemotron'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 4096,
      epsilonKey: 'norm_eps',
      epsilon: 1e-5,
      activation: 'relu2',
      rotary: { fraction: 0.5 },
    })
    return {
      ...decoder,
      norm: { ...layerNorm(decoder.norm), weight: 'plus-one' },
      mlp: plainMlp(decoder.mlp),
    }
  },
  prefixes: llama.prefixes,
  tensors: { ...llama.tensors, 'block.mlp.in': 'layers.{i}.mlp.up_proj.*' },
} as const satisfies Family
