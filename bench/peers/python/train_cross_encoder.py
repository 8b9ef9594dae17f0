"""A trained cross-encoder where none can be fetched: all-MiniLM-L6-v2, taught which abstract a sentence was taken from.

pip install sentence-transformers==6.2.0 torch==2.15.0 bm25s==0.3.16
python bench/peers/python/train_cross_encoder.py OUT     writes a folder as CrossEncoder.save_pretrained does

The inverse cloze task (Lee et al. 2019, section 3.1): a sentence of an abstract of SciFact's corpus is the query, the
document without it (with it in one case of five) is relevant, three others among BM25's first twenty for the sentence
are not. No claim and no judgement of the task is read, so the model is as new to the 300 queries as BM25 is; the
documents it has seen. Cross-entropy over the four, AdamW, one pass, seed 0, matrices in bfloat16.
"""

import gzip
import json
import os
import random
import re
import sys
import time
from pathlib import Path

import bm25s
import torch
from sentence_transformers import CrossEncoder

SHARED = Path(os.environ.get("STRATA_SHARED", Path(__file__).parents[4] / "shared"))
QUERIES, TOKENS, GROUPS, RATE = 5000, 224, 8, 5e-5


def corpus():
    with gzip.open(SHARED / "data/scifact/corpus.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    return [(row["title"].strip(), row["text"].strip()) for row in rows if row["title"].strip() and row["text"].strip()]


def sentences(text):
    return [part for part in re.split(r"(?<=[.?!])\s+(?=[A-Z])", text) if 8 <= len(part.split()) <= 50]


def groups(rows, rng):
    """A query and four documents each, the relevant one first."""
    documents = [f"{title} {text}" for title, text in rows]
    index = bm25s.BM25()
    index.index(bm25s.tokenize(documents, stopwords="en", show_progress=False), show_progress=False)
    places = [place for place, (_, text) in enumerate(rows) if len(sentences(text)) >= 3]
    chosen = rng.sample(places, min(QUERIES, len(places)))
    queries = [rng.choice(sentences(rows[place][1])) for place in chosen]
    tokens = bm25s.tokenize(queries, stopwords="en", show_progress=False)
    found, _ = index.retrieve(tokens, k=20, show_progress=False)
    for place, query, candidates in zip(chosen, queries, found):
        others = [int(other) for other in candidates if other != place]
        relevant = documents[place] if rng.random() < 0.2 else documents[place].replace(query, "")
        yield query, [relevant, *(documents[other] for other in rng.sample(others, 3))]


def main(out):
    rng = random.Random(0)
    torch.manual_seed(0)
    encoder = CrossEncoder(str(SHARED / "models/all-MiniLM-L6-v2"), num_labels=1, device="cpu", max_length=512)
    model, tokenizer = encoder.model.float(), encoder.tokenizer
    examples = list(groups(corpus(), rng))
    steps = len(examples) // GROUPS
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    warm = steps // 10
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm, max(0.0, (steps - step) / (steps - warm)))
    )
    model.train()
    begun, mean = time.time(), None
    for step in range(steps):
        batch = examples[step * GROUPS : (step + 1) * GROUPS]
        inputs = tokenizer(
            [query for query, documents in batch for _ in documents],
            [document for _, documents in batch for document in documents],
            padding=True,
            truncation="longest_first",
            max_length=TOKENS,
            return_tensors="pt",
        )
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(**inputs).logits.float().view(len(batch), -1)
        loss = torch.nn.functional.cross_entropy(logits, torch.zeros(len(batch), dtype=torch.long))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        mean = loss.item() if mean is None else 0.95 * mean + 0.05 * loss.item()
        if step % 10 == 9 or step == steps - 1:
            print(f"step {step + 1} of {steps}: loss {mean:.4f}, {time.time() - begun:.0f} s", flush=True)
    model.eval()
    encoder.save_pretrained(out)


if __name__ == "__main__":
    main(sys.argv[1])
