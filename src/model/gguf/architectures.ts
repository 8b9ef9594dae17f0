/**
 * ggml's architectures that are read, as data: names of tensors, what its converter did to values, and the config that
 * the metadata stands for. Facts: convert_hf_to_gguf.py and llama-model.cpp of llama.cpp, gguf-py's tensor_mapping.
 */
import { fault } from '#core'
import type { Metadata } from './metadata.ts'

type Fields = Readonly<Record<string, unknown>>

/** What has been done to a tensor's values and is undone. */
export type Change =
  /** Rows of each head in pairs (2i, 2i + 1) in place of halves (i, i + width/2). */
  | 'rotary-rows'
  /** One was added. */
  | 'plus-one'

export interface Sizes {
  readonly vocabulary: number
  readonly layers: number
  readonly width: number
  readonly heads: number
  readonly keyHeads: number
  readonly headWidth: number
}

export interface Architecture {
  readonly modelType: string
  readonly className: string
  /** Names without `.weight` and `.bias`. */
  readonly outside: Readonly<Record<string, string>>
  /** After `blk.0.`. */
  readonly block: Readonly<Record<string, string>>
  /** Prefix of a block in the family's names, with `{i}`. */
  readonly prefix: string
  readonly change: (leaf: string) => Change | undefined
  readonly config: (asked: GgufFacts) => Fields
}

export interface GgufFacts {
  readonly metadata: Metadata
  readonly key: (name: string) => string
  readonly sizes: Sizes
  readonly hasTensor: (name: string) => boolean
}

const decoder = {
  outside: { token_embd: 'model.embed_tokens', output_norm: 'model.norm', output: 'lm_head' },
  block: {
    attn_norm: 'input_layernorm',
    attn_q: 'self_attn.q_proj',
    attn_k: 'self_attn.k_proj',
    attn_v: 'self_attn.v_proj',
    attn_output: 'self_attn.o_proj',
    ffn_norm: 'post_attention_layernorm',
    ffn_gate: 'mlp.gate_proj',
    ffn_up: 'mlp.up_proj',
    ffn_down: 'mlp.down_proj',
  },
  prefix: 'model.layers.{i}.',
  change: () => undefined,
} as const

const headNorms = { attn_q_norm: 'self_attn.q_norm', attn_k_norm: 'self_attn.k_norm' } as const

const gemma = {
  ...decoder,
  block: {
    ...decoder.block,
    post_attention_norm: 'post_attention_layernorm',
    ffn_norm: 'pre_feedforward_layernorm',
    post_ffw_norm: 'post_feedforward_layernorm',
  },
  change: (leaf: string): Change | undefined => (leaf.endsWith('norm') ? 'plus-one' : undefined),
} as const

export const architectures: Readonly<Record<string, Architecture>> = {
  llama: {
    ...decoder,
    modelType: 'llama',
    className: 'LlamaForCausalLM',
    change: (leaf) => (leaf === 'attn_q' || leaf === 'attn_k' ? 'rotary-rows' : undefined),
    config: (asked) => ({
      ...decoderConfig(asked),
      ...rotaryScaling(asked),
      attention_bias: biases(asked, ['attn_q', 'attn_k', 'attn_v', 'attn_output']),
      mlp_bias: biases(asked, ['ffn_gate', 'ffn_up', 'ffn_down']),
    }),
  },
  qwen2: {
    ...decoder,
    modelType: 'qwen2',
    className: 'Qwen2ForCausalLM',
    config: (asked) => ({ ...decoderConfig(asked), ...rotaryScaling(asked) }),
  },
  qwen3: {
    ...decoder,
    modelType: 'qwen3',
    className: 'Qwen3ForCausalLM',
    block: { ...decoder.block, ...headNorms },
    config: (asked) => ({ ...decoderConfig(asked), ...rotaryScaling(asked) }),
  },
  gemma2: {
    ...gemma,
    modelType: 'gemma2',
    className: 'Gemma2ForCausalLM',
    config: (asked) => {
      const { metadata, key } = asked
      return {
        ...decoderConfig(asked),
        hidden_act: undefined,
        hidden_activation: gelu,
        sliding_window: metadata.optionalCount(key('attention.sliding_window')) ?? 4096,
        attn_logit_softcapping: metadata.optionalNumber(key('attn_logit_softcapping')) ?? 50,
        final_logit_softcapping: metadata.optionalNumber(key('final_logit_softcapping')) ?? 30,
        query_pre_attn_scalar: queryScalar(asked.sizes, layersOf27B.gemma2),
      }
    },
  },
  gemma3: {
    ...gemma,
    modelType: 'gemma3_text',
    className: 'Gemma3ForCausalLM',
    block: { ...gemma.block, ...headNorms },
    config: (asked) => {
      const { metadata, key, sizes } = asked
      return {
        ...decoderConfig(asked, 1_000_000),
        ...rotaryScaling(asked),
        hidden_act: undefined,
        hidden_activation: gelu,
        sliding_window: metadata.count(key('attention.sliding_window')),
        sliding_window_pattern: metadata.optionalCount(key('attention.sliding_window_pattern')) ?? 6,
        rope_local_base_freq: metadata.optionalNumber(key('rope.freq_base_swa')) ?? 10_000,
        final_logit_softcapping: metadata.optionalNumber(key('final_logit_softcapping')) ?? null,
        query_pre_attn_scalar: queryScalar(sizes, layersOf27B.gemma3),
      }
    },
  },
  phi3: {
    ...decoder,
    modelType: 'phi3',
    className: 'Phi3ForCausalLM',
    block: {
      attn_norm: 'input_layernorm',
      attn_qkv: 'self_attn.qkv_proj',
      attn_output: 'self_attn.o_proj',
      ffn_norm: 'post_attention_layernorm',
      ffn_up: 'mlp.gate_up_proj',
      ffn_down: 'mlp.down_proj',
    },
    config: (asked) => {
      const { metadata, key, sizes } = asked
      const rotated = metadata.optionalCount(key('rope.dimension_count')) ?? sizes.headWidth
      return {
        ...decoderConfig(asked),
        head_dim: undefined,
        partial_rotary_factor: rotated / sizes.headWidth,
        sliding_window: metadata.optionalCount(key('attention.sliding_window')) ?? null,
        original_max_position_embeddings: metadata.optionalCount(key('rope.scaling.original_context_length')),
      }
    },
  },
  bert: {
    modelType: 'bert',
    className: 'BertModel',
    outside: {
      token_embd: 'embeddings.word_embeddings',
      position_embd: 'embeddings.position_embeddings',
      token_types: 'embeddings.token_type_embeddings',
      token_embd_norm: 'embeddings.LayerNorm',
    },
    block: {
      attn_q: 'attention.self.query',
      attn_k: 'attention.self.key',
      attn_v: 'attention.self.value',
      attn_output: 'attention.output.dense',
      attn_output_norm: 'attention.output.LayerNorm',
      ffn_up: 'intermediate.dense',
      ffn_down: 'output.dense',
      layer_output_norm: 'output.LayerNorm',
    },
    prefix: 'encoder.layer.{i}.',
    change: () => undefined,
    config: bertConfig,
  },
}

