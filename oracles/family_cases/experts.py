"""Mixtures of experts."""

size = dict(vocab_size=47, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40, max_position_embeddings=32)
grouped = {**size, "num_key_value_heads": 2, "pad_token_id": 0}
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
}

for case in cases.values():
    case.setdefault("length", 6)
