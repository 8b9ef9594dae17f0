"""Gram matrices of what linear layers read, by PyTorch's hooks: python oracles/gram.py > test/model/gradient/golden/gram.json

The classifiers and texts of fisher.py; each matrix is X^T X / rows over all tokens of the texts, in float64.
"""
import json, sys
import torch
from importlib.metadata import version
from fisher import drawn_model, examples, families


def grams(model, texts):
    sums, rows = {}, {}

    def hook(name):
        def add(_, inputs):
            x = inputs[0].reshape(-1, inputs[0].shape[-1])
            if name == "score.weight":
                x = x[-1:]  # applied to every token, of which the last one answers
            sums[name] = sums.get(name, 0) + x.T @ x
            rows[name] = rows.get(name, 0) + x.shape[0]
        return add

    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Linear):
            module.register_forward_pre_hook(hook(f"{name}.weight"))
    with torch.no_grad():
        for ids, _ in texts:
            model(input_ids=torch.tensor([ids]))
    return {name: total / rows[name] for name, total in sums.items()}


cases = []
for seed, (family, class_name, config) in enumerate(families, 1):
    if family == "roberta":
        continue  # as xlm-roberta
    config = dict(config, model_type=family)
    model, tensors = drawn_model(class_name, config, seed)
    cases.append({
        "config": dict(config, architectures=[class_name]), "seed": seed, "tensors": tensors,
        "grams": {name: [float(f"{v:.9g}") for v in m.flatten().tolist()] for name, m in grams(model, examples).items()},
    })
made_with = {name: version(name) for name in ("torch", "transformers", "numpy")}
json.dump({"made_with": made_with, "cases": cases}, sys.stdout, separators=(",", ":"))
