"""Encoders of documents, and encoders whose inner states are shorter than the text."""

size = dict(vocab_size=47, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40, max_position_embeddings=32)
lilt = {**size, "pad_token_id": 1, "channel_shrink_ratio": 2, "max_2d_position_embeddings": 9}

cases = {
    "lilt": {"class": "LiltModel", "config": lilt},
    "lilt-classifier": {"class": "LiltForSequenceClassification", "config": {**lilt, "num_attention_heads": 2, "channel_shrink_ratio": 4, "hidden_act": "relu", "layer_norm_eps": 1e-3, "type_vocab_size": 1, "num_labels": 3}},
}
