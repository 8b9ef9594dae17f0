"""
Why some 16-bit merges of mergekit 0.1.4 differ from exact sums: merge_order.py RECIPES STRATA OUT.
Each recipe is merged by mergekit as it is, on two threads, with every sum in float64, and with the elements of all inputs in another order (put back afterwards); one line of JSON
each: elements that are not what one thread gives, and what Strata gives, and the largest difference in float16 steps.
"""
import hashlib, json, logging, os, sys
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
import torch
import yaml
from mergekit.config import MergeConfiguration
from mergekit.io.tasks import LoadTensor
from mergekit.merge import run_merge
from mergekit.options import MergeOptions
from safetensors.torch import load_file

recipes, strata, out = map(Path, sys.argv[1:4])
logging.disable(logging.CRITICAL)
names = ["nuslerp-pythia-plain", "multislerp-pythia-plain", "multislerp-pythia-base", "multislerp-pythia-unnormalised", "karcher-pythia-plain", "karcher-pythia-long", "model_stock-pythia-plain"]
plain = {"norm": torch.norm, "linalg": torch.linalg.norm, "vector": torch.linalg.vector_norm, "dot": torch.dot, "sum": torch.Tensor.sum, "tsum": torch.sum, "cosine": torch.nn.functional.cosine_similarity, "mean": torch.Tensor.mean, "tnorm": torch.Tensor.norm, "execute": LoadTensor.execute}


def wide(function):
    return lambda x, *args, **kwargs: function(x.double(), *args, **kwargs).to(x.dtype) if x.dtype in (torch.float16, torch.float32) else function(x, *args, **kwargs)


def exact_sums(on):
    torch.norm, torch.linalg.norm, torch.linalg.vector_norm = (wide(plain[key]) if on else plain[key] for key in ("norm", "linalg", "vector"))
    torch.Tensor.sum, torch.sum, torch.Tensor.norm = (wide(plain[key]) if on else plain[key] for key in ("sum", "tsum", "tnorm"))
    torch.dot = (lambda a, b: plain["dot"](a.double(), b.double()).to(a.dtype)) if on else plain["dot"]


def order(shape, name):
    seed = int(hashlib.sha256(name.encode()).hexdigest()[:8], 16)
    return torch.randperm(shape.numel(), generator=torch.Generator().manual_seed(seed))


def shuffled(on):
    def execute(self, *args, **kwargs):
        value = plain["execute"](self, *args, **kwargs)
        return value if value is None else value.flatten()[order(value.shape, self.tensor)].reshape(value.shape).contiguous()

    LoadTensor.execute = execute if on else plain["execute"]


def merged(name, folder, unshuffle=False):
    text = (recipes / f"{name}.yml").read_text()
    torch.manual_seed(0)
    run_merge(MergeConfiguration.model_validate(yaml.safe_load(text)), str(out / folder / name), options=MergeOptions(quiet=True, clone_tensors=True), config_source=text)
    tensors = load_file(out / folder / name / "model.safetensors")
    if unshuffle:
        for key, value in tensors.items():
            back = torch.empty_like(value).flatten()
            back[order(value.shape, key)] = value.flatten()
            tensors[key] = back.reshape(value.shape)
    return tensors


def apart(a, b):
    """Elements that differ, and by how many units of the last place of the larger; NaN of both is alike, of one alone is counted apart."""
    count = worst = lost = 0
    for key, x in a.items():
        y = b[key]
        if x.dtype != torch.float16 or x.shape != y.shape:
            continue
        x, y = x.double(), y.double()
        lost += int((x.isnan() != y.isnan()).sum())
        unlike = (x != y) & ~x.isnan() & ~y.isnan()
        count += int(unlike.sum())
        unit = torch.exp2(torch.floor(torch.log2(torch.maximum(x.abs(), y.abs()).clamp(min=2.0**-14))) - 10)
        worst = max(worst, float(((x - y).abs() / unit)[unlike].max()) if unlike.any() else 0)
    return {"elements": count, "units": worst, "nan": lost}


for name in names:
    torch.set_num_threads(1)
    once = merged(name, "one")
    own = load_file(strata / name / "model.safetensors")
    row = {"case": name, "strata": apart(once, own)}
    torch.set_num_threads(2)
    row["two threads"] = apart(once, merged(name, "two"))
    torch.set_num_threads(1)
    exact_sums(True)
    exact = merged(name, "exact")
    exact_sums(False)
    row["sums in float64"] = apart(once, exact)
    row["sums in float64, strata"] = apart(exact, own)
    shuffled(True)
    row["another order"] = apart(once, merged(name, "shuffled", True))
    shuffled(False)
    print(json.dumps(row), flush=True)
