"""A library's turn in `maxsim`: a corpus is encoded token by token, and every query scored against all of it.

    maxsim.py --texts FILE --model FOLDER [--library sentence-transformers|pylate] [--batch 32] [--threads 2]

MultiVectorEncoder of sentence-transformers 6.2 and its similarity, or ColBERT of pylate 1.6 and its scores.
"""
import argparse
import json
import os
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
parser = argparse.ArgumentParser()
parser.add_argument("--texts", required=True)
parser.add_argument("--model", required=True)
parser.add_argument("--library", choices=["sentence-transformers", "pylate"], default="sentence-transformers")
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--threads", type=int, default=2)
options = parser.parse_args()

with open(options.texts, encoding="utf-8") as file:
    texts = json.load(file)
queries, documents = texts["queries"], texts["documents"]

import torch  # noqa: E402

torch.set_num_threads(options.threads)
how = {"batch_size": options.batch, "show_progress_bar": False}


def by_sentence_transformers():
    from sentence_transformers import MultiVectorEncoder

    model = MultiVectorEncoder(options.model, device="cpu")
    started = time.perf_counter()
    asked = model.encode_query(queries, **how)
    found = model.encode_document(documents, **how)
    return started, model.similarity(asked, found)


def by_pylate():
    from pylate import models
    from pylate.scores import colbert_scores

    model = models.ColBERT(options.model, device="cpu")
    started = time.perf_counter()
    asked = torch.stack(list(model.encode(queries, is_query=True, convert_to_tensor=True, **how)))
    found = model.encode(documents, is_query=False, convert_to_tensor=True, **how)
    # as its own rank.rerank pads: a block of documents at a time, whose products fit in memory
    scores = []
    for start in range(0, len(found), options.batch):
        own = list(found[start : start + options.batch])
        mask = torch.nn.utils.rnn.pad_sequence([torch.ones(len(d)) for d in own], batch_first=True)
        scores.append(colbert_scores(asked, torch.nn.utils.rnn.pad_sequence(own, batch_first=True), documents_mask=mask))
    return started, torch.cat(scores, dim=1)


with torch.no_grad():
    started, scores = by_pylate() if options.library == "pylate" else by_sentence_transformers()
    best = scores.max(dim=1).values.tolist()
print(json.dumps({"seconds": time.perf_counter() - started, "best": best}))
