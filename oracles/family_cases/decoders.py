"""Dense decoders."""

size = dict(vocab_size=47, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40, max_position_embeddings=32, pad_token_id=0)
grouped = {**size, "num_key_value_heads": 2}
wide = {**grouped, "head_dim": 10}
local = {"vocab_size": 31, "num_hidden_layers": 3, "sliding_window": 3}
global_first = {**local, "layer_types": ["full_attention", "sliding_attention", "full_attention"]}
yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8, "rope_theta": 1e4}
llama3 = {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8, "rope_theta": 1e4}


def spread(*names):
    """Vectors that the library starts at a constant, drawn far enough from it to be seen."""
    return {name.format(i): [shape, base, width] for name, shape, base, width in names for i in range(3)}


def xielu(layers, stem="model.layers.{}.mlp.act_fn."):
    """Parameters as they are stored: ε keeps its sign."""
    return {stem.format(i) + name: how for i in range(layers) for name, how in (("eps", [[], -1e-3, 0.0]), ("beta", [[], 0.5, 0.2]))}


gemma3n = {**wide, "vocab_size": 31, "num_hidden_layers": 3, "num_kv_shared_layers": 0, "layer_types": ["sliding_attention", "full_attention", "full_attention"], "sliding_window": 3, "intermediate_size": 28, "hidden_size_per_layer_input": 5, "vocab_size_per_layer_input": 31, "laurel_rank": 3, "altup_num_inputs": 2}
gemma4 = {**wide, "vocab_size": 31, "num_hidden_layers": 3, "head_dim": 6, "global_head_dim": 16, "sliding_window": 4, "intermediate_size": 28, "hidden_size_per_layer_input": 5, "vocab_size_per_layer_input": 31}
latent = {**size, "num_key_value_heads": 4, "kv_lora_rank": 9, "qk_nope_head_dim": 6, "qk_rope_head_dim": 4, "v_head_dim": 5}

