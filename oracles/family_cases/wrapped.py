"""Models of several towers, asked with text alone: whole checkpoints, whose other towers are as small as they can be."""
import re

import transformers


class Llama4ForConditionalGeneration(transformers.Llama4ForConditionalGeneration):
    """The library's looks for pictures' states among those of its language model, and fails."""

    def forward(self, **feeds):
        return self.language_model(**feeds)


class Under:
    """Names of tensors under a module, to leave out."""

    def __init__(self, module):
        self.module = module

    def __contains__(self, name):
        return name.startswith(self.module)


class NoPictures(transformers.PreTrainedModel):
    """In the place of Gemma 3n's tower for pictures, which is of another library: text alone passes it by."""

    config_class = transformers.Gemma3nVisionConfig


transformers.AutoModel.register(transformers.Gemma3nVisionConfig, NoPictures, exist_ok=True)



text = dict(vocab_size=31, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=40, max_position_embeddings=32, pad_token_id=0)
rows = {**text, "num_hidden_layers": 3, "intermediate_size": 28}
siglip = dict(model_type="siglip_vision_model", hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, image_size=8, patch_size=4)
qwen_vision = dict(depth=1, hidden_size=8, intermediate_size=8, out_hidden_size=24, num_heads=2, patch_size=2, spatial_merge_size=1, num_position_embeddings=4)
delta = dict(linear_conv_kernel_dim=3, linear_key_head_dim=4, linear_value_head_dim=5, linear_num_key_heads=2, linear_num_value_heads=4, head_dim=8, layer_types=["linear_attention", "full_attention"])
gemma4 = {**rows, "head_dim": 6, "global_head_dim": 16, "sliding_window": 4, "layer_types": ["sliding_attention", "full_attention", "full_attention"], "final_logit_softcapping": 3.0}
gemma4_vision = dict(hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2, head_dim=4, patch_size=2, position_embedding_size=4)
plain = {key: text[key] for key in text if key != "num_key_value_heads"}
grouped = {key: text[key] for key in text if key != "intermediate_size"}
trocr = dict(vocab_size=31, d_model=24, decoder_layers=2, decoder_attention_heads=4, decoder_ffn_dim=40, max_position_embeddings=32, pad_token_id=0)
phi4 = {
    **text, "hidden_size": 32, "sliding_window": 4, "original_max_position_embeddings": 4, "partial_rotary_factor": 0.75, "tie_word_embeddings": True,
    "rope_parameters": {"rope_type": "longrope", "rope_theta": 1e3, "partial_rotary_factor": 0.75, "short_factor": [1.0, 1.1, 1.3], "long_factor": [1.5, 2.0, 4.0]},
    "vision_config": dict(hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, image_size=8, patch_size=4, crop_size=8),
    "audio_config": dict(hidden_size=8, intermediate_size=8, num_blocks=1, num_attention_heads=2, ext_pw_out_channel=8, depthwise_separable_out_channel=8, input_size=8, nemo_conv_channels=2, bias_max_distance=2),
}


def phi4mm(config):
    """The words of the code in Microsoft's repository."""
    rope = config.pop("rope_parameters")
    theta, share = rope.pop("rope_theta"), rope.pop("partial_rotary_factor")
    rope["type"] = rope.pop("rope_type")
    return {**config, "model_type": "phi4mm", "architectures": ["Phi4MMForCausalLM"], "rope_scaling": rope, "rope_theta": theta, "partial_rotary_factor": share, "lm_head_bias": False}


mixture = {**grouped, "head_dim": 8, "moe_intermediate_size": 6, "shared_expert_intermediate_size": 7, "num_experts_per_tok": 2}

