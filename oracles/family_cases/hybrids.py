"""Hybrids of recurrences, attention and experts whose parts are wired in ways of their own."""

hybrid = {
    "vocab_size": 47,
    "hidden_size": 24,
    "intermediate_size": 40,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "pad_token_id": 0,
}
zamba2 = hybrid | {
    "num_hidden_layers": 4,
    "num_key_value_heads": 4,
    "layers_block_type": ["linear_attention", "hybrid", "hybrid", "hybrid"],
    "num_mem_blocks": 2,
    "adapter_rank": 3,
    "hidden_size": 20,
    "n_mamba_heads": 4,
    "mamba_ngroups": 2,
    "mamba_d_state": 5,
    "mamba_d_conv": 3,
    "chunk_size": 4,
}
zamba = hybrid | {"attn_layer_period": 2, "attn_layer_offset": 1, "mamba_d_state": 5, "mamba_d_conv": 3, "num_hidden_layers": 5, "hidden_size": 16}
minimax = hybrid | {
    "intermediate_size": 10,
    "num_local_experts": 3,
    "block_size": 4,
    "layer_types": ["linear_attention", "full_attention", "linear_attention"],
    "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
}
jetmoe = {key: value for key, value in hybrid.items() if key != "num_attention_heads"} | {"num_hidden_layers": 2, "intermediate_size": 10, "kv_channels": 6, "num_local_experts": 4}
xlstm = {"vocab_size": 47, "hidden_size": 24, "num_hidden_layers": 2, "num_heads": 3, "ffn_round_up_to_multiple_of": 8, "pad_token_id": 0}
zaya = hybrid | {"head_dim": 8, "moe_intermediate_size": 10, "num_experts": 3, "router_hidden_size": 9}
decays = ("slope_rate", "query_decay", "key_decay", "diagonal_decay")
latent = hybrid | {"num_key_value_heads": 4, "kv_lora_rank": 7, "qk_nope_head_dim": 6, "qk_rope_head_dim": 4, "v_head_dim": 5, "head_dim": 4}
kimi = latent | {
    "moe_intermediate_size": 10,
    "num_local_experts": 4,
    "num_experts_per_tok": 2,
    "linear_head_dim": 5,
    "linear_num_heads": 3,
    "linear_conv_kernel_dim": 3,
    "num_hidden_layers": 2,
    "layer_types": ["linear_attention", "full_attention"],
}
longcat = {key: value for key, value in latent.items() if key not in ("num_hidden_layers", "intermediate_size")} | {
    "num_layers": 2,
    "q_lora_rank": 9,
    "ffn_hidden_size": 30,
    "expert_ffn_hidden_size": 10,
    "n_routed_experts": 4,
    "zero_expert_num": 2,
    "moe_topk": 3,
}

