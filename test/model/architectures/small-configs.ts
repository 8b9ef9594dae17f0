/** Small configs as files of this kind have them. */
export const bertConfig = {
  architectures: ['BertModel'],
  model_type: 'bert',
  hidden_act: 'gelu',
  hidden_size: 8,
  intermediate_size: 12,
  layer_norm_eps: 1e-12,
  max_position_embeddings: 16,
  num_attention_heads: 2,
  num_hidden_layers: 2,
  pad_token_id: 0,
  position_embedding_type: 'absolute',
  type_vocab_size: 2,
  vocab_size: 11,
} as const

export const llamaConfig = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_act: 'silu',
  hidden_size: 16,
  intermediate_size: 20,
  max_position_embeddings: 32,
  num_attention_heads: 4,
  num_hidden_layers: 2,
  num_key_value_heads: 2,
  pad_token_id: 0,
  rms_norm_eps: 1e-5,
  rope_theta: 100,
  tie_word_embeddings: false,
  vocab_size: 13,
} as const
