/**
 * Keys of config.json that no family has to read: other rooms read them, or they leave hidden states and logits alone
 * (transformers 4.57 and 5).
 */

const groups = {
  /** Read by tokenizers, language models, readers of tensors and of sentence-transformers folders. */
  elsewhere:
    'architectures model_type tokenizer_class bos_token_id eos_token_id pad_token_id sep_token_id decoder_start_token_id ' +
    'tie_word_embeddings tie_encoder_decoder is_encoder_decoder vocab_size label2id id2label num_labels torch_dtype dtype ' +
    'output_hidden_states quantization_config compression_config pruned_heads',
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
    'residual_dropout embed_dropout summary_first_dropout layerdrop router_aux_loss_coef output_router_logits ' +
    'router_jitter_noise sparse_prediction sparse_pred_ignore_index deterministic_flash_attn reference_compile ' +
    'repad_logits_with_grad mlp_dropout norm_dropout',
  /** Settings of generation in older configs. */
  generation:
    'do_sample temperature top_k top_p typical_p num_beams num_beam_groups num_return_sequences max_length min_length ' +
    'max_new_tokens early_stopping length_penalty repetition_penalty diversity_penalty no_repeat_ngram_size ' +
    'encoder_no_repeat_ngram_size bad_words_ids forced_bos_token_id forced_eos_token_id suppress_tokens ' +
    'begin_suppress_tokens exponential_decay_length_penalty remove_invalid_values prefix',
} as const

export const harmlessKeys: readonly string[] = Object.values(groups).flatMap((words) => words.split(' '))

/** In `rope_scaling` and its like. */
export const harmlessSectionKeys: readonly string[] = ['type', 'rope_type']
