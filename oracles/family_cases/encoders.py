"""Encoders: BERT and what came of it."""

size = dict(vocab_size=47, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40, max_position_embeddings=32)

cases = {
    "bert": {"class": "BertModel", "config": size},
}
