"""model2vec's turn in `static`: StaticModel.encode with its own batch size, every set of a file in one call, several times.

    static.py --model FOLDER --texts FILE [--passes 7]
"""
import argparse
import json
import os
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--texts", required=True)
parser.add_argument("--passes", type=int, default=7)
options = parser.parse_args()

with open(options.texts, encoding="utf-8") as file:
    sets = json.load(file)
started = time.perf_counter()
from model2vec import StaticModel  # noqa: E402 -- importing is part of what a process costs

model = StaticModel.from_pretrained(options.model)
load_seconds = time.perf_counter() - started

found, samples = {}, {}
for name, texts in sets.items():
    seconds, cpu_seconds = [], []
    for _ in range(options.passes):
        cpu, start = time.process_time(), time.perf_counter()
        vectors = model.encode(texts)
        seconds.append(time.perf_counter() - start)
        cpu_seconds.append(time.process_time() - cpu)
    found[name] = {"seconds": seconds, "cpuSeconds": cpu_seconds}
    samples[name] = vectors[:8].astype(float).tolist()
print(json.dumps({"loadSeconds": load_seconds, "sets": found, "samples": samples}))
