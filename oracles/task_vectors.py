"""Cosines of task vectors by NumPy, in float64: python oracles/task_vectors.py > test/model/merge/golden/task-vectors.json

A seeded ancestor and three classifiers made of it, in the types that checkpoints have; the head and the buffer of
positions take no part. Tensors are drawn in the order of the file, model by model, by RandomState(seed).random_sample.
"""
import json, sys
import numpy as np
from importlib.metadata import version

config = {"model_type": "xlm-roberta", "architectures": ["XLMRobertaForSequenceClassification"]}
layer = "roberta.encoder.layer.0."
tensors = {
    "roberta.embeddings.word_embeddings.weight": [13, 6],
    "roberta.embeddings.position_embeddings.weight": [9, 6],
    "roberta.embeddings.LayerNorm.weight": [6],
    layer + "attention.self.query.weight": [6, 6],
    layer + "attention.self.query.bias": [6],
    layer + "output.dense.weight": [6, 11],
    "classifier.dense.weight": [6, 6],
    "classifier.dense.bias": [6],
    "classifier.out_proj.weight": [3, 6],
    "classifier.out_proj.bias": [3],
}
dtypes = ["F32", "F16", "F32", "F64"]
numpy_types = {"F16": np.float16, "F32": np.float32, "F64": np.float64}
seed = 7


def body(model):
    return np.concatenate([v.astype(np.float64).ravel() for k, v in model.items() if not k.startswith("classifier.")])


draws = np.random.RandomState(seed)
models = [
    {name: (draws.random_sample(shape) - 0.5).astype(np.float32).astype(numpy_types[dtype]) for name, shape in tensors.items()}
    for dtype in dtypes
]
base, *tuned = [body(model) for model in models]
vectors = [vector - base for vector in tuned]
cosine = lambda a, b: float(a @ b / np.sqrt((a @ a) * (b @ b)))
json.dump({
    "made_with": {"numpy": version("numpy")},
    "config": config, "seed": seed, "tensors": list(tensors.items()), "dtypes": dtypes,
    "cosines": [[cosine(a, b) for b in vectors] for a in vectors],
}, sys.stdout, separators=(",", ":"))
