"""MTEB tasks as mteb's own users run them: mteb.get_model, its CachedEmbeddingWrapper, mteb.evaluate with results on disk.

    evaluate_tasks.py --model NAME --tasks A,B --hub FOLDER --results FOLDER --vectors FOLDER

--hub is a cache in the hub's layout; offline, mteb does not find a data set in it by name, so each task gets its snapshot folder as path. What lies in --vectors and
--results is used again. Prints main scores and versions as one line of JSON.
"""
import argparse
import json
import os

os.environ["HF_HUB_OFFLINE"] = "1"
parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--tasks", required=True)
parser.add_argument("--hub", required=True)
parser.add_argument("--results", required=True)
parser.add_argument("--vectors", required=True)
options = parser.parse_args()

import mteb  # noqa: E402
import sentence_transformers  # noqa: E402
import sklearn  # noqa: E402
import torch  # noqa: E402
from mteb.cache import ResultCache  # noqa: E402
from mteb.models.cache_wrappers import CachedEmbeddingWrapper  # noqa: E402


def snapshot(path):
    folder = os.path.join(options.hub, "datasets--" + path.replace("/", "--"), "snapshots")
    return os.path.join(folder, sorted(os.listdir(folder))[0])


tasks = []
for name in options.tasks.split(","):
    task = mteb.get_task(name)
    task.metadata.dataset["path"] = snapshot(task.metadata.dataset["path"])
    tasks.append(task)
# The stored weights are float16; in float32, as Strata computes.
model = mteb.get_model(options.model, device="cpu", model_kwargs={"torch_dtype": "float32"})
cached = CachedEmbeddingWrapper(model, os.path.join(options.vectors, "vectors"))
results = mteb.evaluate(cached, tasks, cache=ResultCache(options.results), raise_error=True, show_progress_bar=False)
versions = {module.__name__: module.__version__ for module in (mteb, sentence_transformers, torch, sklearn)}
print(json.dumps({"scores": {result.task_name: result.get_score() for result in results.task_results}, "versions": versions}))
