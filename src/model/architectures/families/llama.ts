/** LLaMA (Touvron et al. 2023): RMS norm, rotary positions, grouped keys, SwiGLU. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'

export const llama = {
  title: 'LLaMA',
  notes: 'RMS norm, rotary positions in every scaling (linear, dynamic, yarn, llama3, longrope), grouped keys, SwiGLU',
  modelTypes: ['llama'],
  classes: ['Llama'],
  spec: (config) => readDecoder(config, { maxTokens: 2048 }),
  prefixes: ['model.', ''],
  tensors: {
    'embed.token': 'embed_tokens.weight',
    'block.norm1': 'layers.{i}.input_layernorm.*',
    'block.attention.q': 'layers.{i}.self_attn.q_proj.*',
    'block.attention.k': 'layers.{i}.self_attn.k_proj.*',
    'block.attention.v': 'layers.{i}.self_attn.v_proj.*',
    'block.attention.out': 'layers.{i}.self_attn.o_proj.*',
    'block.norm2': 'layers.{i}.post_attention_layernorm.*',
    'block.mlp.gate': 'layers.{i}.mlp.gate_proj.*',
    'block.mlp.up': 'layers.{i}.mlp.up_proj.*',
    'block.mlp.out': 'layers.{i}.mlp.down_proj.*',
    'final.norm': 'norm.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.sequence.out': { outside: 'score.*' },
  },
} as const satisfies Family

/** NVIDIA's embedders and rerankers (Babakhin et al. 2025): LLaMA whose tokens see both sides. */
export const llamaBidirectional = {
  ...llama,
  title: 'LLaMA (bidirectional)',
  notes: 'LLaMA that sees both sides (original code)',
  modelTypes: ['llama_bidirec'],
  classes: ['LlamaBidirectional'],
  spec: (config) => ({ ...llama.spec(config), causal: false }),
} as const satisfies Family
