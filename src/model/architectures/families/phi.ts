/**
 * Phi-1 to Phi-2 (Li et al. 2023): attention and MLP side by side after one norm, rotary positions on half of each
 * head.
 */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import type { NormSpec } from '../spec.ts'
import { llama } from './llama.ts'

export const phi = {
  title: 'Phi',
  notes: 'attention and MLP in parallel after one LayerNorm, partial rotary, biases everywhere, head with bias',
  modelTypes: ['phi'],
  classes: ['Phi'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 2048, activation: 'gelu_new', rotary: { fraction: 0.5 } })
    const norm: NormSpec = {
      kind: 'layer',
      epsilon: config.epsilon('layer_norm_eps', 1e-5),
      weight: 'plain',
      bias: true,
    }
    return {
      ...decoder,
      norm,
      placement: 'parallel-one-norm',
      attention: {
        ...decoder.attention,
        bias: { qkv: true, out: true },
        queryKeyNorm: config.flag('qk_layernorm', false) ? { over: 'head', norm } : undefined,
      },
      mlp: { kind: 'plain', activation: decoder.mlp.activation, width: decoder.mlp.width, bias: true },
      heads: {
        causal: causalHead({ tied: config.flag('tie_word_embeddings', false), bias: true }),
        sequence: scoreHead,
      },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    'embed.token': 'embed_tokens.weight',
    'block.norm1': 'layers.{i}.input_layernorm.*',
    'block.attention.q': 'layers.{i}.self_attn.q_proj.*',
    'block.attention.k': 'layers.{i}.self_attn.k_proj.*',
    'block.attention.v': 'layers.{i}.self_attn.v_proj.*',
    'block.attention.q.norm': 'layers.{i}.self_attn.q_layernorm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_layernorm.*',
    'block.attention.out': 'layers.{i}.self_attn.dense.*',
    'block.mlp.in': 'layers.{i}.mlp.fc1.*',
    'block.mlp.out': 'layers.{i}.mlp.fc2.*',
    'final.norm': 'final_layernorm.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.causal.bias': { outside: 'lm_head.bias' },
    'head.sequence.out': { outside: 'score.*' },
  },
} as const satisfies Family
