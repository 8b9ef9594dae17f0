"""Vectors of static tables by model2vec itself: test/model/static/golden/static.json. Run with the shared folder as argument (model2vec 0.7.0)."""
import json
import sys
from pathlib import Path

import model2vec
from model2vec import StaticModel

shared = Path(sys.argv[1])
# A text is a list of pieces and how often each stands.
texts = [
    [["A man is playing a guitar.", 1]],
    [],
    [["qqzzx qqzzy", 1]],
    [["Ünïcödé, 日本語 and 😀!", 1]],
    [["[UNK] the [CLS] cat", 1]],
    [["z9 ", 600], ["guitar music", 1]],
    [["x", 5000]],
    [["😀 ", 1000], ["word ", 2000]],
    [["cat dog ", 400], ["guitar ", 400]],
]
models = {}
for name in ["potion-base-4M-int8", "glove-6B-100d-30k"]:
    # As they are: NumPy computes in the table’s own precision, float16 for GloVe.
    model = StaticModel.from_pretrained(str(shared / "models" / name))
    # One by one: an empty text brings float64 zeros, and with them float64 arithmetic for the whole batch.
    vectors = [model.encode(["".join(piece * times for piece, times in text)])[0] for text in texts]
    models[name] = [[float(x) for x in row[:8]] + [float(row.astype('float64').sum())] for row in vectors]
out = {"source": f"model2vec {model2vec.__version__}", "texts": texts, "models": models}
print(json.dumps(out, ensure_ascii=False))
