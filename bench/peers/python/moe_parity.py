"""mergekit-moe and strata merge on the same mixtures: every tensor, the configs; transformers loads ours and generates.

    mergekit-0.1.x/bin/python moe_parity.py SHARED WORK [ONLY]

mergekit reads prompts in bfloat16, Strata in float32. Each `hidden` case is therefore run twice there: as released (routers within 0.03: eight bits through every layer),
and with the model loaded in float32 (routers within 2e-5, copied tensors equal bit by bit).
"""
import json, logging, os, shutil, subprocess, sys, warnings
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")
import torch, transformers, yaml
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer

transformers.utils.logging.set_verbosity_error()
logging.disable(logging.CRITICAL)
from mergekit.moe import router
from mergekit.moe.config import MoEMergeConfig
from mergekit.options import MergeOptions
from mergekit.scripts.moe import build

shared, work, only = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ""
root = Path(__file__).resolve().parents[3]
modern = int(transformers.__version__.split(".")[0]) >= 5
models = work / "models"
models.mkdir(parents=True, exist_ok=True)


def expert(source, name, seed, change=lambda config, tensors: (config, tensors)):
    """A copy of a model with seeded noise."""
    folder = models / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    tensors = load_file(source / "model.safetensors")
    draw = torch.Generator().manual_seed(seed)
    tensors = {k: v if seed == 0 else v + torch.randn(v.shape, generator=draw) * 0.1 * v.float().std() for k, v in sorted(tensors.items())}
    config, tensors = change(json.loads((source / "config.json").read_text()), tensors)
    save_file({k: v.contiguous() for k, v in tensors.items()}, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config))
    return str(folder)


