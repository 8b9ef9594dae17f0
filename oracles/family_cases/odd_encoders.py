"""Encoders of encoder–decoders, and encoders with wirings of their own."""

size = dict(vocab_size=47, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40, max_position_embeddings=32)

t5 = dict(vocab_size=47, d_model=24, d_kv=6, d_ff=40, num_layers=2, num_heads=4, relative_attention_num_buckets=8, relative_attention_max_distance=6)
bart = dict(vocab_size=47, d_model=24, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=3, encoder_ffn_dim=40, decoder_ffn_dim=36, max_position_embeddings=32, pad_token_id=1, decoder_start_token_id=2)
gemma = dict(vocab_size=47, hidden_size=24, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2, head_dim=6, intermediate_size=40, max_position_embeddings=32, query_pre_attn_scalar=5, pad_token_id=0)


deberta = {**size, "relative_attention": True, "pos_att_type": "c2p|p2c", "max_relative_positions": 5, "position_biased_input": False}
conv = {**size, "num_attention_heads": 4, "head_ratio": 2, "conv_kernel_size": 3, "embedding_size": 24, "pad_token_id": 1}
mobile = dict(vocab_size=47, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=28, max_position_embeddings=32, embedding_size=12, intra_bottleneck_size=20, num_feedforward_networks=3)


xlm = dict(vocab_size=47, emb_dim=24, n_layers=2, n_heads=4, max_position_embeddings=32)
xlnet = dict(vocab_size=47, d_model=24, n_layer=2, n_head=4, d_inner=40, pad_token_id=5)


def patch_cache():
    """The library indexes its cache by layer where norms come first, which the cache no longer allows; none is needed."""
    from transformers import EncoderDecoderCache

    EncoderDecoderCache.__getitem__ = lambda self, layer: None


def encoder(cls, config, **more):
    return {"class": cls, "config": config, "part": "encoder", "positions": False, **more}


def decoder(cls, **more):
    return {"class": cls, "config": {**bart, **more}, "positions": False}


