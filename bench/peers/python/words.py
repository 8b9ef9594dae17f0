"""bm25s' turn in `bm25`, and sentence-transformers' in `sparse`: a corpus is taken in and searched, each document once.

    words.py --texts FILE [--model FOLDER] [--backend numpy|numba] [--threads 2]

Without --model: bm25s 0.3.16 with PyStemmer. With it: SparseEncoder of sentence-transformers 6.2 and its similarity.
"""
import argparse
import json
import os
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
parser = argparse.ArgumentParser()
parser.add_argument("--texts", required=True)
parser.add_argument("--model")
parser.add_argument("--backend", default="numpy")
parser.add_argument("--threads", type=int, default=2)
options = parser.parse_args()

with open(options.texts, encoding="utf-8") as file:
    texts = json.load(file)
queries, documents = texts["queries"], texts["documents"]

if options.model is None:
    import bm25s
    import Stemmer

    started = time.perf_counter()
    stemmer = Stemmer.Stemmer("english")
    words = bm25s.tokenize(documents, stopwords="en", stemmer=stemmer, show_progress=False)
    index = bm25s.BM25(k1=1.5, b=0.75, backend=options.backend)
    index.index(words, show_progress=False)
    asked = bm25s.tokenize(queries, stopwords="en", stemmer=stemmer, show_progress=False)
    _, scores = index.retrieve(asked, k=1, show_progress=False)
    best = scores[:, 0].tolist()
else:
    import torch
    from sentence_transformers import SparseEncoder

    torch.set_num_threads(options.threads)
    model = SparseEncoder(options.model, device="cpu")
    started = time.perf_counter()
    asked = model.encode_query(queries, show_progress_bar=False)
    found = model.encode_document(documents, show_progress_bar=False)
    best = model.similarity(asked, found).max(dim=1).values.tolist()
print(json.dumps({"seconds": time.perf_counter() - started, "best": best[:8]}))