const gelu = 'gelu_pytorch_tanh'

/** Gemma's largest model scales queries by its width per head, which the file does not say; llama.cpp goes by layers. */
const layersOf27B = { gemma2: 46, gemma3: 62 } as const

function queryScalar({ layers, width, heads, headWidth }: Sizes, largest: number): number {
  return layers === largest ? width / heads : headWidth
}

function decoderConfig({ metadata, key, sizes, hasTensor }: GgufFacts, base = 10_000): Fields {
  const { vocabulary, layers, width, heads, keyHeads, headWidth } = sizes
  return {
    vocab_size: vocabulary,
    hidden_size: width,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: keyHeads,
    head_dim: headWidth,
    intermediate_size: metadata.count(key('feed_forward_length')),
    max_position_embeddings: metadata.count(key('context_length')),
    rms_norm_eps: metadata.optionalNumber(key('attention.layer_norm_rms_epsilon')) ?? 1e-5,
    rope_theta: metadata.optionalNumber(key('rope.freq_base')) ?? base,
    hidden_act: 'silu',
    tie_word_embeddings: !hasTensor('output.weight'),
  }
}

function bertConfig({ metadata, key, sizes, hasTensor }: GgufFacts): Fields {
  if (metadata.optionalFlag(key('attention.causal')) === true)
    throw fault('config.unsupported', { place: `${metadata.place} › ${key('attention.causal')}`, what: 'is not read' })
  if (metadata.text('tokenizer.ggml.model') !== 'bert')
    throw fault('config.unsupported', {
      place: `${metadata.place} › tokenizer.ggml.model`,
      what: 'BERT with the vocabulary of RoBERTa is not read: its positions begin elsewhere',
      seen: metadata.text('tokenizer.ggml.model'),
      hint: 'take the checkpoint that it was made from',
    })
  return {
    vocab_size: sizes.vocabulary,
    hidden_size: sizes.width,
    num_hidden_layers: sizes.layers,
    num_attention_heads: sizes.heads,
    intermediate_size: metadata.count(key('feed_forward_length')),
    max_position_embeddings: metadata.count(key('context_length')),
    layer_norm_eps: metadata.optionalNumber(key('attention.layer_norm_epsilon')) ?? 1e-12,
    type_vocab_size: hasTensor('token_types.weight') ? 2 : 0,
    hidden_act: 'gelu',
  }
}

/** Whether the first block has these biases; all or none. */
function biases({ metadata, hasTensor }: GgufFacts, leaves: readonly string[]): boolean {
  const found = leaves.filter((leaf) => hasTensor(`blk.0.${leaf}.bias`))
  if (found.length === 0 || found.length === leaves.length) return found.length > 0
  throw fault('config.unsupported', {
    place: `${metadata.place}: blk.0`,
    what: 'some of its projections have a bias and others none',
    seen: found.join(', '),
  })
}

/** `rope.scaling` in the words of a config. */
function rotaryScaling({ metadata, key }: GgufFacts): Fields {
  const type = metadata.optionalText(key('rope.scaling.type'))
  const old = metadata.optionalNumber(key('rope.scale_linear'))
  const factor = metadata.optionalNumber(key('rope.scaling.factor')) ?? old ?? 1
  const trained = metadata.optionalCount(key('rope.scaling.original_context_length'))
  metadata.optionalFlag(key('rope.scaling.finetuned'))
  if (type === undefined ? factor === 1 : type === 'none') return {}
  if (type === 'linear' || type === undefined)
    return factor === 1 ? {} : { rope_scaling: { rope_type: 'linear', factor } }
  if (type === 'yarn' && trained !== undefined)
    return { rope_scaling: { rope_type: 'yarn', factor, original_max_position_embeddings: trained } }
  throw fault('config.unsupported', {
    place: `${metadata.place} › ${key('rope.scaling.type')}`,
    what: 'this scaling of rotary positions is not read',
    seen: type,
    wanted: 'none, linear or yarn',
  })
}
