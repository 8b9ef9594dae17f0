"""Recurrences, and hybrids of them with attention."""

mamba = {"vocab_size": 47, "hidden_size": 24, "num_hidden_layers": 2, "state_size": 5, "conv_kernel": 3, "pad_token_id": 0}
mamba2 = mamba | {"num_heads": 6, "head_dim": 8, "n_groups": 3, "chunk_size": 4}

hybrid = {
    "vocab_size": 47,
    "hidden_size": 24,
    "intermediate_size": 40,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "pad_token_id": 0,
}
bamba = hybrid | {"mamba_n_heads": 6, "mamba_n_groups": 2, "mamba_d_state": 5, "mamba_d_conv": 3, "mamba_chunk_size": 4}
lfm2 = hybrid | {"layer_types": ["conv", "full_attention", "conv"], "block_multiple_of": 8}
falcon_h1 = hybrid | {"mamba_n_heads": 6, "mamba_d_ssm": 30, "mamba_n_groups": 2, "mamba_d_state": 5, "mamba_d_conv": 3, "mamba_chunk_size": 4, "num_hidden_layers": 2}
griffin = hybrid | {"attention_window_size": 3, "head_dim": 8, "hidden_size": 32, "lru_width": 24, "conv1d_width": 3}
delta = hybrid | {
    "head_dim": 8,
    "layer_types": ["linear_attention", "full_attention", "linear_attention"],
    "linear_conv_kernel_dim": 3,
    "linear_key_head_dim": 6,
    "linear_value_head_dim": 5,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 6,
}
granite4 = hybrid | {
    "intermediate_size": 10,
    "shared_intermediate_size": 14,
    "layer_types": ["linear_attention", "full_attention", "linear_attention"],
    "mamba_n_heads": 6,
    "mamba_n_groups": 2,
    "mamba_d_state": 5,
    "mamba_d_conv": 3,
}
nemotron = {key: value for key, value in hybrid.items() if key != "num_hidden_layers"} | {
    "head_dim": 8,
    "layers_block_type": ["mamba", "mlp", "attention", "mamba"],
    "mamba_num_heads": 4,
    "mamba_head_dim": 10,
    "n_groups": 2,
    "ssm_state_size": 5,
    "conv_kernel": 3,
}

