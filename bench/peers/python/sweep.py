"""Every layer of a model on tasks as it is done in Python today: one encoding of every task for each layer, with transformers' `output_hidden_states`, scored by mteb.

    sweep.py --model FOLDER --tasks A,B --hub FOLDER [--layers 0,1,…] [--batch 32] [--max-length 256]

--hub is a cache in the hub's layout; offline, mteb does not find a data set in it by name, so each task gets its snapshot folder as path.
"""
import argparse
import json
import os
import time

os.environ["HF_HUB_OFFLINE"] = "1"
parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--tasks", required=True)
parser.add_argument("--subsets", default="")
parser.add_argument("--hub", required=True)
parser.add_argument("--layers", default="")
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--max-length", type=int, default=256)
options = parser.parse_args()

import mteb  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402
from mteb.models import ModelMeta  # noqa: E402
from transformers import AutoModel, AutoTokenizer  # noqa: E402

tokenizer = AutoTokenizer.from_pretrained(options.model)
model = AutoModel.from_pretrained(options.model, torch_dtype=torch.float32).eval()


class Layer:
    """Mean-pooled hidden state h. Texts are sorted by length within a task, as sentence-transformers does."""

    def __init__(self, h):
        self.h = h
        self.mteb_model_meta = ModelMeta.create_empty({"name": f"bench/h{h}", "revision": "1"})

    def encode(self, inputs, **_):
        texts = [text for batch in inputs for text in batch["text"]]
        order = np.argsort([-len(text) for text in texts], kind="stable")
        vectors = np.empty((len(texts), model.config.hidden_size), dtype=np.float32)
        with torch.inference_mode():
            for at in range(0, len(texts), options.batch):
                chosen = order[at : at + options.batch]
                batch = tokenizer([texts[i] for i in chosen], padding=True, truncation=True, max_length=options.max_length, return_tensors="pt")
                state = model(**batch, output_hidden_states=True).hidden_states[self.h]
                mask = batch["attention_mask"].unsqueeze(-1).to(state.dtype)
                vectors[chosen] = ((state * mask).sum(1) / mask.sum(1).clamp(min=1e-9)).numpy()
        return vectors

    def similarity(self, a, b):
        a, b = (torch.nn.functional.normalize(torch.as_tensor(np.asarray(x)), dim=-1) for x in (a, b))
        return a @ b.T

    def similarity_pairwise(self, a, b):
        return torch.nn.functional.cosine_similarity(torch.as_tensor(np.asarray(a)), torch.as_tensor(np.asarray(b)))


def snapshot(path):
    folder = os.path.join(options.hub, "datasets--" + path.replace("/", "--"), "snapshots")
    return os.path.join(folder, sorted(os.listdir(folder))[0])


tasks = []
for name in options.tasks.split(","):
    known = mteb.get_task(name).metadata.hf_subsets
    task = mteb.get_task(name, hf_subsets=[subset for subset in options.subsets.split(",") if subset in known] or None)
    # Would load all subsets as one, which only the hub's own script can.
    task.fast_loading = False
    task.metadata.dataset["path"] = snapshot(task.metadata.dataset["path"])
    tasks.append(task)

layers = [int(h) for h in options.layers.split(",")] if options.layers else range(model.config.num_hidden_layers + 1)
started = time.perf_counter()
scores = {}
for h in layers:
    results = mteb.evaluate(Layer(h), tasks, cache=None, overwrite_strategy="always", raise_error=True, show_progress_bar=False)
    scores[f"h{h}"] = {result.task_name: result.get_score() for result in results.task_results}
print(json.dumps({"sweepSeconds": time.perf_counter() - started, "scores": scores}))
