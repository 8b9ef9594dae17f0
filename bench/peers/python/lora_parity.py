"""mergekit-extract-lora and strata extract-lora on the same pairs: factors' products, whole tensors, configs; PEFT loads both and answers.

    mergekit-0.1.x/bin/python lora_parity.py MODELS WORK [ONLY]      MODELS: what merge_models.py wrote

Prints a line a case; exits 1 when a case differs. Tolerances: products in float32 2e-5 of the change's largest entry (both sides round their factors to float32; theirs come
from a float32 decomposition), bfloat16 factors 3 % of it and float16 ones 0.4 % (either side's keep 8 and 11 bits); logits of the adapted model at full rank in float32 1e-4.
"""
import json, os, shutil, subprocess, sys, warnings
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")
import torch, transformers
from peft import PeftModel
from safetensors.torch import load_file
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSequenceClassification

transformers.utils.logging.set_verbosity_error()
models, work, only = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ""
modern = int(transformers.__version__.split(".")[0]) >= 5
root = Path(__file__).resolve().parents[3]
cases = [
    ("llama", "llama-1", "llama-base", []),
    ("llama rank 8", "llama-1", "llama-base", ["--max-rank", "8"]),
    ("llama scale on A", "llama-1", "llama-base", ["--max-rank", "8", "--no-distribute-scale"]),
    ("llama embeddings too", "llama-1", "llama-base", ["--embed-lora"]),
    ("llama small values out", "llama-2", "llama-base", ["--sv-epsilon", "0.05"]),
    ("llama one layer", "llama-1", "llama-base", ["-i", r"layers\.1\.", "--skip-undecomposable"]),
    ("llama no mlp", "llama-1", "llama-base", ["-e", "mlp", "-e", "embed_tokens", "-e", "lm_head"]),
    ("llama norms out", "llama-1", "llama-base", ["--skip-undecomposable"]),
    ("llama head and down whole", "llama-1", "llama-base", ["--save-module", "down_proj", "--save-module", "model.layers.0.self_attn.q_proj"]),
    ("llama bf16", "llamab-1", "llamab-base", []),
    ("tied", "tied-1", "tied-base", []),
    ("tied embeddings too", "tied-1", "tied-base", ["--embed-lora"]),
    ("pythia", "pythia-ft-qa", "pythia-step1183", []),
    ("pythia rank 16", "pythia-ft-qa", "pythia-step1183", ["--max-rank", "16", "--no-distribute-scale"]),
    ("bert", "bert-seqcls-1", "bert-seqcls-base", []),
]


def run(command, folder):
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    return None if done.returncode == 0 else (done.stderr.strip().splitlines() or ["?"])[-1][:200]


def parts(folder):
    tensors = load_file(folder / "adapter_model.safetensors")
    products, whole = {}, {}
    for name, value in tensors.items():
        for a, b in ((".lora_A.weight", ".lora_B.weight"), (".lora_embedding_A", ".lora_embedding_B")):
            if name.endswith(a):
                products[name[: -len(a)]] = tensors[name[: -len(a)] + b].float() @ value.float()
        if ".lora_" not in name:
            whole[name.replace(".base_layer", "")] = value
    return products, whole, {k: v for k, v in tensors.items() if k.endswith("lora_B.bias")}


def logits(base, adapter=None):
    classes = AutoConfig.from_pretrained(base).architectures[0]
    cls = AutoModelForSequenceClassification if "Sequence" in classes else AutoModelForCausalLM
    model = cls.from_pretrained(base, torch_dtype=torch.float32).eval()
    problems = []
    if adapter is not None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = PeftModel.from_pretrained(model, adapter).eval()
        problems = [str(one.message)[:150] for one in caught if "missing" in str(one.message).lower()]
    with torch.no_grad():
        return model(torch.tensor([[5, 17, 33, 42, 7]])).logits, problems