cases = {
    "umt5": encoder("UMT5EncoderModel", t5),
    "umt5-whole": encoder("UMT5ForConditionalGeneration", {**t5, "feed_forward_proj": "relu", "tie_word_embeddings": False}),
    "t5gemma": encoder("T5GemmaForConditionalGeneration", {"encoder": {**gemma, "sliding_window": 2}, "decoder": gemma, "vocab_size": 47, "pad_token_id": 0}),
    "t5gemma-classifier": {"class": "T5GemmaForSequenceClassification", "config": {"encoder": {**gemma, "sliding_window": 3, "attention_bias": True, "attn_logit_softcapping": None, "hidden_activation": "silu"}, "decoder": gemma, "vocab_size": 47, "pad_token_id": 0, "is_encoder_decoder": False, "num_labels": 3}, "last": True},
    "bart": encoder("BartForConditionalGeneration", bart),
    "bart-scaled": encoder("BartModel", {**bart, "scale_embedding": True, "activation_function": "relu"}),
    "bart-decoder": decoder("BartForCausalLM"),
    "plbart": encoder("PLBartForConditionalGeneration", bart),
    "plbart-decoder": decoder("PLBartForCausalLM"),
    "mvp": encoder("MvpForConditionalGeneration", bart),
    "mvp-decoder": decoder("MvpForCausalLM"),
    "blenderbot-small": encoder("BlenderbotSmallForConditionalGeneration", bart),
    "blenderbot-small-decoder": decoder("BlenderbotSmallForCausalLM", pad_token_id=0),
    "mbart": encoder("MBartForConditionalGeneration", {**bart, "scale_embedding": True}),
    "mbart-decoder": decoder("MBartForCausalLM", scale_embedding=True),
    "blenderbot": encoder("BlenderbotModel", {**bart, "scale_embedding": True}),
    "blenderbot-decoder": decoder("BlenderbotForCausalLM", tie_word_embeddings=False),
    "pegasus": encoder("PegasusForConditionalGeneration", {**bart, "scale_embedding": True}),
    "pegasus-decoder": decoder("PegasusForCausalLM"),
    "marian": encoder("MarianMTModel", {**bart, "scale_embedding": True, "activation_function": "swish"}),
    "marian-apart": encoder("MarianModel", {**bart, "share_encoder_decoder_embeddings": False, "decoder_vocab_size": 43}),
    "marian-decoder": decoder("MarianForCausalLM"),
    "bigbird_pegasus": encoder("BigBirdPegasusForConditionalGeneration", {**bart, "block_size": 4, "num_random_blocks": 1}),
    "bigbird_pegasus-full": encoder("BigBirdPegasusModel", {**bart, "attention_type": "original_full", "use_bias": True, "scale_embedding": False}),
    "prophetnet": encoder("ProphetNetForConditionalGeneration", dict(vocab_size=47, hidden_size=24, num_encoder_layers=2, num_decoder_layers=1, num_encoder_attention_heads=4, num_decoder_attention_heads=4, encoder_ffn_dim=40, decoder_ffn_dim=40, max_position_embeddings=32, ngram=2), float64=False),  # its mask overflows in a float64 run
    "deberta": {"class": "DebertaModel", "config": deberta},
    "deberta-masked": {"class": "DebertaForMaskedLM", "config": {**deberta, "pos_att_type": ["p2c"], "type_vocab_size": 2, "position_biased_input": True, "max_relative_positions": -1}},
    "deberta-classifier": {"class": "DebertaForSequenceClassification", "config": {**deberta, "pos_att_type": "c2p", "num_labels": 3, "pooler_hidden_act": "tanh"}},
    "deberta-plain": {"class": "DebertaForMaskedLM", "config": {**size, "legacy": False, "pos_att_type": "c2p", "hidden_act": "relu"}},
    "convbert": {"class": "ConvBertModel", "config": conv},
    "convbert-grouped": {"class": "ConvBertForMaskedLM", "config": {**conv, "num_groups": 2, "embedding_size": 14, "conv_kernel_size": 5, "head_ratio": 1, "num_attention_heads": 3}},
    "convbert-classifier": {"class": "ConvBertForSequenceClassification", "config": {**conv, "head_ratio": 8, "num_labels": 3, "hidden_act": "relu"}},
    "roformer": {"class": "RoFormerModel", "config": size, "positions": False, "drop": ["encoder.embed_positions.weight"]},
    "roformer-masked": {"class": "RoFormerForMaskedLM", "config": {**size, "rotary_value": True, "embedding_size": 18}, "positions": False, "drop": ["roformer.encoder.embed_positions.weight"]},
    "roformer-causal": {"class": "RoFormerForCausalLM", "config": {**size, "is_decoder": True}, "positions": False, "drop": ["roformer.encoder.embed_positions.weight"]},
    "roformer-classifier": {"class": "RoFormerForSequenceClassification", "config": {**size, "num_labels": 3, "hidden_act": "relu"}, "positions": False, "drop": ["roformer.encoder.embed_positions.weight"]},
    "big_bird": {"class": "BigBirdModel", "config": {**size, "block_size": 4, "num_random_blocks": 1}},
    "big_bird-masked": {"class": "BigBirdForMaskedLM", "config": {**size, "attention_type": "original_full", "use_bias": False, "rescale_embeddings": True}},
    "big_bird-classifier": {"class": "BigBirdForSequenceClassification", "config": {**size, "num_labels": 3, "hidden_act": "relu"}},
    "squeezebert": {"class": "SqueezeBertModel", "config": {**size, "embedding_size": 24, "layer_norm_eps": 1e-2}},
    "squeezebert-masked": {"class": "SqueezeBertForMaskedLM", "config": {**size, "embedding_size": 24, "q_groups": 1, "k_groups": 2, "v_groups": 3, "post_attention_groups": 2, "intermediate_groups": 1, "output_groups": 8}},
    "mobilebert": {"class": "MobileBertModel", "config": mobile},
    "mobilebert-masked": {"class": "MobileBertForMaskedLM", "config": {**mobile, "use_bottleneck_attention": True, "trigram_input": False, "normalization_type": "layer_norm", "layer_norm_eps": 1e-2, "num_feedforward_networks": 1, "num_hidden_layers": 1}},
    "mobilebert-classifier": {"class": "MobileBertForSequenceClassification", "config": {**mobile, "use_bottleneck": False, "intra_bottleneck_size": 32, "num_labels": 3, "classifier_activation": False, "num_hidden_layers": 1, "normalization_type": "layer_norm", "hidden_act": "gelu"}},
    "longformer": {"class": "LongformerModel", "config": {**size, "attention_window": [4, 8], "pad_token_id": 1}},
    "longformer-masked": {"class": "LongformerForMaskedLM", "config": {**size, "attention_window": 4, "pad_token_id": 1, "type_vocab_size": 1}},
    "nystromformer": {"class": "NystromformerModel", "config": {**size, "conv_kernel_size": 3, "pad_token_id": 1}, "positions": False},
    "nystromformer-masked": {"class": "NystromformerForMaskedLM", "config": {**size, "conv_kernel_size": 9, "hidden_act": "relu"}, "positions": False},
    "nystromformer-classifier": {"class": "NystromformerForSequenceClassification", "config": {**size, "conv_kernel_size": 5, "num_landmarks": 7, "segment_means_seq_len": 7, "num_labels": 3}, "positions": False},
    "fnet": {"class": "FNetModel", "config": {k: v for k, v in size.items() if k != "num_attention_heads"}},
    "fnet-masked": {"class": "FNetForMaskedLM", "config": {**size, "type_vocab_size": 2, "hidden_act": "relu"}},
    "fnet-classifier": {"class": "FNetForSequenceClassification", "config": {**size, "num_labels": 3}},
    "xlm": {"class": "XLMModel", "config": xlm},
    "xlm-masked": {"class": "XLMWithLMHeadModel", "config": {**xlm, "gelu_activation": False, "sinusoidal_embeddings": True, "n_langs": 3}},
    "xlm-causal": {"class": "XLMWithLMHeadModel", "config": {**xlm, "causal": True}, "left": False},  # padded on the left, the reference looks at pads
    "xlm-classifier": {"class": "XLMForSequenceClassification", "config": {**xlm, "num_labels": 3, "summary_activation": "tanh"}},
    "flaubert": {"class": "FlaubertModel", "config": xlm},
    "xlnet": {"class": "XLNetModel", "config": xlnet, "positions": False, "types": True},
    "xlnet-clamped": {"class": "XLNetLMHeadModel", "config": {**xlnet, "clamp_len": 3, "ff_activation": "relu"}, "positions": False},
    "flaubert-pre": {"class": "FlaubertWithLMHeadModel", "config": {**xlm, "pre_norm": True}, "prepare": lambda model: patch_cache()},
    "t5gemma2": encoder("T5Gemma2Model", {"encoder": {"text_config": {**gemma, "sliding_window": 4, "layer_types": ["sliding_attention", "full_attention", "sliding_attention"]}, "vision_config": {"model_type": "siglip_vision_model", "hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "image_size": 8, "patch_size": 4}, "eoi_token_index": 9, "mm_tokens_per_image": 1}, "decoder": gemma, "image_token_index": 46}),
    "xlnet-plain": {"class": "XLNetLMHeadModel", "config": xlnet, "positions": False},
}