cases = {
    "zamba2": {"class": "Zamba2ForCausalLM", "config": zamba2 | {"use_shared_attention_adapter": True, "use_mem_rope": True}},
    "zamba2-switches": {
        "class": "Zamba2ForSequenceClassification",
        "config": zamba2
        | {
            "num_hidden_layers": 3,
            "num_key_value_heads": 2,
            "layers_block_type": ["hybrid", "mamba", "hybrid"],
            "num_mem_blocks": 1,
            "mamba_ngroups": 1,
            "mamba_expand": 1,
            "add_bias_linear": True,
            "intermediate_size": None,
            "hidden_act": "silu",
            "rms_norm_eps": 0.01,
            "time_step_min": 0.4,
            "tie_word_embeddings": False,
        },
        "left": False,
    },
    "zamba2-long": {
        "class": "Zamba2ForCausalLM",
        "config": zamba2 | {"num_hidden_layers": 2, "layers_block_type": ["linear_attention", "hybrid"], "use_mem_rope": True, "use_long_context": True, "rope_parameters": {"rope_type": "default", "rope_theta": 500.0}, "tie_word_embeddings": False},
    },
    "zamba": {"class": "ZambaForCausalLM", "config": zamba, "positions": False},
    "zamba-switches": {
        "class": "ZambaForSequenceClassification",
        "config": zamba
        | {
            "num_hidden_layers": 3,
            "layers_block_type": ["hybrid", "mamba", "hybrid"],
            "n_mamba_heads": 4,
            "mamba_expand": 1,
            "mamba_dt_rank": 4,
            "mamba_proj_bias": True,
            "mamba_conv_bias": False,
            "attention_head_dim": 8,
            "hidden_act": "silu",
            "hidden_mamba_act": "gelu",
            "rms_norm_eps": 0.01,
        },
        "left": False,
        "positions": False,
    },
    "zamba-one_head": {"class": "ZambaForCausalLM", "config": zamba | {"num_hidden_layers": 2, "layers_block_type": ["hybrid", "hybrid"], "n_mamba_heads": 1, "tie_word_embeddings": False}, "positions": False},
    "minimax": {"class": "MiniMaxForCausalLM", "config": minimax, "drop": [f"model.layers.{layer}.self_attn.{name}" for layer in (0, 2) for name in decays]},
    # decays that the file says itself; in blocks of one token two of the reference's four tensors are ones
    "minimax-switches": {
        "class": "MiniMaxForSequenceClassification",
        "config": minimax
        | {
            "num_hidden_layers": 2,
            "layer_types": None,
            "block_size": 1,
            "num_experts_per_tok": 1,
            "head_dim": 8,
            "hidden_act": "gelu",
            "rms_norm_eps": 0.01,
            "sliding_window": 3,
            "full_attn_alpha_factor": 1.3,
            "full_attn_beta_factor": 0.8,
            "linear_attn_alpha_factor": 0.9,
            "linear_attn_beta_factor": 1.2,
            "mlp_alpha_factor": 1.1,
            "mlp_beta_factor": 0.7,
            "tie_word_embeddings": True,
        },
        "drawn": {
            "model.layers.1.self_attn.slope_rate": [[4, 1, 1], 0.3, 0.0],
            "model.layers.1.self_attn.query_decay": [[4, 1, 1], 0.7408182206817179, 0.0],
            "model.layers.1.self_attn.key_decay": [[4, 1, 1], 1.0, 0.0],
            "model.layers.1.self_attn.diagonal_decay": [[1, 4, 1, 1], 1.0, 0.0],
        },
        "last": True,
    },
    "kimi_linear": {"class": "KimiLinearForCausalLM", "config": kimi},
    "kimi_linear-switches": {
        "class": "KimiLinearForCausalLM",
        "config": {key: value for key, value in kimi.items() if key not in ("layer_types", "linear_head_dim", "linear_num_heads", "linear_conv_kernel_dim")}
        | {
            "num_hidden_layers": 2,
            "linear_attn_config": {"head_dim": 4, "num_heads": 2, "short_conv_kernel_size": 2, "full_attn_layers": [1], "kda_layers": [2]},
            "q_lora_rank": 9,
            "attention_bias": True,
            "n_group": 2,
            "topk_group": 1,
            "norm_topk_prob": False,
            "n_shared_experts": 2,
            "first_k_dense_replace": 0,
            "hidden_act": "gelu",
            "rms_norm_eps": 0.01,
            "routed_scaling_factor": 1.3,
        },
    },
    "longcat_flash": {"class": "LongcatFlashForCausalLM", "config": longcat},
    "longcat_flash-switches": {
        "class": "LongcatFlashForCausalLM",
        "config": longcat
        | {
            "num_layers": 1,
            "zero_expert_num": 0,
            "moe_topk": 2,
            "attention_bias": True,
            "hidden_act": "gelu",
            "rms_norm_eps": 0.01,
            "routed_scaling_factor": 1.7,
            "tie_word_embeddings": True,
            "rope_parameters": {"rope_type": "yarn", "rope_theta": 500.0, "factor": 4.0, "original_max_position_embeddings": 8, "mscale": 0.8, "mscale_all_dim": 0.6},
        },
    },
    "jetmoe": {"class": "JetMoeForCausalLM", "config": jetmoe},
    "jetmoe-switches": {
        "class": "JetMoeForSequenceClassification",
        "config": jetmoe
        | {
            "num_experts_per_tok": 3,
            "num_key_value_heads": 1,
            "activation_function": "gelu",
            "rms_norm_eps": 0.01,
            "rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 500.0},
            "tie_word_embeddings": False,
        },
        "last": True,
    },
    # the reference knows no mask, and computes states in float32
    "xlstm": {"class": "xLSTMForCausalLM", "config": xlstm, "call": {"use_cache": False}, "attention": "none", "positions": False, "left": False},
    "xlstm-switches": {
        "class": "xLSTMForCausalLM",
        "config": xlstm
        | {
            "num_blocks": 1,
            "num_hidden_layers": 1,
            "qk_dim_factor": 1.0,
            "v_dim_factor": 0.5,
            "ffn_proj_factor": 1.3,
            "ffn_round_up_to_multiple_of": 5,
            "gate_soft_cap": 0.7,
            "output_logit_soft_cap": 1.5,
            "norm_eps": 0.01,
            "eps": 0.1,
            "chunk_size": 4,
            "autocast_kernel_dtype": "float32",
        },
        "call": {"use_cache": False},
        "attention": "none",
        "positions": False,
        "left": False,
    },
    # the reference sets the last bias of every router to −1 when it loads a file, whatever stands there
    "zaya": {"class": "ZayaForCausalLM", "config": zaya, "drawn": {f"model.layers.{layer}.mlp.gate.balancing_biases": [[4], -1.0, 0.0] for layer in range(3)} | {f"model.layers.{layer}.self_attn.qk_norm.temp": [[2], 1.0, 0.5] for layer in range(3)}},
    "zaya-switches": {
        "class": "ZayaForCausalLM",
        "config": zaya
        | {
            "num_hidden_layers": 2,
            "layer_types": ["hybrid", "hybrid_sliding"],
            "sliding_window": 3,
            "rope_parameters": {
                "hybrid": {"rope_type": "default", "rope_theta": 500.0},
                "hybrid_sliding": {"rope_type": "default", "rope_theta": 100.0, "partial_rotary_factor": 0.25},
            },
            "cca_time0": 3,
            "cca_time1": 1,
            "attention_bias": True,
            "lm_head_bias": True,
            "hidden_act": "gelu",
            "rms_norm_eps": 0.01,
            "tie_word_embeddings": False,
        },
        "drawn": {f"model.layers.{layer}.mlp.gate.balancing_biases": [[4], -1.0, 0.0] for layer in range(2)} | {f"model.layers.{layer}.self_attn.qk_norm.temp": [[2], 1.0, 0.5] for layer in range(2)},
    },
}
