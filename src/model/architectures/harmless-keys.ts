/**
 * Keys of config.json that no family has to read: other rooms read them, or they leave hidden states and logits alone
 * (transformers 4.57 and 5).
 */

const groups = {
  /** Read by tokenizers, language models, readers of tensors and of sentence-transformers folders. */
  elsewhere:
    'architectures model_type tokenizer_class bos_token_id eos_token_id pad_token_id sep_token_id decoder_start_token_id ' +
    'tie_word_embeddings tie_encoder_decoder is_encoder_decoder vocab_size label2id id2label num_labels torch_dtype dtype ' +
    'output_hidden_states quantization_config compression_config pruned_heads lora_adaptations lora_rank lora_alpha ' +
    'task_instructions',
  /** How a model was made, stored and trained. */
  making:
    '_name_or_path transformers_version auto_map _commit_hash _attn_implementation _attn_implementation_autoset ' +
    '_attn_implementation_internal _experts_implementation_internal attn_implementation model_name finetuning_task ' +
    'problem_type task_specific_params initializer_range initializer_factor init_std initializer_cutoff_factor ' +
    'gradient_checkpointing use_cache use_bfloat16 torchscript tf_legacy_loss return_dict chunk_size_feed_forward ' +
    'output_attentions output_scores return_dict_in_generate pretraining_tp language architecture unsloth_version ' +
    'unsloth_fixed trust_remote_code',
  /** Dropout, and other losses and draws of training. */
  training:
    'attention_dropout attention_probs_dropout_prob hidden_dropout hidden_dropout_prob classifier_dropout ' +
    'classifier_dropout_prob classifier_proj_dropout dropout dropout_rate activation_dropout embd_pdrop attn_pdrop ' +
    'resid_pdrop pooler_dropout embedding_dropout mlp_dropout seq_classif_dropout qa_dropout sinusoidal_pos_embds ' +
    'resid_dropout residual_dropout embed_dropout summary_first_dropout layerdrop router_aux_loss_coef output_router_logits ' +
    'router_jitter_noise sparse_prediction sparse_pred_ignore_index deterministic_flash_attn reference_compile ' +
    'repad_logits_with_grad norm_dropout lambda_std_dev altup_coef_clip lora_dropout_p lora_main_params_trainable ' +
    'load_trained_adapters matryoshka_dimensions',
  /** Read by families where another key asks for it. */
  conditional:
    'max_relative_positions num_kv_heads original_max_position_embeddings sliding_window max_window_layers ' +
    'max_position_embeddings rope_theta attention_types multi_query hidden_activation use_sliding_window rope_scaling rope_parameters layer_types intermediate_size legacy expand n_inner sliding_window_pattern partial_rotary_factor num_experts num_experts_per_tok seq_length ' +
    'encoder_layers encoder_ffn_dim encoder_attention_heads encoder_layerdrop decoder_layers decoder_ffn_dim ' +
    'decoder_attention_heads decoder_layerdrop decoder_vocab_size share_encoder_decoder_embeddings',
  /** For heads that nothing here runs, and other programs' names for settings that the config has already. */
  others:
    'summary_type summary_use_proj summary_activation summary_proj_to_labels summary_last_dropout cls_token_id ' +
    'unk_token_id mask_token_id eod_token_id directionality pooler_fc_size pooler_num_attention_heads pooler_num_fc_layers ' +
    'pooler_size_per_head pooler_type pooler_hidden_act pooler_hidden_size output_past down_scale_factor gap_size ' +
    'net_structure_type num_memory_blocks layers_to_keep n_ctx tie_weights_ generator_size max_sequence_length ' +
    'model_max_length context_length is_gated_act dense_act_fn cache_implementation skip_bias_add skip_bias_add_qkv ' +
    'bias_dropout_fusion masked_softmax_fusion attention_softmax_in_fp32 slow_but_exact offset_alibi n_embed ' +
    'normalize_before normalize_embedding add_final_layer_norm static_position_embeddings extra_pos_embeddings ' +
    'add_bias_logits layernorm_variant classif_dropout force_bos_token_to_be_generated ' +
    'mem_len reuse_len use_mems_eval use_mems_train same_length untie_r start_n_top end_n_top lang_id lang2id id2lang ' +
    'langs_count use_lang_emb n_langs embed_init_std mask_index unk_index bos_index eos_index onnx_export inv_coeff_init_option ' +
    'tpu_short_seq_length ' +
    'scale_fp16 ssm_cfg rms_norm fused_add_norm d_inner d_model n_layer pad_vocab_size_multiple norm_type mlp_type',
  /** For kernels, and the first values of weights. */
  kernels:
    'residual_in_fp32 use_mambapy use_associative_scan time_step_scale time_step_min time_step_max time_step_floor ' +
    'time_step_init_scheme time_step_limit rescale_prenorm_residual use_flash_attn _flash_attn_2_enabled ' +
    'use_memory_efficient_attention unpad_inputs cross_attention_hidden_size add_cross_attention',
  /** Settings of generation in older configs. */
  generation:
    'do_sample temperature top_k top_p typical_p num_beams num_beam_groups num_return_sequences max_length min_length ' +
    'max_new_tokens early_stopping length_penalty repetition_penalty diversity_penalty no_repeat_ngram_size ' +
    'encoder_no_repeat_ngram_size bad_words_ids forced_bos_token_id forced_eos_token_id suppress_tokens ' +
    'begin_suppress_tokens exponential_decay_length_penalty remove_invalid_values prefix',
} as const

export const harmlessKeys: readonly string[] = Object.values(groups).flatMap((words) => words.split(' '))

/** In `rope_scaling` and its like. */
export const harmlessSectionKeys: readonly string[] =
  'type rope_type factor rope_theta partial_rotary_factor original_max_position_embeddings max_position_embeddings mrope_section mrope_interleaved'.split(
    ' ',
  )
