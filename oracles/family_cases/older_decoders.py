"""Decoders before LLaMA, and what reads text inside models of several towers."""

gpt = dict(vocab_size=47, n_positions=32, n_embd=24, n_layer=2, n_head=4, pad_token_id=0)
size = dict(vocab_size=47, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40, max_position_embeddings=32, pad_token_id=0)
mpt = dict(vocab_size=47, d_model=24, n_layers=2, n_heads=4, max_seq_len=32, pad_token_id=0)
xglm = dict(vocab_size=47, d_model=24, num_layers=2, attention_heads=4, ffn_dim=40, max_position_embeddings=32)
japanese = dict(vocab_size=47, hidden_size=24, num_hidden_layers=3, num_attention_heads=4, intermediate_multiple_size=2, max_position_embeddings=32, pad_token_id=0)

text = dict(vocab_size=47, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=40, max_position_embeddings=32, pad_token_id=0)
clip = dict(model_type="clip_vision_model", hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, image_size=8, patch_size=4, projection_dim=8)
siglip = dict(model_type="siglip_vision_model", hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, image_size=8, patch_size=4)
qwen_vision = dict(depth=1, hidden_size=24, intermediate_size=8, out_hidden_size=24, num_heads=2, patch_size=2, spatial_merge_size=1, num_position_embeddings=4, deepstack_visual_indexes=[0])


def draw_last_bias(model):
    """The bias after the last attention starts as zeros, and would stay untested."""
    model.gpt_neox_japanese.layers[-1].attention.dense_bias.data.fill_(0.3)


cases = {
    "openai-gpt": {"class": "OpenAIGPTLMHeadModel", "config": gpt},
    "openai-gpt-relu-classifier": {"class": "OpenAIGPTForSequenceClassification", "last": True, "config": {**gpt, "afn": "relu", "num_labels": 3}},
    "ctrl": {"class": "CTRLLMHeadModel", "config": {**gpt, "dff": 40, "layer_norm_epsilon": 1e-6}},
    "ctrl-classifier": {"class": "CTRLForSequenceClassification", "last": True, "config": {**gpt, "dff": 40, "num_labels": 3}},
    # eager attention of this class is float32 in every precision
    "codegen": {"class": "CodeGenForCausalLM", "attention": "sdpa", "pad": 0, "config": {**gpt, "rotary_dim": 4, "n_inner": 36}},
    "codegen-three-heads": {"class": "CodeGenForCausalLM", "attention": "sdpa", "pad": 0, "config": {**gpt, "n_head": 3, "rotary_dim": 8, "activation_function": "relu"}},
    "gpt_bigcode": {"class": "GPTBigCodeForCausalLM", "config": gpt},
    "gpt_bigcode-by-head": {"class": "GPTBigCodeForCausalLM", "config": {**gpt, "multi_query": False, "scale_attn_weights": False, "n_inner": 40, "activation_function": "gelu"}},
    "gpt_bigcode-classifier": {"class": "GPTBigCodeForSequenceClassification", "last": True, "config": {**gpt, "num_labels": 3}},
    # scores are made float32 on the way to softmax, which turns the mask of a float64 run into −∞
    "mpt": {"class": "MptForCausalLM", "attention": "none", "float64": False, "positions": False, "config": mpt},
    "mpt-clipped": {"class": "MptForCausalLM", "attention": "none", "float64": False, "positions": False, "config": {**mpt, "n_heads": 6, "tie_word_embeddings": False, "attn_config": {"clip_qkv": 0.4, "softmax_scale": 0.7}}},
    "mpt-classifier": {"class": "MptForSequenceClassification", "attention": "none", "float64": False, "positions": False, "last": True, "config": {**mpt, "num_labels": 3}},
    # the class cannot run in float64 either
    "xglm": {"class": "XGLMForCausalLM", "attention": "none", "float64": False, "config": {**xglm, "pad_token_id": 0}},
    "xglm-zero-row": {"class": "XGLMForCausalLM", "attention": "none", "float64": False, "config": {**xglm, "pad_token_id": 4, "scale_embedding": False, "activation_function": "relu"}},
    "biogpt": {"class": "BioGptForCausalLM", "config": size},
    "biogpt-classifier": {"class": "BioGptForSequenceClassification", "last": True, "config": {**size, "scale_embedding": False, "hidden_act": "relu", "num_labels": 3}},
    "gpt_neox_japanese": {"class": "GPTNeoXJapaneseForCausalLM", "attention": "none", "prepare": draw_last_bias, "config": japanese},
    "gpt_neox_japanese-partial": {"class": "GPTNeoXJapaneseForCausalLM", "attention": "none", "prepare": draw_last_bias, "config": {**japanese, "rotary_pct": 0.67, "rotary_emb_base": 500, "hidden_act": "relu"}},
    "llava": {"class": "LlavaForConditionalGeneration", "config": {"text_config": {"model_type": "llama", **text}, "vision_config": clip, "image_token_index": 46}},
    "llava-next-mistral": {"class": "LlavaNextForConditionalGeneration", "config": {"text_config": {"model_type": "mistral", "sliding_window": 3, **text}, "vision_config": clip, "image_token_index": 46, "tie_word_embeddings": True}},
    "gemma3": {"class": "Gemma3ForConditionalGeneration", "config": {"text_config": {**text, "head_dim": 8, "sliding_window": 3, "sliding_window_pattern": 2}, "vision_config": siglip, "image_token_index": 46, "mm_tokens_per_image": 1}},
    "gemma3-classifier": {"class": "Gemma3ForSequenceClassification", "last": True, "config": {"text_config": {**text, "head_dim": 8, "sliding_window": 3, "sliding_window_pattern": 2}, "vision_config": siglip, "image_token_index": 46, "mm_tokens_per_image": 1, "num_labels": 3}},
    "qwen2_vl": {"class": "Qwen2VLForConditionalGeneration", "config": {"text_config": {**text, "rope_scaling": {"type": "mrope", "mrope_section": [1, 1, 1]}, "use_sliding_window": True, "sliding_window": 3, "max_window_layers": 1}, "vision_config": {**qwen_vision, "embed_dim": 8, "mlp_ratio": 1}}},
    "qwen2_5_vl": {"class": "Qwen2_5_VLForConditionalGeneration", "config": {"text_config": {**text, "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 1]}}, "tie_word_embeddings": True, "vision_config": {**qwen_vision, "hidden_size": 8}}},
    "qwen3_vl": {"class": "Qwen3VLForConditionalGeneration", "config": {"text_config": {**text, "head_dim": 8, "rope_parameters": {"rope_type": "default", "mrope_section": [2, 1, 1], "mrope_interleaved": True}}, "vision_config": {**qwen_vision, "hidden_size": 8}}},
    "mllama": {"class": "MllamaForConditionalGeneration", "config": {"text_config": {**text, "num_hidden_layers": 4, "cross_attention_layers": [1, 3]}, "vision_config": dict(hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_global_layers=1, attention_heads=2, image_size=8, patch_size=4, vision_output_dim=16, intermediate_layers_indices=[0], max_num_tiles=4)}},
    "emu3": {"class": "Emu3ForCausalLM", "config": text},
}