failed = 0
for name, tuned, base, flags in cases:
    if only not in name or (modern and "pythia" in name and only == ""):
        continue
    ours, theirs = work / "ours" / name.replace(" ", "-"), work / "theirs" / name.replace(" ", "-")
    ours.parent.mkdir(parents=True, exist_ok=True)
    theirs.parent.mkdir(parents=True, exist_ok=True)
    common = ["--model", str(models / tuned), "--base-model", str(models / base), *flags]
    refused = run([str(Path(sys.executable).parent / "mergekit-extract-lora"), *common, "--out-path", str(theirs)], theirs)
    problem = run(["node", str(root / "dist/cli/main.js"), "extract-lora", *common, "--out-path", str(ours)], ours)
    row, bad = {"case": name}, []
    half = "bf16" in name or "pythia" in name
    if problem is not None:
        bad.append(f"ours: {problem}")
    else:
        config = json.loads((ours / "adapter_config.json").read_text())
        row["rank"] = config["r"]
        tuned_logits = logits(models / tuned)[0]
        try:
            adapted, lost = logits(models / base, ours)
            bad += [f"PEFT: {one}" for one in lost]
            row["logits"] = float((adapted - tuned_logits).abs().max())
            # factors in the checkpoint's own type: float16 keeps eleven bits of a change, bfloat16 eight
            if not flags and row["logits"] > (1e-2 if half else 1e-4):
                bad.append("adapted model is not the tuned one")
        except Exception as error:
            bad.append(f"PEFT: {type(error).__name__}: {str(error).splitlines()[0][:150]}")
    if refused is not None:
        row["mergekit"] = refused
    elif problem is None:
        (p, w, _), (q, v, biases) = parts(ours), parts(theirs)
        if set(p) != set(q):
            bad.append(f"modules: only ours {sorted(set(p) - set(q))[:3]}, only theirs {sorted(set(q) - set(p))[:3]}")
        row["product"] = max(float((p[k] - q[k]).abs().max() / q[k].abs().max().clamp(min=1e-6)) for k in set(p) & set(q))
        if row["product"] > (0.03 if "bf16" in name else 4e-3 if half else 2e-5):
            bad.append("products differ")
        # transformers 5 calls GPT-NeoX's head lm_head; 0.1.5 then looks for a tensor of that name and saves none.
        renamed = {"base_model.model.embed_out.weight"} if modern else set()
        if set(w) - {k.replace(".lora_B.bias", ".bias") for k in biases} - renamed != set(v) - renamed:
            bad.append(f"whole: only ours {sorted(set(w) - set(v))[:3]}, only theirs {sorted(set(v) - set(w))[:3]}")
        if not all(torch.equal(w[k], v[k]) for k in set(w) & set(v)):
            bad.append("whole tensors differ")
        other = json.loads((theirs / "adapter_config.json").read_text())
        for key in ("r", "lora_alpha", "rank_pattern", "alpha_pattern", "use_rslora", "fan_in_fan_out", "base_model_name_or_path", "peft_type"):
            if config[key] != other[key]:
                bad.append(f"{key}: {str(config[key])[:80]}, theirs {str(other[key])[:80]}")
        # Ours may be whole names where the last part would mean more: the same by their last parts.
        last = lambda names: {one.split(".")[-1] for one in names}
        for key in ("modules_to_save", "target_modules"):
            row[key] = "equal" if set(config[key]) == set(other[key]) else "whole names"
            if last(config[key]) != last(other[key]):
                bad.append(f"{key}: {config[key]}, theirs {other[key]}")
        try:
            row["theirLogits"] = float((logits(models / base, theirs)[0] - tuned_logits).abs().max())
        except Exception as error:
            row["theirLogits"] = f"{type(error).__name__}: {str(error).splitlines()[0][:100]}"
    row["problems"] = bad
    failed += len(bad) > 0
    print(json.dumps(row), flush=True)
sys.exit(1 if failed else 0)
