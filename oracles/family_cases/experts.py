"""Mixtures of experts."""

size = dict(vocab_size=47, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40, max_position_embeddings=32)
grouped = {**size, "num_key_value_heads": 2, "pad_token_id": 0}
latent = {**size, "num_key_value_heads": 4, "pad_token_id": 0, "moe_intermediate_size": 14, "q_lora_rank": 9, "kv_lora_rank": 10, "qk_rope_head_dim": 4, "qk_nope_head_dim": 6, "v_head_dim": 7}
indexed = dict(index_head_dim=6, index_n_heads=8)
few = dict(num_experts=5, num_experts_per_tok=2)

cases = {
    "mixtral": {"class": "MixtralForCausalLM", "config": {**grouped, "num_local_experts": 5, "num_experts_per_tok": 3, "sliding_window": 4}},
    "qwen2_moe": {"class": "Qwen2MoeForCausalLM", "config": {**grouped, **few, "moe_intermediate_size": 14, "shared_expert_intermediate_size": 18}},
    "qwen2_moe-layers": {
        "class": "Qwen2MoeForCausalLM",
        "config": {**grouped, **few, "num_hidden_layers": 4, "moe_intermediate_size": 6, "shared_expert_intermediate_size": 10, "qkv_bias": False, "norm_topk_prob": True,
                   "mlp_only_layers": [3], "decoder_sparse_step": 2, "use_sliding_window": True, "sliding_window": 3, "max_window_layers": 2, "tie_word_embeddings": True},
    },
    "qwen2_moe-classes": {
        "class": "Qwen2MoeForSequenceClassification",
        "config": {**grouped, **few, "moe_intermediate_size": 14, "shared_expert_intermediate_size": 18, "num_labels": 3},
        "last": True,
    },
    "qwen3_moe": {"class": "Qwen3MoeForCausalLM", "config": {**grouped, **few, "head_dim": 8, "moe_intermediate_size": 14}},
    "qwen3_moe-layers": {
        "class": "Qwen3MoeForCausalLM",
        "config": {**grouped, **few, "num_hidden_layers": 3, "head_dim": 8, "moe_intermediate_size": 14, "attention_bias": True, "norm_topk_prob": True,
                   "mlp_only_layers": [1], "use_sliding_window": True, "sliding_window": 3},
    },
    "olmoe": {"class": "OlmoeForCausalLM", "config": {**grouped, **few}},
    "olmoe-clip": {"class": "OlmoeForCausalLM", "config": {**grouped, **few, "clip_qkv": 0.4, "norm_topk_prob": True, "attention_bias": True}},
    "granitemoe": {
        "class": "GraniteMoeForCausalLM",
        "config": {**grouped, "intermediate_size": 14, "num_local_experts": 5, "num_experts_per_tok": 2, "embedding_multiplier": 1.7, "attention_multiplier": 0.3,
                   "residual_multiplier": 0.6, "logits_scaling": 3.0, "attention_bias": True},
    },
    "granitemoeshared": {
        "class": "GraniteMoeSharedForCausalLM",
        "config": {**grouped, "intermediate_size": 14, "num_local_experts": 5, "num_experts_per_tok": 2, "shared_intermediate_size": 18, "residual_multiplier": 0.6},
    },
    "granitemoeshared-none": {"class": "GraniteMoeSharedForCausalLM", "config": {**grouped, "intermediate_size": 14, "num_local_experts": 5, "num_experts_per_tok": 2}},
    "phimoe": {"class": "PhimoeForCausalLM", "config": {**grouped, "intermediate_size": 14, "num_local_experts": 5, "router_jitter_noise": 0.3}},
    "phimoe-long": {
        "class": "PhimoeForCausalLM",
        "config": {**grouped, "intermediate_size": 14, "num_local_experts": 5, "attention_bias": True, "lm_head_bias": True, "sliding_window": 4, "router_jitter_noise": 1.0,
                   "rope_parameters": {"rope_type": "longrope", "rope_theta": 100.0, "short_factor": [1.1, 1.4, 2.0], "long_factor": [1.5, 2.5, 4.0], "short_mscale": 1.2, "long_mscale": 1.4,
                                       "original_max_position_embeddings": 5}},
    },
    "deepseek_v2": {"class": "DeepseekV2ForCausalLM", "config": {**latent, "q_lora_rank": None, "n_routed_experts": 5, "num_experts_per_tok": 2, "n_shared_experts": 2, "first_k_dense_replace": 1}},
    "deepseek_v2-groups": {
        "class": "DeepseekV2ForCausalLM",
        "config": {**latent, "n_routed_experts": 6, "num_experts_per_tok": 2, "n_shared_experts": 1, "topk_method": "group_limited_greedy", "n_group": 3, "topk_group": 2, "routed_scaling_factor": 1.6,
                   "attention_bias": True, "mlp_bias": True,
                   "rope_parameters": {"rope_type": "yarn", "rope_theta": 1000.0, "factor": 4.0, "mscale": 0.707, "mscale_all_dim": 0.707, "beta_fast": 32, "beta_slow": 1, "original_max_position_embeddings": 8}},
    },
    "deepseek_v3": {
        "class": "DeepseekV3ForCausalLM",
        "config": {**latent, "n_routed_experts": 6, "num_experts_per_tok": 3, "n_group": 3, "topk_group": 2, "first_k_dense_replace": 1,
                   "rope_parameters": {"rope_type": "yarn", "rope_theta": 1000.0, "factor": 4.0, "mscale": 1.0, "mscale_all_dim": 1.0, "original_max_position_embeddings": 8}},
    },
    "deepseek_v3-plain": {
        "class": "DeepseekV3ForCausalLM",
        "config": {**latent, "q_lora_rank": None, "rope_interleave": False, "n_routed_experts": 5, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "first_k_dense_replace": 0,
                   "norm_topk_prob": False, "routed_scaling_factor": 0.8, "attention_bias": True, "n_shared_experts": 2},
    },
    "deepseek_v3-classes": {
        "class": "DeepseekV3ForSequenceClassification",
        "config": {**latent, "n_routed_experts": 5, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "first_k_dense_replace": 1, "num_labels": 3},
        "last": True,
    },
    "glm4_moe": {
        "class": "Glm4MoeForCausalLM",
        "config": {**grouped, "head_dim": 8, "moe_intermediate_size": 14, "n_routed_experts": 6, "num_experts_per_tok": 2, "n_group": 2, "topk_group": 1, "use_qk_norm": True, "attention_bias": True},
    },
    "glm4_moe-plain": {
        "class": "Glm4MoeForCausalLM",
        "config": {**grouped, "moe_intermediate_size": 14, "n_routed_experts": 5, "num_experts_per_tok": 2, "first_k_dense_replace": 0, "n_shared_experts": 2, "norm_topk_prob": False,
                   "routed_scaling_factor": 1.7, "rope_parameters": {"rope_type": "default", "rope_theta": 500.0, "partial_rotary_factor": 1.0}},
    },
    "glm4_moe_lite": {"class": "Glm4MoeLiteForCausalLM", "config": {**latent, "n_routed_experts": 5, "num_experts_per_tok": 2}},
    "glm4_moe_lite-layers": {
        "class": "Glm4MoeLiteForCausalLM",
        "config": {**latent, "q_lora_rank": None, "rope_interleave": False, "n_routed_experts": 6, "num_experts_per_tok": 2, "n_group": 3, "topk_group": 2, "mlp_layer_types": ["sparse", "dense"]},
    },
    "solar_open": {"class": "SolarOpenForCausalLM", "config": {**grouped, "head_dim": 8, "moe_intermediate_size": 14, "n_routed_experts": 6, "num_experts_per_tok": 2, "n_group": 3, "topk_group": 2,
                                                                 "attention_bias": True}},
    "sarvam_moe": {"class": "Glm4MoeForCausalLM", "config_class": "SarvamMoEConfig",
                   "config": {**grouped, "head_dim": 8, "moe_intermediate_size": 14, "n_routed_experts": 6, "num_experts_per_tok": 2, "attention_bias": True}},
    "sarvam_mla": {"class": "DeepseekV3ForCausalLM", "config_class": "SarvamMLAConfig", "config": {**latent, "q_lora_rank": None, "n_routed_experts": 5, "num_experts_per_tok": 2}},
    "axk1": {"class": "AXK1ForCausalLM", "config": {**latent, "n_routed_experts": 6, "num_experts_per_tok": 2, "n_group": 3, "topk_group": 2, "mlp_layer_types": ["dense", "sparse"]}},
    "dots1": {"class": "Dots1ForCausalLM", "config": {**grouped, "head_dim": 8, "moe_intermediate_size": 14, "n_routed_experts": 5, "num_experts_per_tok": 2, "n_shared_experts": 1}},
    "dots1-window": {
        "class": "Dots1ForCausalLM",
        "config": {**grouped, "moe_intermediate_size": 14, "n_routed_experts": 6, "num_experts_per_tok": 2, "n_shared_experts": 2, "n_group": 3, "topk_group": 2, "first_k_dense_replace": 1,
                   "norm_topk_prob": True, "routed_scaling_factor": 1.4, "attention_bias": True, "sliding_window": 3, "max_window_layers": 1},
    },
    "hy_v3": {"class": "HYV3ForCausalLM", "config": {**grouped, "head_dim": 8, "moe_intermediate_size": 14, "num_experts": 5, "num_experts_per_tok": 2}},
    "hy_v3-layers": {
        "class": "HYV3ForCausalLM",
        "config": {**grouped, "head_dim": 8, "moe_intermediate_size": 14, "num_experts": 5, "num_experts_per_tok": 2, "num_shared_experts": 2, "router_scaling_factor": 0.7, "attention_bias": True,
                   "mlp_layer_types": ["sparse", "dense"]},
    },
    "exaone_moe": {
        "class": "ExaoneMoeForCausalLM",
        "config": {**grouped, "num_hidden_layers": 3, "moe_intermediate_size": 10, "num_experts": 5, "num_experts_per_tok": 2, "sliding_window": 3, "sliding_window_pattern": 3},
    },
    "dbrx": {
        "class": "DbrxForCausalLM",
        "config": dict(vocab_size=47, d_model=24, n_heads=4, n_layers=2, max_seq_len=32, pad_token_id=0, attn_config={"kv_n_heads": 2, "clip_qkv": 0.4, "rope_theta": 500.0},
                       ffn_config={"ffn_hidden_size": 14, "moe_num_experts": 5, "moe_top_k": 3, "moe_normalize_expert_weights": 2.0, "ffn_act_fn": {"name": "gelu"}}),
    },
    "flex_olmo": {"class": "FlexOlmoForCausalLM", "config": {**grouped, **few, "intermediate_size": 14, "norm_topk_prob": True}},
    "ernie4_5_moe": {
        "class": "Ernie4_5_MoeForCausalLM",
        "config": {**grouped, "num_hidden_layers": 3, "moe_intermediate_size": 10, "moe_num_experts": 5, "moe_k": 2, "use_bias": True, "moe_layer_end_index": 1},
    },
    "ernie4_5_moe-alone": {
        "class": "Ernie4_5_MoeForCausalLM",
        "config": {**grouped, "moe_intermediate_size": 10, "moe_num_experts": 5, "moe_k": 3, "moe_num_shared_experts": 0, "moe_layer_start_index": 0, "moe_layer_interval": 2, "tie_word_embeddings": False},
    },
    "minimax_m2": {"class": "MiniMaxM2ForCausalLM", "config": {**grouped, "head_dim": 8, "intermediate_size": 14, "num_local_experts": 5, "num_experts_per_tok": 2, "rotary_dim": 4}},
    "afmoe": {
        "class": "AfmoeForCausalLM",
        "config": {**grouped, "num_hidden_layers": 3, "head_dim": 8, "moe_intermediate_size": 10, "num_experts": 5, "num_experts_per_tok": 2, "num_shared_experts": 1, "sliding_window": 3,
                   "global_attn_every_n_layers": 3, "mup_enabled": True, "route_scale": 1.4, "attention_bias": True},
    },
    "laguna": {
        "class": "LagunaForCausalLM",
        "config": {**grouped, "num_hidden_layers": 3, "head_dim": 8, "moe_intermediate_size": 10, "num_experts": 5, "num_experts_per_tok": 2, "shared_expert_intermediate_size": 12, "sliding_window": 3,
                   "layer_types": ["full_attention", "sliding_attention", "full_attention"], "num_attention_heads_per_layer": [4, 2, 4], "moe_routed_scaling_factor": 1.4,
                   "moe_router_logit_softcapping": 0.8},
    },
    "laguna-columns": {
        "class": "LagunaForCausalLM",
        "config": {**grouped, "head_dim": 8, "moe_intermediate_size": 10, "num_experts": 5, "num_experts_per_tok": 2, "shared_expert_intermediate_size": 12, "gating": "per-element",
                   "mlp_layer_types": ["sparse", "dense"], "attention_bias": True},
    },
    "granitemoe_swa": {
        "class": "GraniteMoeSWAForCausalLM",
        "config": {**grouped, "num_hidden_layers": 3, "intermediate_size": 10, "num_local_experts": 5, "num_experts_per_tok": 2, "shared_intermediate_size": 12, "sliding_window": 3,
                   "layer_rope_theta": [100.0, 0, 1000.0], "attention_multiplier": 0.3},
    },
    "hunyuan_v1_moe": {"class": "HunYuanMoEV1ForCausalLM", "config": {**grouped, "intermediate_size": 14, "head_dim": 8, "num_experts": 5, "moe_topk": 2}},
    "hunyuan_v1_moe-alpha": {
        "class": "HunYuanMoEV1ForCausalLM",
        "config": {**grouped, "intermediate_size": 14, "head_dim": 8, "num_experts": 5, "moe_topk": [3, 1], "attention_bias": True,
                   "rope_parameters": {"rope_type": "dynamic", "rope_theta": 100.0, "alpha": 20.0, "factor": 1.0}},
    },
    "mistral4": {"class": "Mistral4ForCausalLM", "config": {**latent, "n_routed_experts": 6, "num_experts_per_tok": 2, "n_group": 3, "topk_group": 2}},
    "mistral4-plain": {
        "class": "Mistral4ForCausalLM",
        "config": {**latent, "q_lora_rank": None, "rope_interleave": False, "n_routed_experts": 5, "num_experts_per_tok": 2, "first_k_dense_replace": 1, "norm_topk_prob": False,
                   "routed_scaling_factor": 1.3, "attention_bias": True,
                   "rope_parameters": {"rope_type": "yarn", "rope_theta": 100.0, "factor": 4.0, "original_max_position_embeddings": 4, "max_position_embeddings": 32, "beta_fast": 32.0, "beta_slow": 1.0,
                                       "mscale_all_dim": 0.5, "mscale": 1.0, "llama_4_scaling_beta": 0.4}},
    },
    "cohere2_moe": {
        "class": "Cohere2MoeForCausalLM",
        "config": {**grouped, **few, "num_hidden_layers": 3, "head_dim": 6, "intermediate_size": 10, "sliding_window": 3, "sliding_window_pattern": 2, "num_shared_experts": 1},
    },
    "cohere2_moe-sigmoid": {
        "class": "Cohere2MoeForCausalLM",
        "config": {**grouped, **few, "num_hidden_layers": 3, "head_dim": 8, "intermediate_size": 10, "sliding_window": 3, "sliding_window_pattern": 2, "num_shared_experts": 1,
                   "shared_expert_combination_strategy": "sum", "expert_selection_fn": "sigmoid", "first_k_dense_replace": 1, "prefix_dense_intermediate_size": 12, "rms_norm_eps": 1e-5,
                   "attention_bias": True, "tie_word_embeddings": False},
    },
    "llama4_text": {
        "class": "Llama4ForCausalLM",
        "config": {**grouped, "num_hidden_layers": 3, "head_dim": 8, "intermediate_size": 10, "intermediate_size_mlp": 12, "num_local_experts": 4, "interleave_moe_layer_step": 2,
                   "no_rope_layer_interval": 3, "attention_chunk_size": 3, "floor_scale": 2, "attn_scale": 0.3},
    },
    "llama4_text-plain": {
        "class": "Llama4ForCausalLM",
        "config": {**grouped, "head_dim": 8, "intermediate_size": 10, "intermediate_size_mlp": 12, "num_local_experts": 4, "num_experts_per_tok": 2, "use_qk_norm": False,
                   "no_rope_layers": [0, 1], "attention_chunk_size": None, "attn_temperature_tuning": False, "attention_bias": True, "moe_layers": [1],
                   "rope_parameters": {"rope_type": "llama3", "rope_theta": 100.0, "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8}},
    },
    "gpt_oss": {
        "class": "GptOssForCausalLM",
        "config": {**grouped, "head_dim": 8, "intermediate_size": 10, "num_local_experts": 5, "num_experts_per_tok": 2, "sliding_window": 3},
    },
    "gpt_oss-plain": {
        "class": "GptOssForCausalLM",
        "config": {**grouped, "head_dim": 8, "intermediate_size": 10, "num_local_experts": 5, "num_experts_per_tok": 3, "layer_types": ["full_attention", "sliding_attention"], "sliding_window": 3,
                   "attention_bias": False, "swiglu_limit": 0.5, "swiglu_alpha": 1.3, "rope_parameters": {"rope_type": "default", "rope_theta": 100.0}},
    },
    "gpt_oss-classes": {
        "class": "GptOssForSequenceClassification",
        "config": {**grouped, "head_dim": 8, "intermediate_size": 10, "num_local_experts": 5, "num_experts_per_tok": 2, "sliding_window": 3, "num_labels": 3},
        "last": True,
    },
    "mimo_v2_flash": {
        "class": "MiMoV2FlashForCausalLM",
        "config": {**size, "num_key_value_heads": 1, "pad_token_id": 0, "num_hidden_layers": 3, "head_dim": 12, "v_head_dim": 7, "moe_intermediate_size": 10, "n_routed_experts": 6, "num_experts_per_tok": 2,
                   "n_group": 3, "topk_group": 2, "sliding_window": 3},
    },
    "mimo_v2_flash-plain": {
        "class": "MiMoV2FlashForCausalLM",
        "config": {**size, "num_key_value_heads": 2, "pad_token_id": 0, "head_dim": 8, "v_head_dim": 10, "moe_intermediate_size": 10, "n_routed_experts": 5, "num_experts_per_tok": 2,
                   "layer_types": ["sliding_attention", "full_attention"], "mlp_layer_types": ["sparse", "dense"], "sliding_window": 4, "attention_value_scale": None, "attention_bias": True,
                   "norm_topk_prob": False, "routed_scaling_factor": 1.7,
                   "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 1000.0, "partial_rotary_factor": 0.5},
                                       "sliding_attention": {"rope_type": "default", "rope_theta": 100.0, "partial_rotary_factor": 1.0}}},
    },
    "youtu": {"class": "YoutuForCausalLM", "config": {**latent, "pad_token_id": None}},
    "youtu-plain": {"class": "YoutuForCausalLM", "config": {**latent, "q_lora_rank": None, "rope_interleave": False, "attention_bias": True, "tie_word_embeddings": False}},
    "mellum": {
        "class": "MellumForCausalLM",
        "config": {**grouped, **few, "head_dim": 8, "moe_intermediate_size": 14, "sliding_window": 3, "layer_types": ["sliding_attention", "full_attention"]},
    },
    "mellum-dense": {
        "class": "MellumForCausalLM",
        "config": {**grouped, **few, "head_dim": 8, "moe_intermediate_size": 14, "mlp_layer_types": ["dense", "sparse"], "norm_topk_prob": False, "attention_bias": True},
    },
    "deepseek_v32": {
        "class": "DeepseekV32ForCausalLM",
        "config": {**latent, **indexed, "n_routed_experts": 6, "num_experts_per_tok": 2, "n_group": 3, "topk_group": 2, "mlp_layer_types": ["dense", "sparse"], "index_topk": 3},
    },
    "deepseek_v32-short": {
        "class": "DeepseekV32ForCausalLM",
        "config": {**latent, **indexed, "n_routed_experts": 5, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "first_k_dense_replace": 0, "attention_bias": True},
    },
    "glm_moe_dsa": {
        "class": "GlmMoeDsaForCausalLM",
        "config": {**latent, **indexed, "index_n_heads": 13, "n_routed_experts": 6, "num_experts_per_tok": 2, "mlp_layer_types": ["dense", "sparse"], "index_topk": 3},
    },
}

for case in cases.values():
    case.setdefault("length", 6)
