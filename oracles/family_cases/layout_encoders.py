"""Encoders of documents, and encoders whose inner states are shorter than the text."""

size = dict(vocab_size=47, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40, max_position_embeddings=32)
lilt = {**size, "pad_token_id": 1, "channel_shrink_ratio": 2, "max_2d_position_embeddings": 9}

# Rows are joined inside these, pads among them, and the first column stands apart: padded on the right alone. With a
# pad_token_id the library makes that row of Funnel’s table zeros while it loads.
funnel = dict(vocab_size=47, d_model=24, n_head=4, d_head=6, d_inner=40, block_sizes=[2, 1, 2], num_decoder_layers=2)
canine = {**size, "vocab_size": 60000, "num_hash_functions": 4, "num_hash_buckets": 37, "local_transformer_stride": 3, "downsampling_rate": 2, "upsampling_kernel_size": 4, "type_vocab_size": 3}

v3 = {**size, "max_2d_position_embeddings": 9, "coordinate_size": 5, "shape_size": 2, "rel_pos_bins": 8, "max_rel_pos": 8, "rel_2d_pos_bins": 8, "input_size": 8, "patch_size": 4}
markup = {**size, "max_xpath_tag_unit_embeddings": 7, "max_xpath_subs_unit_embeddings": 9, "tag_pad_id": 5, "subs_pad_id": 6, "xpath_unit_hidden_size": 5, "max_depth": 3, "pad_token_id": 0}

experts = dict(vocab_size=47, hidden_size=24, num_attention_heads=4, num_key_value_heads=2, head_dim=8, intermediate_size=40, layers_block_type=["mamba", "moe", "attention", "moe"], mamba_num_heads=4, mamba_head_dim=10, n_groups=2, ssm_state_size=5, conv_kernel=3, chunk_size=4, max_position_embeddings=32, pad_token_id=0, n_routed_experts=6, num_experts_per_tok=2, moe_intermediate_size=10, moe_shared_expert_intermediate_size=18)

gemma4 = dict(vocab_size=31, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, head_dim=6, global_head_dim=16, sliding_window=4, intermediate_size=28, hidden_size_per_layer_input=5, vocab_size_per_layer_input=31, max_position_embeddings=32, pad_token_id=0, layer_types=["sliding_attention", "full_attention"], enable_moe_block=True, num_experts=5, top_k_experts=2, moe_intermediate_size=11)


def short(cls, config, **more):
    return {"class": cls, "config": config, "positions": False, "left": False, **more}


cases = {
    "lilt": {"class": "LiltModel", "config": lilt},
    "funnel": short("FunnelModel", funnel, types=True),
    "funnel-masked": short("FunnelForMaskedLM", {**funnel, "separate_cls": False, "block_sizes": [1, 1, 1, 1], "block_repeats": [2, 1, 2, 1], "num_decoder_layers": 1, "hidden_act": "relu", "n_head": 3, "d_head": 5, "layer_norm_eps": 1e-3}, types=True),
    "funnel-whole": short("FunnelModel", {**funnel, "truncate_seq": False, "pool_q_only": False, "pooling_type": "max", "attention_type": "factorized", "num_decoder_layers": 0}),
    "funnel-factorized": short("FunnelModel", {**funnel, "attention_type": "factorized", "block_sizes": [1, 2], "block_repeats": [1, 2]}, types=True, length=8),
    "funnel-maximum": short("FunnelModel", {**funnel, "pooling_type": "max", "truncate_seq": False, "block_sizes": [1, 1], "num_decoder_layers": 1}, length=6),
    "funnel-one": short("FunnelModel", {**funnel, "block_sizes": [2], "num_decoder_layers": 1}),
    "funnel-base": short("FunnelBaseModel", funnel),
    "funnel-classifier": short("FunnelForSequenceClassification", {**funnel, "num_labels": 3, "pool_q_only": False}, types=True),
    # the mask of chunks overflows in a float64 run
    "canine": short("CanineModel", canine, types=True, float64=False),
    "canine-classifier": short("CanineForSequenceClassification", {**canine, "num_labels": 3, "num_hash_functions": 8, "downsampling_rate": 3, "upsampling_kernel_size": 3, "local_transformer_stride": 128, "hidden_act": "relu", "layer_norm_eps": 1e-3}, float64=False),
    "layoutlmv3": {"class": "LayoutLMv3Model", "config": v3},
    "layoutlmv3-classifier": {"class": "LayoutLMv3ForSequenceClassification", "config": {**v3, "has_spatial_attention_bias": False, "visual_embed": False, "num_labels": 3, "rel_pos_bins": 4, "max_rel_pos": 5, "hidden_act": "relu"}},
    "layoutlmv3-plain": {"class": "LayoutLMv3Model", "config": {**v3, "has_relative_attention_bias": False, "layer_norm_eps": 1e-3, "pad_token_id": 2}},
    "markuplm": {"class": "MarkupLMModel", "config": markup},
    "markuplm-classifier": {"class": "MarkupLMForSequenceClassification", "config": {**markup, "tag_pad_id": 2, "subs_pad_id": 0, "max_depth": 2, "num_labels": 3, "pad_token_id": 1, "hidden_act": "relu"}},
    "nemotron_h-experts": {"class": "NemotronHForCausalLM", "config": {**experts, "moe_latent_size": 14, "n_group": 2, "topk_group": 1, "routed_scaling_factor": 1.5, "mlp_bias": True}},
    "nemotron_h-experts-plain": {"class": "NemotronHForCausalLM", "config": {**experts, "norm_topk_prob": False, "mlp_hidden_act": "silu", "layers_block_type": ["moe", "mlp", "attention"]}},
    "gemma4_text-experts": {"class": "Gemma4ForCausalLM", "config": gemma4},
    "gemma4_text-experts-all": {"class": "Gemma4ForCausalLM", "config": {**gemma4, "use_bidirectional_attention": "all", "hidden_size_per_layer_input": 0, "top_k_experts": 1, "hidden_activation": "silu"}},
    "lilt-classifier": {"class": "LiltForSequenceClassification", "config": {**lilt, "num_attention_heads": 2, "channel_shrink_ratio": 4, "hidden_act": "relu", "layer_norm_eps": 1e-3, "type_vocab_size": 1, "num_labels": 3}},
}
