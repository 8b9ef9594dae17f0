/** StarCoder 2 (Lozhkov et al. 2024): LayerNorm, biases, a plain MLP, a sliding window. */
import { readDecoder, readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const starcoder2 = {
  title: 'StarCoder 2',
  notes: 'LayerNorm, biases, plain MLP of c_fc and c_proj, sliding window, tied head',
  modelTypes: ['starcoder2'],
  classes: ['Starcoder2'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 4096, tied: true, keyHeads: 2, activation: 'gelu_pytorch_tanh' })
    const window = readWindow(config, undefined)
    const bias = config.flag('use_bias', true)
    return {
      ...decoder,
      norm: { kind: 'layer', epsilon: config.epsilon('norm_epsilon', 1e-5), weight: 'plain', bias: true },
      attention: { ...decoder.attention, bias: { qkv: bias, out: bias } },
      mlp: { kind: 'plain', activation: decoder.mlp.activation, width: decoder.mlp.width, bias },
      block: () => ({ window }),
    }
  },
  prefixes: llama.prefixes,
  tensors: { ...llama.tensors, 'block.mlp.in': 'layers.{i}.mlp.c_fc.*', 'block.mlp.out': 'layers.{i}.mlp.c_proj.*' },
} as const satisfies Family
