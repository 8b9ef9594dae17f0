"""The real lm-evaluation-harness on the same model, tasks and data: harness.py JOB.json OUT.json

JOB: {"model": folder, "runs": [{"name", "tasks", "num_fewshot"?, "limit"?, "seed"?, "chat"?, "multiturn"?, "model"?, "include_path"?, "system_instruction"?}]}
OUT: {name: {"results", "groups", "n-shot", "versions", "higher_is_better", "samples", "seconds"}}.
Data sets are read out of the Hugging Face cache (HF_HOME), as files, with nothing downloaded.
"""
import glob
import json
import os
import sys
import time
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("DISABLE_MULTIPROC", "1")
import datasets

load = datasets.load_dataset
hub = os.path.join(os.environ["HF_HOME"], "hub")

def local(path, name=None, *args, **kwargs):
    folders = sorted(glob.glob(os.path.join(hub, "datasets--" + path.replace("/", "--"), "snapshots", "*")))
    kwargs.pop("trust_remote_code", None)
    kwargs.pop("cache_dir", None); kwargs.pop("data_dir", None); kwargs.pop("download_mode", None)
    return Splits(load(folders[-1] if folders else path, name, *args, **kwargs))

class Splits(datasets.DatasetDict):
    """A split that is not here is needed by tasks that are asked without examples only for being there."""
    def __missing__(self, split):
        return self[next(iter(self))]
    def __getitem__(self, split):
        return dict.__getitem__(self, split) if dict.__contains__(self, split) else dict.__getitem__(self, next(iter(self)))

datasets.load_dataset = local
import lm_eval
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from lm_eval.models.huggingface import HFLM
import torch
torch.set_num_threads(int(os.environ.get("THREADS", "2")))

job = json.load(open(sys.argv[1]))
out = {}
models = {}
for run in job["runs"]:
    folder = run.get("model", job["model"])
    model = models.setdefault(folder, HFLM(pretrained=folder, dtype="float32", device="cpu", batch_size=job.get("batch_size", 16)))
    began = time.time()
    manager = TaskManager(include_path=run.get("include_path"))
    seed = run.get("seed", 1234)
    result = simple_evaluate(
        model=model, tasks=run["tasks"], num_fewshot=run.get("num_fewshot"), limit=run.get("limit"), task_manager=manager, log_samples=True,
        apply_chat_template=run.get("chat", False), fewshot_as_multiturn=run.get("multiturn", run.get("chat", False)), system_instruction=run.get("system_instruction"),
        fewshot_random_seed=seed, bootstrap_iters=run.get("bootstrap_iters", 1000), gen_kwargs=run.get("gen_kwargs"),
    )
    keep = {key: result.get(key) for key in ("results", "groups", "group_subtasks", "n-shot", "versions", "higher_is_better", "n-samples")}
    keep["samples"] = {
        task: [
            {**{key: row[key] for key in ("doc_id", "filter", "doc_hash", "prompt_hash", "target_hash")}, "arguments": row["arguments"], "resps": row["resps"],
             "filtered": row["filtered_resps"], "scores": {name: row.get(name) for name in row["metrics"]}}
            for row in rows
        ]
        for task, rows in result["samples"].items()
    }
    keep["seconds"] = time.time() - began
    out[run["name"]] = keep
    print(run["name"], round(keep["seconds"], 1), "s", file=sys.stderr, flush=True)
json.dump(out, open(sys.argv[2], "w"), default=lambda o: o.tolist() if hasattr(o, "tolist") else str(o))