cases = {
    "llama": {"class": "LlamaForCausalLM", "config": {**size, "num_key_value_heads": 2, "pad_token_id": 0}},
    "olmo": {"class": "OlmoForCausalLM", "config": {**grouped, "clip_qkv": 0.3}},
    "olmo-free": {"class": "OlmoForSequenceClassification", "last": True, "config": {**grouped, "attention_bias": True, "num_labels": 3}},
    "olmo3": {"class": "Olmo3ForCausalLM", "config": {**grouped, "vocab_size": 23, "num_hidden_layers": 4, "sliding_window": 3}},
    "olmo3-yarn": {"class": "Olmo3ForCausalLM", "config": {**grouped, **global_first, "rope_theta": 1e3, "rope_scaling": {key: yarn[key] for key in yarn if key != "rope_theta"}}},
    "cohere": {"class": "CohereForCausalLM", "config": {**grouped, "logit_scale": 0.3}},
    "cohere-normed": {"class": "CohereForCausalLM", "config": {**grouped, "use_qk_norm": True, "attention_bias": True, "tie_word_embeddings": False}},
    "cohere2": {"class": "Cohere2ForCausalLM", "config": {**grouped, **local, "sliding_window_pattern": 2}},
    "cohere2-types": {"class": "Cohere2ForCausalLM", "config": {**grouped, **global_first, "attention_bias": True, "logit_scale": 0.5}},
    "glm": {"class": "GlmForCausalLM", "config": {**grouped, "head_dim": 12}},
    "glm-plain": {"class": "GlmForSequenceClassification", "last": True, "config": {**grouped, "head_dim": 12, "attention_bias": False, "num_labels": 2, "rope_parameters": {"rope_type": "default", "rope_theta": 500.0, "partial_rotary_factor": 1.0}}},
    "glm4": {"class": "Glm4ForCausalLM", "config": {**grouped, "head_dim": 12}},
    "exaone4": {"class": "Exaone4ForCausalLM", "config": {**grouped, **local, "sliding_window_pattern": 2}},
    "exaone4-global": {"class": "Exaone4ForSequenceClassification", "last": True, "config": {**grouped, "sliding_window": None, "layer_types": ["full_attention"] * 2, "num_labels": 2, "rope_parameters": llama3}},
    "ernie4_5": {"class": "Ernie4_5ForCausalLM", "config": {**wide, "use_bias": True}},
    "ernie4_5-plain": {"class": "Ernie4_5ForCausalLM", "config": {**grouped, "head_dim": None, "tie_word_embeddings": False}},
    "hunyuan_v1_dense": {"class": "HunYuanDenseV1ForCausalLM", "config": {**wide, "rope_scaling": {"type": "dynamic", "alpha": 50.0, "factor": 1.0}}},
    "hunyuan_v1_dense-bias": {"class": "HunYuanDenseV1ForSequenceClassification", "last": True, "config": {**wide, "attention_bias": True, "tie_word_embeddings": True, "num_labels": 2}},
    "ministral": {"class": "MinistralForCausalLM", "config": {**wide, **global_first}},
    "ministral-windowed": {"class": "MinistralForSequenceClassification", "last": True, "config": {**wide, "sliding_window": 2, "num_labels": 2}},
    "ministral3": {"class": "Ministral3ForCausalLM", "config": {**wide, "rope_parameters": {**yarn, "original_max_position_embeddings": 2, "llama_4_scaling_beta": 0.3, "mscale": 1.0, "mscale_all_dim": 1.0}}},
    "ministral3-windowed": {"class": "Ministral3ForSequenceClassification", "last": True, "config": {**wide, "sliding_window": 3, "num_labels": 2}},
    "nemotron": {"class": "NemotronForCausalLM", "config": {**grouped, "head_dim": 12}},
    "nemotron-bias": {"class": "NemotronForSequenceClassification", "last": True, "config": {**grouped, "head_dim": 8, "attention_bias": True, "mlp_bias": True, "hidden_act": "gelu", "norm_eps": 1e-3, "partial_rotary_factor": 0.25, "num_labels": 2}},
    "seed_oss": {"class": "SeedOssForCausalLM", "config": wide},
    "seed_oss-bias": {"class": "SeedOssForCausalLM", "config": {**wide, "attention_bias": False, "attention_out_bias": True, "mlp_bias": True}},
    "arcee": {"class": "ArceeForCausalLM", "config": grouped},
    "arcee-bias": {"class": "ArceeForSequenceClassification", "last": True, "config": {**wide, "attention_bias": True, "mlp_bias": True, "num_labels": 2, "rope_parameters": yarn}},
    "apertus": {"class": "ApertusForCausalLM", "config": grouped, "drawn": xielu(2)},
    "apertus-bias": {"class": "ApertusForCausalLM", "config": {**grouped, "attention_bias": True, "hidden_act": "gelu", "rope_parameters": llama3}},
    "apertus1p5_text": {"class": "Apertus1p5TextForCausalLM", "config": {**wide, "rope_parameters": {"rope_type": "default", "rope_theta": 1e3}}, "drawn": xielu(2)},
    "phi3-partial": {
        "class": "Phi3ForCausalLM",
        "config": {
            **grouped, "hidden_size": 32, "partial_rotary_factor": 0.75, "tie_word_embeddings": True, "sliding_window": 4, "original_max_position_embeddings": 4,
            "rope_parameters": {"rope_type": "longrope", "rope_theta": 1e3, "short_factor": [1.0, 1.1, 1.3], "long_factor": [1.5, 2.0, 4.0]},
        },
    },
    "helium": {"class": "HeliumForCausalLM", "config": {**grouped, "head_dim": 6}},
    "helium-bias": {"class": "HeliumForSequenceClassification", "last": True, "config": {**grouped, "head_dim": 6, "attention_bias": True, "mlp_bias": True, "num_labels": 2}},
    "internlm3": {"class": "LlamaForCausalLM", "config_class": "InternLM3Config", "config": {**wide, "rope_scaling": {"rope_type": "dynamic", "factor": 2.0}, "max_position_embeddings": 6}},
    "internlm3-bias": {"class": "LlamaForCausalLM", "config_class": "InternLM3Config", "config": {**wide, "attention_bias": True, "mlp_bias": True}},
    "persimmon": {"class": "PersimmonForCausalLM", "config": {**size, "hidden_size": 32}},
    "persimmon-plain": {"class": "PersimmonForCausalLM", "config": {**size, "qk_layernorm": False, "partial_rotary_factor": 0.34, "hidden_act": "gelu"}},
    "bitnet": {"class": "BitNetForCausalLM", "config": grouped},
    "bitnet-bias": {"class": "BitNetForCausalLM", "config": {**grouped, "attention_bias": True, "tie_word_embeddings": True, "hidden_act": "silu"}},
    "exaone": {"class": "LlamaForCausalLM", "config_class": "ExaoneConfig", "config": grouped},
    "exaone-bias": {"class": "LlamaForSequenceClassification", "config_class": "ExaoneConfig", "last": True, "config": {**wide, "attention_bias": True, "mlp_bias": True, "rms_norm_eps": 1e-3, "hidden_act": "gelu", "num_labels": 2}},
    "cwm": {"class": "CwmForCausalLM", "config": {**wide, **local}},
    "cwm-bias": {"class": "CwmForCausalLM", "config": {**wide, **global_first, "mlp_bias": True, "rope_parameters": llama3}},
    "granite_swa": {"class": "GraniteSWAForCausalLM", "config": {**grouped, **local, "layer_rope_theta": [1e4, 0, 100.0], "attention_multiplier": 0.3, "embedding_multiplier": 3.0, "residual_multiplier": 0.7, "logits_scaling": 2.5}},
    "granite_swa-plain": {"class": "GraniteSWAForCausalLM", "config": {**grouped, **global_first, "attention_bias": True, "mlp_bias": True, "tie_word_embeddings": False}},
    "hyperclovax": {"class": "HyperCLOVAXForCausalLM", "config": {**wide, "embedding_multiplier": 3.0, "residual_multiplier": 0.7, "logits_scaling": 0.4}},
    "hyperclovax-pre": {"class": "HyperCLOVAXForCausalLM", "config": {**grouped, "use_post_norm": False, "attention_multiplier": 0.3, "attention_bias": True, "mlp_bias": True}},
    "jais2": {"class": "Jais2ForCausalLM", "config": grouped},
    "jais2-plain": {"class": "Jais2ForCausalLM", "config": {**wide, "attention_bias": False, "mlp_bias": False, "tie_word_embeddings": True}},
    "iquestcoder": {"class": "LlamaForCausalLM", "config_class": "IQuestCoderConfig", "config": wide},
    "nanochat": {"class": "NanoChatForCausalLM", "config": grouped},
    "nanochat-bias": {"class": "NanoChatForCausalLM", "config": {**wide, "attention_bias": True, "final_logit_softcapping": None, "hidden_act": "gelu"}},
    "vaultgemma": {"class": "VaultGemmaForCausalLM", "config": {**wide, **local, "query_pre_attn_scalar": 12, "attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0}},
    "diffllama": {"class": "DiffLlamaForCausalLM", "config": {**grouped, "vocab_size": 31, "num_hidden_layers": 3}},
    "diffllama-bias": {"class": "DiffLlamaForSequenceClassification", "last": True, "config": {**size, "num_key_value_heads": 4, "head_dim": 10, "attention_bias": True, "num_labels": 2}},
    "doge": {"class": "DogeForCausalLM", "config": grouped},
    "doge-kept": {"class": "DogeForSequenceClassification", "last": True, "config": {**wide, "keep_window_size": 3, "sliding_window": 5, "attention_bias": True, "mlp_bias": True, "num_labels": 2}},
    "gemma3n_text": {"class": "Gemma3nForCausalLM", "stream": 0, "config": gemma3n},
    "gemma3n_text-shared": {
        "class": "Gemma3nForCausalLM",
        "stream": 1,
        "config": {
            **gemma3n, "num_hidden_layers": 4, "num_kv_shared_layers": 2, "layer_types": ["sliding_attention", "full_attention"] * 2, "intermediate_size": [20, 24, 28, 32],
            "activation_sparsity_pattern": [0.7, 0.0, 0.4, 0.9], "altup_active_idx": 1, "altup_num_inputs": 3, "altup_correct_scale": False, "attention_bias": True, "tie_word_embeddings": False,
            "final_logit_softcapping": 3.0, "vocab_size_per_layer_input": 15,
        },
    },
    "gemma4_text": {"class": "Gemma4ForCausalLM", "config": {**gemma4, "layer_types": ["sliding_attention", "full_attention", "full_attention"], "final_logit_softcapping": 3.0}},
    "gemma4_text-shared": {
        "class": "Gemma4ForCausalLM",
        "config": {
            **gemma4, "num_hidden_layers": 4, "layer_types": ["sliding_attention", "full_attention"] * 2, "num_kv_shared_layers": 2, "use_double_wide_mlp": True, "attention_k_eq_v": True,
            "num_global_key_value_heads": 1, "attention_bias": True,
        },
    },
    "gemma4_text-all": {
        "class": "Gemma4ForCausalLM",
        "config": {**gemma4, "hidden_size_per_layer_input": 0, "use_bidirectional_attention": "all", "layer_types": ["sliding_attention", "sliding_attention", "full_attention"], "tie_word_embeddings": False},
    },
    "gemma4_unified_text": {"class": "Gemma4UnifiedForCausalLM", "config": {**{key: gemma4[key] for key in gemma4 if "per_layer" not in key}, "layer_types": ["sliding_attention", "full_attention", "full_attention"], "attention_k_eq_v": True, "num_global_key_value_heads": 1}},
    "minicpm3": {"class": "MiniCPM3ForCausalLM", "config": {**latent, "q_lora_rank": 7, "scale_emb": 3, "scale_depth": 1.1, "dim_model_base": 8}},
    "minicpm3-plain": {
        "class": "MiniCPM3ForSequenceClassification",
        "last": True,
        "config": {**latent, "q_lora_rank": None, "scale_depth": None, "dim_model_base": None, "attention_bias": True, "mlp_bias": True, "num_labels": 2, "rope_parameters": {**yarn, "mscale_all_dim": 0.7, "mscale": 1.0}},
    },
}