def qwen(name, kind):
    """A pico Qwen with the vocabulary of stories260K."""
    def change(config, tensors):
        draw = torch.Generator().manual_seed(77)
        rows = 512
        config = {**config, "vocab_size": rows, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": None, "tie_word_embeddings": False}
        width = config["hidden_size"]
        for key in ("model.embed_tokens.weight", "lm_head.weight"):
            tensors[key] = torch.randn(rows, width, generator=draw) * 0.3
        return config, tensors
    folders = [expert(shared / "models" / "pico" / kind, f"{name}-{seed}", seed, change) for seed in (0, 1, 2)]
    for folder in folders:
        for file in ("tokenizer.json", "tokenizer_config.json"):
            shutil.copy(shared / "models" / "stories260K" / file, folder)
    return folders


stories = [expert(shared / "models" / "stories260K", f"stories-{seed}", seed) for seed in (0, 1, 2)]
half = [expert(shared / "models" / "stories260K", f"half-{seed}", seed, lambda c, t: ({**c, "torch_dtype": "bfloat16"}, {k: v.bfloat16() for k, v in t.items()})) for seed in (0, 1, 2)]
qwen2, qwen3 = qwen("qwen2", "qwen2"), qwen("qwen3", "qwen3")
prompts = (["Once upon a time there was a dog", "The dog ran"], ["She was happy and sang", "A song is"])
same = (["Once upon a time there was a dog", "Once upon a time there was a cat"], ["She was happy and sang", "She was happy and fell"])


def config(base, sources, mode, texts=prompts, negative=True, shared_expert=None, **more):
    experts = [{"source_model": s, "positive_prompts": p} for s, p in zip(sources, texts)]
    if negative:
        experts[0]["negative_prompts"] = ["The sun was hot"]
    result = {"base_model": base, "gate_mode": mode, "experts": experts, **more}
    if shared_expert is not None:
        result["shared_experts"] = [shared_expert]
    return result


cases = {
    "mixtral hidden": config(stories[0], stories[1:], "hidden", dtype="float32"),
    "mixtral hidden_last": config(stories[0], stories[1:], "hidden_last", negative=False, dtype="float32"),
    "mixtral hidden_avg equal lengths": config(stories[0], stories[1:], "hidden_avg", same, False, dtype="float32"),
    "mixtral cheap_embed": config(stories[0], stories[1:], "cheap_embed", dtype="float32"),
    "mixtral residual_scale": {**config(stories[0], stories[1:], "cheap_embed", dtype="float32")},
    "mixtral bf16": config(half[0], half[1:], "cheap_embed"),
    "mixtral f32 to bf16": config(stories[0], stories[1:], "cheap_embed", dtype="bfloat16"),
    "deepseek": config(stories[0], stories[1:], "hidden", architecture="deepseek", dtype="float32"),
    "deepseek shared": config(stories[0], stories[1:], "cheap_embed", shared_expert={"source_model": stories[0], "residual_scale": 0.1}, dtype="float32"),
    "qwen of llamas": config(stories[0], stories[1:], "hidden", architecture="qwen", shared_expert={"source_model": stories[0], "positive_prompts": ["The"], "residual_scale": 0.1}, dtype="float32"),
    "qwen2": config(qwen2[0], qwen2[1:], "hidden", shared_expert={"source_model": qwen2[0], "positive_prompts": ["The"]}, dtype="float32"),
    "qwen3": config(qwen3[0], qwen3[1:], "hidden", dtype="float32"),
}
cases["mixtral residual_scale"]["experts"][1]["residual_scale"] = 0.3

real = AutoModelForCausalLM.from_pretrained


def theirs(recipe, out, wide):
    router.AutoModelForCausalLM.from_pretrained = (lambda *a, **k: real(*a, **{**k, "torch_dtype": torch.float32})) if wide else real
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    try:
        build(MoEMergeConfig.model_validate(recipe), str(out), MergeOptions(quiet=True, clone_tensors=True), device="cpu")
    finally:
        router.AutoModelForCausalLM.from_pretrained = real
    return tensors_of(out)


def tensors_of(folder):
    result = {}
    for file in folder.glob("*.safetensors"):
        result.update(load_file(file))
    return result


def unfused(tensors):
    """0.1.5 writes transformers 5's names: all experts of a layer in one tensor, gate and up joined."""
    result = {}
    mixtral = any("gate_up_proj" in k for k in tensors) and not any("shared" in k or "q_norm" in k for k in tensors)
    for name, value in tensors.items():
        if not name.endswith(("experts.gate_up_proj", "experts.down_proj")):
            result[name.replace(".mlp.gate.", ".block_sparse_moe.gate.") if mixtral else name] = value
            continue
        layer = name.split(".mlp.")[0]
        for e in range(value.shape[0]):
            place = f"{layer}.block_sparse_moe.experts.{e}" if mixtral else f"{layer}.mlp.experts.{e}"
            names = ("w1", "w3", "w2") if mixtral else ("gate_proj", "up_proj", "down_proj")
            if name.endswith("down_proj"):
                result[f"{place}.{names[2]}.weight"] = value[e]
            else:
                gate, up = value[e].chunk(2, 0)
                result[f"{place}.{names[0]}.weight"], result[f"{place}.{names[1]}.weight"] = gate, up
    return result


silent = {"transformers_version", "auto_map", "dtype", "torch_dtype", "use_cache", "rope_parameters", "rope_scaling", "rope_theta", "pad_token_id"}
failed = 0
for name, recipe in cases.items():
    if only not in name:
        continue
    file, ours = work / f"{name.replace(' ', '-')}.yml", work / "ours" / name.replace(" ", "-")
    file.write_text(yaml.safe_dump(recipe))
    ours.parent.mkdir(exist_ok=True)
    shutil.rmtree(ours, ignore_errors=True)
    compat = [] if modern else ["--compat", "mergekit-0.1.4"]
    done = subprocess.run(["node", str(root / "dist/cli/main.js"), "merge", str(file), str(ours), *compat], capture_output=True, text=True)
    row, bad = {"case": name}, []
    if done.returncode != 0:
        bad.append(done.stderr.strip().splitlines()[0])
        own = None
    else:
        own = tensors_of(ours)
    hidden = recipe["gate_mode"].startswith("hidden")
    for wide in ([True, False] if hidden else [False]) if own is not None else []:
        out = work / "theirs" / f"{name.replace(' ', '-')}{'-wide' if wide else ''}"
        out.parent.mkdir(exist_ok=True)
        try:
            peer = unfused(theirs(recipe, out, wide))
        except BaseException as error:
            row["mergekit"] = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
            continue
        if set(own) != set(peer):
            bad.append(f"names: only ours {sorted(set(own) - set(peer))[:3]}, only theirs {sorted(set(peer) - set(own))[:3]}")
        both = sorted(set(own) & set(peer))
        wrong = [k for k in both if own[k].dtype != peer[k].dtype or own[k].shape != peer[k].shape]
        if wrong:
            bad.append(f"dtype or shape: {wrong[:3]}")
        is_gate = lambda k: k.endswith(("gate.weight", "shared_expert_gate.weight")) and "gate_proj" not in k
        gap = lambda keys: max((float((own[k].float() - peer[k].float()).abs().max()) for k in keys if k not in wrong), default=0.0)
        gates, rest = gap([k for k in both if is_gate(k)]), gap([k for k in both if not is_gate(k)])
        row["routers" + (" f32" if wide else "")], row["rest"] = gates, rest
        narrow = any(v.dtype == torch.bfloat16 for v in own.values())
        # transformers 5 gives a Qwen2 folder Qwen2's own splitting of words, whatever its tokenizer.json says: prompts have other tokens there.
        if not (modern and name == "qwen2") and gates > (0.03 if hidden and not wide else 4e-3 if narrow else 2e-5):
            bad.append("routers differ")
        # copies are equal; a scaled weight below one half may be rounded the other way
        if rest > (3e-8 if not narrow else 0.0):
            bad.append("copied tensors differ")
        configs = [json.loads((f / "config.json").read_text()) for f in (ours, out)]
        for key in sorted(set(configs[1]) - silent):
            if configs[0].get(key) != configs[1][key] and configs[0].get(key, "absent") != "absent":
                bad.append(f"config {key}: {configs[0].get(key)!r}, theirs {configs[1][key]!r}")
    if own is not None and not name.startswith("deepseek"):
        try:
            model, loading = AutoModelForCausalLM.from_pretrained(ours, output_loading_info=True)
            lost = [*loading["missing_keys"], *loading["unexpected_keys"], *loading["mismatched_keys"]]
            if lost:
                bad.append(f"loading: {lost[:3]}")
            tokenizer = AutoTokenizer.from_pretrained(ours)
            text = model.float().eval().generate(**tokenizer("Once upon a time", return_tensors="pt", return_token_type_ids=False), max_new_tokens=12, do_sample=False)
            row["text"] = tokenizer.decode(text[0], skip_special_tokens=True)
        except Exception as error:
            bad.append(f"transformers: {type(error).__name__}: {str(error).splitlines()[0][:150]}")
    row["problems"] = sorted(set(bad))
    failed += len(bad) > 0
    print(json.dumps(row), flush=True)
sys.exit(1 if failed else 0)
