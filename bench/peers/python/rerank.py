"""sentence-transformers' turn in `rerank`: CrossEncoder.predict on all pairs of a file, in float32.

    rerank.py --model FOLDER --pairs FILE [--batch 32]
"""
import argparse
import json
import os
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--pairs", required=True)
parser.add_argument("--batch", type=int, default=32)
options = parser.parse_args()

with open(options.pairs, encoding="utf-8") as file:
    pairs = json.load(file)
started = time.perf_counter()
from sentence_transformers import CrossEncoder  # noqa: E402 -- importing is part of what a process costs

model = CrossEncoder(options.model, device="cpu")
load_seconds = time.perf_counter() - started
cpu, start = time.process_time(), time.perf_counter()
scores = model.predict(pairs, batch_size=options.batch)
seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu
print(json.dumps({"loadSeconds": load_seconds, "seconds": seconds, "cpuSeconds": cpu_seconds, "scores": scores.tolist()}))
