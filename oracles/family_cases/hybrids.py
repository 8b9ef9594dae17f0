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
}
