"""Scores that mteb itself gives to recorded vectors.

    evaluate_vectors.py --vectors v.npy --texts texts.jsonl --tasks tasks.json > scores.json

--texts: one object a line with `text` and `prompt_type` (query, document, null); row i of --vectors belongs to line i. --tasks: a list of
{"name", "path", "subsets", "splits"}; path is a snapshot folder: offline, mteb finds no data set by its name. Prints task → split → scores of each subset, or task → "error".
"""
import argparse
import json
import os
import sys
import time
import traceback

os.environ["HF_HUB_OFFLINE"] = "1"
parser = argparse.ArgumentParser()
parser.add_argument("--vectors", required=True)
parser.add_argument("--texts", required=True)
parser.add_argument("--tasks", required=True)
parser.add_argument("--threads", type=int, default=2)
options = parser.parse_args()

import datasets  # noqa: E402
import mteb  # noqa: E402
import numpy as np  # noqa: E402
import sklearn  # noqa: E402
import torch  # noqa: E402
from mteb.models import ModelMeta  # noqa: E402
from mteb.models.abs_encoder import AbsEncoder  # noqa: E402

torch.set_num_threads(options.threads)
datasets.disable_progress_bars()


class Recorded(AbsEncoder):
    """Looks every text up, with its side; similarity is the cosine of mteb."""

    def __init__(self):
        self.vectors = np.load(options.vectors)
        self.rows = {}
        with open(options.texts, encoding="utf-8") as lines:
            for row, line in enumerate(lines):
                asked = json.loads(line)
                self.rows.setdefault((asked["prompt_type"], asked["text"]), row)
        self.mteb_model_meta = ModelMeta.create_empty({"name": "vectors/recorded", "revision": "1"})
        self.asked = set()

    def encode(self, inputs, *, prompt_type=None, **_):
        side = None if prompt_type is None else getattr(prompt_type, "value", prompt_type)
        found = []
        for batch in inputs:
            for text in batch["text"]:
                row = self.rows.get((side, text), self.rows.get((None, text)))
                if row is None:
                    raise KeyError(f"not recorded as {side}: {text[:200]!r}")
                found.append(row)
        self.asked.update(found)
        return self.vectors[found]


def plain(value):
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and value != value else value


model = Recorded()
results = {}
for wanted in json.load(open(options.tasks, encoding="utf-8")):
    try:
        choice = {"hf_subsets": wanted["subsets"]} if wanted.get("subsets") else {}
        task = mteb.get_task(wanted["name"], eval_splits=wanted["splits"], **choice)
        task.metadata.dataset["path"] = wanted["path"]
        task.fast_loading = False  # it wants all subsets in one config, which a cache of some of them does not have; the rows are the same
        started = time.perf_counter()
        task.load_data()
        loaded = time.perf_counter()
        scores = {split: task.evaluate(model, split, encode_kwargs={"batch_size": 1024}, **({"subsets_to_run": wanted["subsets"]} if wanted.get("subsets") else {})) for split in wanted["splits"]}
        results[wanted["name"]] = {"scores": plain(scores), "loadSeconds": loaded - started, "seconds": time.perf_counter() - loaded}
    except Exception as error:  # noqa: BLE001 - the comparison reports it
        traceback.print_exc(file=sys.stderr)
        results[wanted["name"]] = {"error": f"{type(error).__name__}: {error}"[:500]}
versions = {name: module.__version__ for name, module in (("mteb", mteb), ("scikit-learn", sklearn), ("numpy", np), ("torch", torch), ("datasets", datasets))}
json.dump({"versions": versions, "texts": len(model.asked), "tasks": results}, sys.stdout)
