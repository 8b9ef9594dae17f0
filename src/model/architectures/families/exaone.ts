/** EXAONE 3 and 3.5 (LG AI Research 2024): LLaMA under names of its own. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const exaone = {
  title: 'EXAONE 3',
  notes: 'as LLaMA under GPT-2-like names',
  modelTypes: ['exaone'],
  classes: ['Exaone'],
  depth: { count: ['num_layers', 'num_hidden_layers'] },
  spec: (config) =>
    readDecoder(config, {
      maxTokens: 4096,
      padId: 0,
      keyHeads: 8,
      epsilon: 1e-5,
      base: 500_000,
      layersKey: ['num_layers', 'num_hidden_layers'],
      epsilonKey: ['layer_norm_epsilon', 'rms_norm_eps'],
      activationKey: ['activation_function', 'hidden_act'],
    }),
  prefixes: ['transformer.', 'model.', ''],
  tensors: {
    'embed.token': ['wte.weight', 'embed_tokens.weight'],
    'block.norm1': ['h.{i}.ln_1.*', 'layers.{i}.input_layernorm.*'],
    'block.attention.q': ['h.{i}.attn.attention.q_proj.*', 'layers.{i}.self_attn.q_proj.*'],
    'block.attention.k': ['h.{i}.attn.attention.k_proj.*', 'layers.{i}.self_attn.k_proj.*'],
    'block.attention.v': ['h.{i}.attn.attention.v_proj.*', 'layers.{i}.self_attn.v_proj.*'],
    'block.attention.out': ['h.{i}.attn.attention.out_proj.*', 'layers.{i}.self_attn.o_proj.*'],
    'block.norm2': ['h.{i}.ln_2.*', 'layers.{i}.post_attention_layernorm.*'],
    'block.mlp.gate': ['h.{i}.mlp.c_fc_0.*', 'layers.{i}.mlp.gate_proj.*'],
    'block.mlp.up': ['h.{i}.mlp.c_fc_1.*', 'layers.{i}.mlp.up_proj.*'],
    'block.mlp.out': ['h.{i}.mlp.c_proj.*', 'layers.{i}.mlp.down_proj.*'],
    'final.norm': ['ln_f.*', 'norm.*'],
    'head.causal': llama.tensors['head.causal'],
    'head.sequence.out': llama.tensors['head.sequence.out'],
  },
} as const satisfies Family
