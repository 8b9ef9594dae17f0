/** GLM-4 (GLM Team 2024): half of each head is rotated, pairs next to each other; fused gate and up. */
import type { ConfigReader } from '../config-reader.ts'
import { type Decoder, interleaved, readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const glm = {
  title: 'GLM-4',
  notes: 'interleaved rotary on half of each head, biases on q, k, v only, fused [gate | up]',
  modelTypes: ['glm'],
  classes: ['Glm'],
  spec: (config) => readGlm(config),
  prefixes: llama.prefixes,
  tensors: { ...llama.tensors, 'block.mlp.in': 'layers.{i}.mlp.gate_up_proj.*' },
} as const satisfies Family

export function readGlm(config: ConfigReader): Decoder {
  const decoder = readDecoder(config, {
    maxTokens: 131_072,
    padId: 151_329,
    keyHeads: 2,
    headWidth: 128,
    epsilon: 1.5625e-7,
    bias: true,
    rotary: { fraction: 0.5 },
  })
  const attention = interleaved(decoder)
  return {
    ...decoder,
    attention: { ...attention, bias: { ...attention.bias, out: false } },
    mlp: { ...decoder.mlp, layout: 'halves', bias: false },
  }
}
