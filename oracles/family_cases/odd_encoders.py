"""Encoders of encoder–decoders, and encoders with wirings of their own."""

size = dict(vocab_size=47, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40, max_position_embeddings=32)

t5 = dict(vocab_size=47, d_model=24, d_kv=6, d_ff=40, num_layers=2, num_heads=4, relative_attention_num_buckets=8, relative_attention_max_distance=6)
bart = dict(vocab_size=47, d_model=24, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=3, encoder_ffn_dim=40, decoder_ffn_dim=36, max_position_embeddings=32, pad_token_id=1, decoder_start_token_id=2)
gemma = dict(vocab_size=47, hidden_size=24, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2, head_dim=6, intermediate_size=40, max_position_embeddings=32, query_pre_attn_scalar=5, pad_token_id=0)


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
}