# A bias of the projection in enters the convolution of the reference from pads on the left, so that a text's numbers
# depend on how far it is padded; ours do not.
cases = {
    "mamba2": {"class": "Mamba2ForCausalLM", "config": mamba2, "positions": False},
    "mamba2-switches": {
        "class": "Mamba2ForCausalLM",
        "config": mamba2 | {"n_groups": 1, "use_bias": True, "use_conv_bias": False, "time_step_limit": [0.3, 0.8], "tie_word_embeddings": True, "hidden_act": "gelu", "chunk_size": 256},
        "positions": False,
        "left": False,
    },
    "falcon_mamba": {"class": "FalconMambaForCausalLM", "config": mamba, "positions": False},
    "falcon_mamba-switches": {
        "class": "FalconMambaForCausalLM",
        "config": mamba | {"use_bias": True, "use_conv_bias": False, "mixer_rms_eps": 0.01, "time_step_rank": 3, "tie_word_embeddings": False},
        "positions": False,
        "left": False,
    },
    "bamba": {"class": "BambaForCausalLM", "config": bamba | {"head_dim": 8, "attn_layer_indices": [1]}},
    "bamba-switches": {
        "class": "BambaForCausalLM",
        "config": bamba
        | {
            "head_dim": 8,
            "attn_layer_indices": [0, 2],
            "mamba_proj_bias": True,
            "mamba_conv_bias": False,
            "mamba_expand": 1,
            "time_step_limit": [0.3, 0.8],
            "attention_bias": True,
            "mlp_bias": True,
            "hidden_act": "relu",
            "rms_norm_eps": 0.01,
            "tie_word_embeddings": True,
            "rope_parameters": {"rope_type": "default", "rope_theta": 500.0, "partial_rotary_factor": 0.75},
        },
        "left": False,
    },
    "lfm2": {"class": "Lfm2ForCausalLM", "config": lfm2},
    "lfm2-switches": {
        "class": "Lfm2ForCausalLM",
        "config": lfm2
        | {
            "layer_types": None,
            "full_attn_idxs": [0, 2],
            "conv_bias": True,
            "conv_L_cache": 2,
            "block_ffn_dim_multiplier": 1.3,
            "norm_eps": 0.01,
            "rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1000.0},
            "tie_embedding": False,
        },
        "left": False,
    },
    "lfm2-plain_width": {"class": "Lfm2ForCausalLM", "config": lfm2 | {"block_auto_adjust_ff_dim": False, "layer_types": ["full_attention", "conv", "full_attention"]}},
    "falcon_h1": {"class": "FalconH1ForCausalLM", "config": falcon_h1},
    "falcon_h1-switches": {
        "class": "FalconH1ForCausalLM",
        "config": falcon_h1
        | {
            "mamba_d_ssm": None,
            "mamba_rms_norm": True,
            "projectors_bias": True,
            "attention_bias": True,
            "mlp_bias": True,
            "lm_head_multiplier": 0.7,
            "embedding_multiplier": 1.4,
            "mlp_multipliers": [0.8, 1.2],
            "key_multiplier": 0.6,
            "attention_out_multiplier": 0.9,
            "attention_in_multiplier": 1.3,
            "ssm_multipliers": [0.7, 1.2, 0.9, 1.1, 1.3],
            "ssm_in_multiplier": 1.2,
            "ssm_out_multiplier": 0.8,
            "tie_word_embeddings": True,
        },
    },
    "falcon_h1-gate_first": {
        "class": "FalconH1ForCausalLM",
        "config": falcon_h1 | {"mamba_rms_norm": True, "mamba_norm_before_gate": False, "mamba_proj_bias": True, "mamba_conv_bias": False},
        "left": False,
    },
    # pads on the left enter the convolution of the reference
    "recurrent_gemma": {"class": "RecurrentGemmaForCausalLM", "config": griffin, "left": False},
    "recurrent_gemma-switches": {
        "class": "RecurrentGemmaForCausalLM",
        "config": griffin
        | {
            "block_types": ["attention", "recurrent"],
            "lru_width": None,
            "logits_soft_cap": 2.0,
            "attention_bias": True,
            "hidden_activation": "silu",
            "partial_rotary_factor": 1.0,
            "num_key_value_heads": None,
            "tie_word_embeddings": False,
        },
        "left": False,
    },
    "qwen3_5_text": {"class": "Qwen3_5ForCausalLM", "config": delta},
    "qwen3_5_text-switches": {
        "class": "Qwen3_5ForCausalLM",
        "config": delta
        | {
            "layer_types": None,
            "full_attention_interval": 2,
            "attention_bias": True,
            "hidden_act": "gelu",
            "rms_norm_eps": 0.01,
            "linear_num_value_heads": 2,
            "partial_rotary_factor": 0.5,
            "rope_theta": 500.0,
            "tie_word_embeddings": True,
        },
    },
    "qwen3_5_text-sequence": {"class": "Qwen3_5TextForSequenceClassification", "config": delta, "last": True},
    "olmo_hybrid": {"class": "OlmoHybridForCausalLM", "config": hybrid | {"linear_conv_kernel_dim": 3, "rope_parameters": {"rope_type": "default", "rope_theta": None}}},
    "olmo_hybrid-switches": {
        "class": "OlmoHybridForCausalLM",
        "config": {key: value for key, value in delta.items() if key != "head_dim"}
        | {"rope_parameters": {"rope_type": "default", "rope_theta": 500.0}, "linear_allow_neg_eigval": False, "attention_bias": True, "hidden_act": "gelu", "rms_norm_eps": 0.01},
    },
    # the reference knows no mask; pads on the left are tokens to it
    "rwkv": {
        "class": "RwkvForCausalLM",
        "config": {"vocab_size": 47, "hidden_size": 24, "num_hidden_layers": 5, "intermediate_size": 40, "rescale_every": 2},
        "positions": False,
        "left": False,
        "pad": 0,
    },
    "rwkv-switches": {
        "class": "RwkvForCausalLM",
        "config": {"vocab_size": 47, "hidden_size": 24, "num_hidden_layers": 2, "attention_hidden_size": 18, "rescale_every": 0, "tie_word_embeddings": True},
        "call": {"use_cache": False},
        "positions": False,
        "left": False,
        "pad": 0,
    },
    "qwen3_next": {
        "class": "Qwen3NextForCausalLM",
        "config": delta | {"moe_intermediate_size": 10, "shared_expert_intermediate_size": 14, "num_experts": 4, "num_experts_per_tok": 2, "decoder_sparse_step": 1, "mlp_only_layers": [2]},
    },
    "qwen3_next-switches": {
        "class": "Qwen3NextForCausalLM",
        "config": delta
        | {
            "layer_types": None,
            "full_attention_interval": 2,
            "moe_intermediate_size": 10,
            "shared_expert_intermediate_size": 14,
            "num_experts": 4,
            "num_experts_per_tok": 3,
            "norm_topk_prob": False,
            "decoder_sparse_step": 2,
            "attention_bias": True,
            "linear_num_key_heads": 3,
            "hidden_act": "gelu",
        },
    },
    "qwen3_next-dense": {"class": "Qwen3NextForSequenceClassification", "config": delta | {"num_experts": 0}, "last": True},
    "qwen3_5_moe_text": {
        "class": "Qwen3_5MoeForCausalLM",
        "config": delta | {"moe_intermediate_size": 10, "shared_expert_intermediate_size": 14, "num_experts": 4, "num_experts_per_tok": 2},
    },
    "jamba": {
        "class": "JambaForCausalLM",
        "config": hybrid | {"attn_layer_period": 2, "attn_layer_offset": 1, "num_experts": 4, "mamba_d_state": 5, "mamba_d_conv": 3},
    },
    "jamba-switches": {
        "class": "JambaForSequenceClassification",
        "config": hybrid
        | {
            "attn_layer_period": 3,
            "attn_layer_offset": 0,
            "expert_layer_period": 1,
            "expert_layer_offset": 0,
            "num_experts": 3,
            "num_experts_per_tok": 1,
            "mamba_d_state": 5,
            "mamba_dt_rank": 3,
            "mamba_expand": 1,
            "mamba_proj_bias": True,
            "mamba_conv_bias": False,
            "hidden_act": "gelu",
            "rms_norm_eps": 0.01,
        },
        "left": False,
    },
    "jamba-dense": {"class": "JambaForCausalLM", "config": hybrid | {"attn_layer_period": 2, "attn_layer_offset": 1, "num_experts": 1, "num_experts_per_tok": 1, "tie_word_embeddings": True}},
    "granitemoehybrid": {
        "class": "GraniteMoeHybridForCausalLM",
        "config": granite4 | {"num_local_experts": 4, "num_experts_per_tok": 2},
    },
    "granitemoehybrid-switches": {
        "class": "GraniteMoeHybridForCausalLM",
        "config": granite4
        | {
            "num_local_experts": 0,
            "position_embedding_type": "rope",
            "embedding_multiplier": 1.5,
            "logits_scaling": 2.0,
            "residual_multiplier": 0.7,
            "attention_multiplier": 0.3,
            "attention_bias": True,
            "tie_word_embeddings": True,
            "layer_types": ["attention", "mamba", "attention"],
        },
    },
    "lfm2_moe": {
        "class": "Lfm2MoeForCausalLM",
        "config": lfm2 | {"num_dense_layers": 1, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 10},
    },
    "lfm2_moe-switches": {
        "class": "Lfm2MoeForCausalLM",
        "config": lfm2
        | {"num_dense_layers": 0, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 10, "use_expert_bias": False, "norm_topk_prob": False, "routed_scaling_factor": 1.7, "conv_bias": True},
        "left": False,
    },
    "nemotron_h": {"class": "NemotronHForCausalLM", "config": nemotron},
    "nemotron_h-switches": {
        "class": "NemotronHForCausalLM",
        "config": nemotron
        | {"layers_block_type": ["attention", "mlp", "mamba"], "use_bias": True, "mlp_bias": True, "use_conv_bias": False, "mamba_hidden_act": "gelu", "mlp_hidden_act": "silu", "time_step_min": 0.7, "tie_word_embeddings": True},
        "left": False,
    },
}
