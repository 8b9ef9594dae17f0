"""test/experiment/write/golden/distil, tables of model2vec: pip install "model2vec[distill]==0.10.0" torch; python oracles/distil.py

Float32 weights, as transformers 5 would otherwise compute in the type of the file. Every seventh row is kept.
"""

import json
import os

import torch
from model2vec.distill import distill_from_model
from transformers import AutoModel, AutoTokenizer

root = os.path.join(os.path.dirname(__file__), "..")
shared = os.environ.get("STRATA_SHARED", os.path.join(root, "..", "shared"))
words = ["guitar", "New York", "the", "", "xylophonists", "xylophonists", "unaffable"]
sentence = os.path.join(shared, "models", "pico", "sentence-transformers")
cases = {
    "stories260K": (os.path.join(root, "assets", "models", "stories260K"), {"pca_dims": 16, "vocabulary": words}),
    "stories260K-last": (os.path.join(root, "assets", "models", "stories260K"), {"pca_dims": 0.9, "pooling": "last", "sif_coefficient": None}),
    "mean-normalize": (os.path.join(sentence, "mean-normalize"), {"pca_dims": 16, "vocabulary": words}),
    "stories260K-shared": (os.path.join(root, "assets", "models", "stories260K"), {"pca_dims": 16, "vocabulary": words, "vocabulary_quantization": 60}),
    "lasttoken-qwen2": (os.path.join(sentence, "lasttoken-qwen2"), {"pca_dims": "auto", "vocabulary": words}),
    "pooler": (os.path.join(sentence, "mean-normalize"), {"pca_dims": None, "pooling": "pooler", "quantize_to": "int8"}),
    "first": (os.path.join(sentence, "mean-normalize"), {"pca_dims": 8, "pooling": "first", "quantize_to": "float16"}),
}


def inertia(path, options, rows):
    """Squared distances of the tokens' vectors to the mean of those that share their row, summed: which rows those are is chance to the last place."""
    plain = {"quantize_to": "float32", "pca_dims": None, "sif_coefficient": None, "vocabulary": options["vocabulary"]}
    vectors = distill_from_model(AutoModel.from_pretrained(path, dtype=torch.float32), AutoTokenizer.from_pretrained(path), **plain).embedding.astype(float)
    return sum(float(((vectors[rows == k] - vectors[rows == k].mean(0)) ** 2).sum()) for k in set(rows.tolist()))


for name, (path, options) in cases.items():
    model = AutoModel.from_pretrained(path, dtype=torch.float32)
    table = distill_from_model(model, AutoTokenizer.from_pretrained(path), **{"quantize_to": "float32", **options})
    file = json.loads(table.tokenizer.to_str())
    vocabulary = file["model"]["vocab"]
    golden = {
        "options": options,
        "shape": list(table.embedding.shape),
        "added_tokens": file["added_tokens"],
        "last_tokens": sorted(vocabulary, key=vocabulary.get)[-12:],
        "merges": [list(m) for m in file["model"].get("merges", [])[-12:]],
        "every": 7,
        **({} if table.weights is None else {"weights": table.weights[::7].tolist(), "inertia": inertia(path, options, table.token_mapping)}),
        "rows": [] if table.weights is not None else [[float(f"{x:.7g}") for x in row] for row in table.embedding[::7].astype(float).tolist()],
    }
    with open(os.path.join(root, "test", "experiment", "write", "golden", "distil", f"{name}.json"), "w") as out:
        json.dump(golden, out, ensure_ascii=False)
        out.write("\n")
