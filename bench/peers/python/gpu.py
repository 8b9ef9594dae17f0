"""PyTorch's turn in `gpu`: gpu.py JOB, one JSON object as bench/gpu.ts writes it; sentence-transformers for texts, transformers for rows of token ids.

TF32 is off: float32 is float32 on both sides.
"""
import json, os, sys, time
os.environ.setdefault("HF_HUB_OFFLINE", "1")
import torch

job = json.loads(sys.argv[1])
dtype = getattr(torch, job["dtype"])
device = job["device"]
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
items = json.load(open(job["input"]))

if job["kind"] == "encode":
    from sentence_transformers import SentenceTransformer
    model = SentenceTransformer(job["folder"], device=device, model_kwargs={"torch_dtype": dtype})
    def run(texts):
        return model.encode(texts, batch_size=256, show_progress_bar=False)[:10].astype("float32").reshape(-1).tolist()
else:
    from transformers import AutoModelForCausalLM
    model = AutoModelForCausalLM.from_pretrained(job["folder"], torch_dtype=dtype).to(device).eval()
    def run(rows):
        sums = []
        with torch.no_grad():
            for at in range(0, len(rows), 16):
                ids = torch.tensor(rows[at : at + 16], device=device)
                scores = torch.log_softmax(model(ids).logits[:, :-1].float(), -1)
                sums += scores.gather(-1, ids[:, 1:, None]).sum((1, 2)).tolist()
        return sums

run(items[: job["warmUp"]])
torch.cuda.synchronize()
began = time.perf_counter()
numbers = run(items[job["warmUp"] :])
torch.cuda.synchronize()
print(json.dumps({"seconds": time.perf_counter() - began, "numbers": numbers}))
