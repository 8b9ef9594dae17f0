"""Dense decoders."""

size = dict(vocab_size=47, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40, max_position_embeddings=32)

cases = {
    "llama": {"class": "LlamaForCausalLM", "config": {**size, "num_key_value_heads": 2, "pad_token_id": 0}},
}
