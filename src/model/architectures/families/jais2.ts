/** Jais 2 (Inception 2025): LayerNorm, squared ReLU, biases everywhere. */
import { layerNorm, plainMlp, readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { nemotron } from './nemotron.ts'

export const jais2 = {
  title: 'Jais 2',
  notes: 'LayerNorm, plain MLP with squared ReLU, biases in attention and MLP',
  modelTypes: ['jais2'],
  classes: ['Jais2'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 8192,
      epsilonKey: 'layer_norm_eps',
      epsilon: 1e-5,
      activation: 'relu2',
      bias: true,
      mlpBias: true,
    })
    return {
      ...decoder,
      norm: layerNorm(decoder.norm),
      mlp: plainMlp(decoder.mlp),
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }) },
    }
  },
  prefixes: nemotron.prefixes,
  tensors: nemotron.tensors,
} as const satisfies Family
