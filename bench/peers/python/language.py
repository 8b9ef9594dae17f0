"""lm-evaluation-harness's HF model on the same requests: language.py JOB.json OUT.json

JOB: {"model": folder, "sets": {name: [[context, continuation] …]}, "prompts": [text …], "tokens": n, "batches": [size …], "dtype": name}.
Each set is scored at the batch size that is the fastest on its first requests; OUT: {"sets": {name: {"seconds", "batch", "scores"}}, "written": {"seconds", "tokens", "batch"}}.
"""
import json, os, sys, time
os.environ.setdefault("HF_HUB_OFFLINE", "1")
import torch
torch.set_num_threads(int(os.environ.get("THREADS", "2")))
import transformers
transformers.logging.set_verbosity_error()
from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM

job = json.load(open(sys.argv[1]))
model = HFLM(pretrained=job["model"], dtype=job.get("dtype", "float32"), device="cpu", batch_size=1)

def scored(pairs, batch):
    model.batch_size_per_gpu = batch
    began = time.perf_counter()
    found = model.loglikelihood([Instance("loglikelihood", {}, tuple(pair), i) for i, pair in enumerate(pairs)], disable_tqdm=True)
    return time.perf_counter() - began, found

def written(prompts, tokens, batch):
    ids = [model.tok_encode(prompt) for prompt in prompts]
    order = sorted(range(len(ids)), key=lambda i: -len(ids[i]))
    count = 0
    end = model.eot_token_id
    began = time.perf_counter()
    for at in range(0, len(order), batch):
        own = [ids[i] for i in order[at : at + batch]]
        width = max(map(len, own))
        padded = torch.tensor([[0] * (width - len(one)) + one for one in own])
        mask = torch.tensor([[0] * (width - len(one)) + [1] * len(one) for one in own])
        with torch.no_grad():
            out = model.model.generate(padded, attention_mask=mask, do_sample=False, max_new_tokens=tokens, pad_token_id=0, use_cache=True)
        for row in out[:, width:].tolist():
            count += row.index(end) if end in row else len(row)
    return time.perf_counter() - began, count

out = {"sets": {}, "versions": {"torch": torch.__version__, "transformers": transformers.__version__}}
for name, pairs in job["sets"].items():
    some = pairs[:: max(1, len(pairs) // job["tried"])]
    scored(some[:8], 4)
    best = min(job["batches"], key=lambda batch: scored(some, batch)[0])
    seconds, found = scored(pairs, best)
    out["sets"][name] = {"seconds": seconds, "batch": best, "scores": found}
    print(name, "batch", best, round(seconds, 2), "s", file=sys.stderr, flush=True)
if job["prompts"]:
    best = min(job["batches"], key=lambda batch: written(job["prompts"][: max(job["batches"])], 8, batch)[0])
    seconds, count = written(job["prompts"], job["tokens"], best)
    out["written"] = {"seconds": seconds, "tokens": count, "batch": best}
json.dump(out, open(sys.argv[2], "w"))
