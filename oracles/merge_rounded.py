"""Merges in 16 bits by mergekit 0.1.4's own functions for test/model/merge-methods/rounded.test.ts. Usage, in the environment of bench/README.md: python oracles/merge_rounded.py > test/model/merge-methods/golden/rounded.json"""
import json
from importlib.metadata import version

import torch
from mergekit.architecture import WeightInfo
from mergekit.common import ModelReference
from mergekit.merge_methods import REGISTERED_MERGE_METHODS
from mergekit.merge_methods.arcee_fusion import ArceeFusionMergeTask
from mergekit.merge_methods.karcher import karcher_merge_tensors
from mergekit.merge_methods.model_stock import ModelStockMergeTask
from mergekit.merge_methods.multislerp import multislerp
from mergekit.merge_methods.nearswap import nearswap_merge
from mergekit.merge_methods.nuslerp import nuslerp
from mergekit.merge_methods.sce import sce_merge

rows, width = 5, 24
out = {"made_with": {"mergekit": version("mergekit"), "torch": torch.__version__}, "shape": [rows, width], "cases": []}
info = WeightInfo(name="layer.weight")
refs = [ModelReference.parse(name) for name in ["base", "a", "b", "c"]]


def task(kind, tensors, **fields):
    made = kind.model_construct(base_model=refs[0], weight_info=info, **fields)
    return made.execute(dict(zip(refs, [tensor.clone() for tensor in tensors])))


for dtype in [torch.bfloat16, torch.float16]:
    draw = torch.Generator().manual_seed(3)
    base = (torch.randn(rows, width, generator=draw) * 0.2).to(dtype)
    a, b, c = [(base.float() + torch.randn(rows, width, generator=draw) * 0.05).to(dtype) for _ in range(3)]
    t = 0.3 / (0.6 + 0.3)
    ways = {
        "flat": dict(flatten=True),
        "rows": dict(flatten=False, dim=-1),
        "columns": dict(flatten=False, dim=0),
    }
    results = [
        *[("nuslerp", f"{name}", False, 2, {"weight": [0.6, 0.3], "nuslerp_flatten": name == "flat", "nuslerp_row_wise": name == "columns"}, nuslerp(t, a, b, **way)) for name, way in ways.items()],
        ("nuslerp", "from a base", True, 2, {"weight": [0.6, 0.3]}, base + nuslerp(t, a - base, b - base, flatten=True)),
        ("nuslerp", "of one vector with itself", False, 1, {"weight": [0.6, 0.3]}, nuslerp(t, a, a, flatten=True)),
        ("multislerp", "plain", False, 3, {"weight": [0.6, 0.3, 0.4]}, multislerp([a.clone(), b.clone(), c.clone()], [0.6, 0.3, 0.4])),
        ("multislerp", "not normalised", False, 3, {"weight": [0.6, 0.3, 0.4], "normalize_weights": False}, multislerp([a.clone(), b.clone(), c.clone()], [0.6, 0.3, 0.4], normalize_weights=False)),
        ("multislerp", "from a base", True, 3, {"weight": [0.6, 0.3, 0.4]}, multislerp([a.clone(), b.clone(), c.clone()], [0.6, 0.3, 0.4], base_tensor=base)),
        ("karcher", "plain", False, 3, {}, karcher_merge_tensors([a, b, c], [1 / 3] * 3)),
        ("karcher", "long", False, 3, {"max_iter": 50, "tol": 1e-9}, karcher_merge_tensors([a, b, c], [1 / 3] * 3, max_iter=50, tol=1e-9)),
        ("model_stock", "whole", True, 3, {}, task(ModelStockMergeTask, [base, a, b, c])),
        ("model_stock", "by filter", True, 3, {"filter_wise": True}, task(ModelStockMergeTask, [base, a, b, c], filter_wise=True)),
        ("nearswap", "plain", True, 1, {"t": 0.02}, nearswap_merge([a], base, 0.02)),
        ("sce", "all", True, 3, {}, sce_merge([a, b, c], base)),
        ("sce", "half", True, 3, {"select_topk": 0.5}, sce_merge([a, b, c], base, select_topk=0.5)),
        ("arcee_fusion", "plain", True, 1, {}, task(ArceeFusionMergeTask, [base, a])),
    ]
    numbers = lambda tensor: [float(value) for value in tensor.flatten()]
    out.setdefault("tensors", {})[str(dtype).removeprefix("torch.")] = {"base": numbers(base), "inputs": [numbers(x) for x in (a, b, c)]}
    for method, name, with_base, inputs, params, result in results:
        out["cases"].append({"dtype": str(dtype).removeprefix("torch."), "method": method, "name": name, "base": with_base, "inputs": inputs, "params": params, "expected": numbers(result)})
print(json.dumps(out).replace("NaN", "null"))
