"""The others' turns in `search`: sentence_transformers.util.semantic_search with its own chunk sizes over a mapped file, or faiss.IndexFlatIP.

    search.py --program semantic_search|faiss --queries q.npy --corpus c.npy --depth 1000

Rows of both files have length 1: semantic_search compares by cosine (its default), faiss by inner product. Prints the 10 best of each query as one line of JSON.
"""
import argparse
import json
import time

parser = argparse.ArgumentParser()
parser.add_argument("--program", choices=["semantic_search", "faiss"], required=True)
parser.add_argument("--queries", required=True)
parser.add_argument("--corpus", required=True)
parser.add_argument("--depth", type=int, default=1000)
options = parser.parse_args()

import numpy as np  # noqa: E402

started = time.perf_counter()
if options.program == "semantic_search":
    import sentence_transformers
    from sentence_transformers.util import semantic_search

    # Copy on write, since torch wants arrays that could be written.
    queries, corpus = np.load(options.queries), np.load(options.corpus, mmap_mode="c")
    load_seconds = time.perf_counter() - started
    started = time.perf_counter()
    found = semantic_search(queries, corpus, top_k=options.depth)
    search_seconds = time.perf_counter() - started
    counts = [len(hits) for hits in found]
    ids = [[hit["corpus_id"] for hit in hits[:10]] for hits in found]
    scores = [[hit["score"] for hit in hits[:10]] for hits in found]
    versions = {"sentence-transformers": sentence_transformers.__version__}
else:
    import faiss

    queries, corpus = np.load(options.queries), np.load(options.corpus, mmap_mode="r")
    index = faiss.IndexFlatIP(corpus.shape[1])
    # In pieces: a whole mapped file would count twice, once as pages and once as the index.
    for start in range(0, len(corpus), 65536):
        index.add(np.ascontiguousarray(corpus[start : start + 65536]))
    load_seconds = time.perf_counter() - started
    started = time.perf_counter()
    values, rows = index.search(queries, min(options.depth, len(corpus)))
    search_seconds = time.perf_counter() - started
    counts = (rows >= 0).sum(axis=1).tolist()
    ids, scores = rows[:, :10].tolist(), values[:, :10].astype(float).tolist()
    versions = {"faiss-cpu": faiss.__version__}
print(json.dumps({"loadSeconds": load_seconds, "searchSeconds": search_seconds, "found": counts, "ids": ids, "scores": scores, "versions": versions}))