cases = {
    "gpt-sw3": {"class": "GPT2LMHeadModel", "config": dict(vocab_size=47, n_positions=32, n_embd=24, n_layer=2, n_head=4, pad_token_id=0), "written": lambda config: {**config, "model_type": "gpt-sw3"}},
    "emu3-whole": {"class": "Emu3ForConditionalGeneration", "config": {"text_config": text, "vq_config": dict(codebook_size=4, embed_dim=2, latent_channels=2, base_channels=32, channel_multiplier=[1], num_res_blocks=1, attn_resolutions=[], hidden_size=32), "vocabulary_map": {"<image>": 30, "<|extra_200|>": 29}}},
    "fuyu": {"class": "FuyuForCausalLM", "config": {"text_config": {"model_type": "persimmon", **plain, "hidden_size": 32, "rope_theta": 25000.0}, "patch_size": 2}},
    "got_ocr2": {"class": "GotOcr2ForConditionalGeneration", "config": {"text_config": {"model_type": "qwen2", **text}, "vision_config": dict(hidden_size=8, output_channels=4, num_hidden_layers=1, num_attention_heads=2, image_size=8, patch_size=4, mlp_dim=8, window_size=2, global_attn_indexes=[0]), "image_token_index": 30}},
    "modernvbert": {"class": "ModernVBertForMaskedLM", "config": {"text_config": {"model_type": "modernbert", **text, "global_attn_every_n_layers": 2, "local_attention": 4}, "vision_config": siglip, "pixel_shuffle_factor": 1, "image_token_id": 30}},
    "modernvbert-mean": {"class": "ModernVBertForSequenceClassification", "config": {"text_config": {"model_type": "modernbert", **text, "classifier_bias": True}, "vision_config": siglip, "pixel_shuffle_factor": 1, "image_token_id": 30, "num_labels": 3, "classifier_pooling": "mean"}},
    "gemma3n": {
        "class": "Gemma3nForConditionalGeneration",
        "stream": 0,
        "config": {
            "text_config": {**rows, "head_dim": 10, "num_kv_shared_layers": 0, "layer_types": ["sliding_attention", "full_attention", "full_attention"], "sliding_window": 3, "hidden_size_per_layer_input": 5, "vocab_size_per_layer_input": 23, "laurel_rank": 3, "altup_num_inputs": 2, "final_logit_softcapping": 3.0},
            "vision_config": dict(hidden_size=4, vocab_size=2, vocab_offset=31),
            "audio_config": dict(vocab_size=2, vocab_offset=33, hidden_size=8, input_feat_size=8, conf_num_attention_heads=2, conf_num_hidden_layers=1, sscp_conv_channel_size=[2, 2]),
        },
    },
    "gemma4": {"class": "Gemma4ForConditionalGeneration", "config": {"text_config": {**gemma4, "hidden_size_per_layer_input": 5, "vocab_size_per_layer_input": 31}, "vision_config": gemma4_vision}},
    "gemma4-experts": {"class": "Gemma4ForConditionalGeneration", "config": {"text_config": {**gemma4, "num_hidden_layers": 2, "layer_types": ["sliding_attention", "full_attention"], "hidden_size_per_layer_input": 0, "enable_moe_block": True, "num_experts": 4, "top_k_experts": 2, "moe_intermediate_size": 6, "use_bidirectional_attention": "vision"}}},
    "gemma4_unified": {"class": "Gemma4UnifiedForConditionalGeneration", "config": {"text_config": {**gemma4, "attention_k_eq_v": True, "num_global_key_value_heads": 1}, "vision_config": dict(patch_size=2, pooling_kernel_size=1, mm_embed_dim=8, mm_posemb_size=4, output_proj_dims=8)}},
    "llama4": {"class": Llama4ForConditionalGeneration, "config": {"text_config": {**text, "head_dim": 8, "intermediate_size": 10, "intermediate_size_mlp": 12, "num_local_experts": 4, "interleave_moe_layer_step": 2, "no_rope_layer_interval": 2, "attention_chunk_size": 3, "floor_scale": 2, "attn_scale": 0.3}, "vision_config": dict(hidden_size=8, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2, image_size=8, patch_size=4, vision_output_dim=8, projector_input_dim=8, projector_output_dim=8)}},
    "qwen3_5": {"class": "Qwen3_5ForConditionalGeneration", "config": {"text_config": {**text, **delta, "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 1.0, "mrope_section": [2, 1, 1], "mrope_interleaved": True}}, "vision_config": qwen_vision}},
    "qwen3_5-classifier": {"class": "Qwen3_5ForSequenceClassification", "last": True, "config": {"text_config": {**text, **delta}, "vision_config": qwen_vision, "num_labels": 3}},
    "qwen3_5_moe": {"class": "Qwen3_5MoeForConditionalGeneration", "config": {"text_config": {**text, **delta, "moe_intermediate_size": 6, "shared_expert_intermediate_size": 7, "num_experts": 4, "num_experts_per_tok": 2}, "vision_config": qwen_vision}},
    "aria_text": {"class": "AriaTextForCausalLM", "config": {**text, "intermediate_size": 10, "moe_num_experts": 4, "moe_topk": 2, "moe_num_shared_experts": 1}},
    "aria": {"class": "AriaForConditionalGeneration", "config": {"text_config": {**text, "intermediate_size": 10, "moe_num_experts": 4, "moe_topk": 2, "moe_num_shared_experts": 1}, "vision_config": dict(model_type="idefics3_vision", hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, image_size=8, patch_size=4), "projector_patch_to_query_dict": {4: 2}, "image_token_index": 30}},
    "aria_text-bias": {"class": "AriaTextForCausalLM", "config": {**text, "intermediate_size": 10, "moe_num_experts": 5, "moe_topk": 3, "attention_bias": True, "mlp_bias": True, "head_dim": 8, "tie_word_embeddings": True, "rope_parameters": {"rope_type": "default", "rope_theta": 100.0}}},
    "cohere_compass_text": {"class": "CohereCompassForCausalLM", "config": {**text, "logit_scale": 0.3, "sliding_window": 3, "layer_types": ["sliding_attention", "full_attention"], "rope_parameters": {"full_attention": None, "sliding_attention": {"rope_type": "default", "rope_theta": 100.0, "mrope_section": [1, 1, 1]}}}},
    "cohere_compass_text-mean": {"class": "CohereCompassTextForSequenceClassification", "last": True, "config": {**text, "pooling": "mean", "attention_bias": True, "num_labels": 3, "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1000.0, "mrope_section": [1, 1, 1]}}}},
    "cohere_compass": {"class": "CohereCompassForConditionalGeneration", "config": {"text_config": {**text, "logit_scale": 0.3, "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 1000.0, "mrope_section": [1, 1, 1]}}}, "vision_config": {**qwen_vision, "deepstack_visual_indexes": [0]}}},
    "phi4_multimodal": {"class": "Phi4MultimodalForCausalLM", "config": phi4},
    # matrices as they stand next to the adapters that text passes by
    "phi4_multimodal-adapted": {"class": "Phi4MultimodalForCausalLM", "config": {**phi4, "sliding_window": None}, "written": phi4mm, "drop": Under("model.embed_tokens_extend"), "rename": lambda key: re.sub(r"^(model\.layers\..*_proj)\.weight$", r"\1.base_layer.weight", key)},
    "kolibri1": {"class": "Kolibri1ForCausalLM", "config": {**mixture, "num_experts": 5, "norm_topk_prob": True, "sliding_window": 3, "layer_types": ["sliding_attention", "full_attention"]}},
    "kolibri1-shares": {"class": "Kolibri1ForCausalLM", "config": {**mixture, "num_experts": 6, "num_experts_per_tok": 3, "sliding_window": 4, "layer_types": ["full_attention", "sliding_attention"], "hidden_act": "gelu", "tie_word_embeddings": True}},
    "flint": {"class": "FlintForCausalLM", "config": {**mixture, "intermediate_size": 20, "num_hidden_layers": 3, "num_experts": 4, "sliding_window": 3, "layer_types": ["full_attention", "sliding_attention", "sliding_attention"], "mlp_only_layers": [0]}},
    "flint-bias": {"class": "FlintForCausalLM", "config": {**mixture, "intermediate_size": 20, "num_experts": 4, "sliding_window": 4, "layer_types": ["sliding_attention", "full_attention"], "decoder_sparse_step": 2, "mlp_only_layers": [], "norm_topk_prob": False, "attention_bias": True}},
    "lara_mini": {"class": "LaraMiniForCausalLM", "config": {**mixture, **delta, "num_hidden_layers": 3, "num_experts": 4, "sliding_window": 3, "layer_types": ["linear_attention", "sliding_attention", "full_attention"]}},
    "lara_mini-apart": {"class": "LaraMiniForCausalLM", "original": False, "config": {**mixture, **delta, "num_experts": 4, "sliding_window": 4, "layer_types": ["linear_attention", "sliding_attention"], "norm_topk_prob": False, "attention_bias": True, "tie_word_embeddings": False}},
    "lfm3": {"class": "Lfm3ForCausalLM", "config": {**text, "num_hidden_layers": 3, "head_dim": 8, "conv_L_cache": 3, "sliding_window": 3, "layer_types": ["conv", "sliding_attention", "full_attention"]}},
    # with a bias, pads on the left are no zeros to the reference's convolution
    "lfm3-plain": {"class": "Lfm3ForCausalLM", "left": False, "config": {**text, "head_dim": 6, "conv_L_cache": 2, "conv_bias": True, "layer_types": ["full_attention", "conv"], "use_sandwich_norm": False, "use_attention_gate": False, "attention_bias": True, "tie_word_embeddings": False, "norm_eps": 1e-3, "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 100.0}}}},
    "ultravbert": {"class": "UltraVBertForMaskedLM", "config": {"text_config": {"model_type": "ultrabert", **text, "num_hidden_layers": 3, "sliding_window": 2, "prediction_head_size": 9}, "vision_config": siglip, "pixel_shuffle_factor": 1, "image_token_id": 30}},
    "ultravbert-mean": {"class": "UltraVBertForSequenceClassification", "config": {"text_config": {"model_type": "ultrabert", **text}, "vision_config": siglip, "pixel_shuffle_factor": 1, "image_token_id": 30, "num_labels": 3, "classifier_pooling": "mean"}},
    "moss_transcribe_diarize": {"class": "MossTranscribeDiarizeForConditionalGeneration", "config": {"text_config": {"model_type": "qwen3", **text, "head_dim": 8}, "audio_config": dict(num_mel_bins=4, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8, max_source_positions=4), "audio_token_id": 30}},
    "git": {"class": "GitForCausalLM", "config": {**plain, "vision_config": dict(hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, image_size=8, patch_size=4)}},
    "git-tied": {"class": "GitForCausalLM", "config": {**plain, "hidden_act": "relu", "layer_norm_eps": 1e-3, "tie_word_embeddings": True, "vision_config": dict(hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, image_size=8, patch_size=4)}},
    # the window of the config takes no part in its mask
    "moshi": {"class": "MoshiForCausalLM", "config": {**grouped, "ffn_dim": 40, "sliding_window": 3}},
    "moshi-wide": {"class": "MoshiForCausalLM", "config": {**grouped, "ffn_dim": 36, "head_dim": 8, "hidden_act": "gelu", "rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 100.0}}},
    "trocr": {"class": "TrOCRForCausalLM", "attention": "none", "positions": False, "config": {**trocr, "scale_embedding": True}},
    "trocr-plain": {"class": "TrOCRForCausalLM", "attention": "none", "positions": False, "config": {**trocr, "pad_token_id": 1, "layernorm_embedding": False, "activation_function": "relu", "tie_word_embeddings": False}},
}

for case in cases.values():
    case.setdefault("length", 6)
