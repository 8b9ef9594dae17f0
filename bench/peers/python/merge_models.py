"""Inputs of the merge comparisons: fine-tunes by seeded noise, vocabularies that differ, a LoRA adapter.  merge_models.py SHARED OUT"""
import json, shutil, sys
from pathlib import Path
import torch
from safetensors.torch import load_file, save_file

shared, out = Path(sys.argv[1]), Path(sys.argv[2])
out.mkdir(parents=True, exist_ok=True)


def write(folder, tensors, config):
    (out / folder).mkdir(exist_ok=True)
    save_file({name: value.contiguous() for name, value in tensors.items()}, out / folder / "model.safetensors", metadata={"format": "pt"})
    (out / folder / "config.json").write_text(json.dumps(config, indent=2))


def noisy(tensors, seed, share):
    """Gaussian changes of a tenth of each tensor's spread in `share` of the elements; the rest stays as it is."""
    draw = torch.Generator().manual_seed(seed)
    changed = {}
    for name, value in sorted(tensors.items()):
        wide = value.float()
        spread = wide.std() if wide.numel() > 1 else torch.tensor(0.0)
        noise = torch.randn(value.shape, generator=draw) * max(float(spread) * 0.1, 0.01)
        changed[name] = (wide + noise * (torch.rand(value.shape, generator=draw) < share)).to(value.dtype)
    return changed


def family(name, source, config, dtype, count=3):
    base = {key: value.to(dtype) for key, value in source.items()}
    config = {**config, "torch_dtype": str(dtype).removeprefix("torch.")}
    write(f"{name}-base", base, config)
    for k in range(count):
        write(f"{name}-{k + 1}", noisy(base, 100 + k, [1.0, 0.7, 0.5][k]), config)


pico = shared / "models" / "pico"
llama = load_file(pico / "llama" / "model.safetensors")
llama_config = json.loads((pico / "llama" / "config.json").read_text())
family("llama", llama, llama_config, torch.float32)
family("llamab", llama, llama_config, torch.bfloat16)
# Heads tied to the embedding: not stored.
tied_config = {**llama_config, "tie_word_embeddings": True}
family("tied", {key: value for key, value in llama.items() if key != "lm_head.weight"}, tied_config, torch.float32, 2)
# A BERT-like encoder with a classification head, and one that no list of architectures has.
for kind in ["bert-seqcls", "xlm-roberta-seqcls"]:
    family(kind, load_file(pico / kind / "model.safetensors"), json.loads((pico / kind / "config.json").read_text()), torch.float32, 2)

from transformers import AutoModelForCausalLM, AutoTokenizer


def with_buffers(folder, layers=6, context=128):
    """mergekit wants the buffers that Pythia's own files hold and newer code computes."""
    path = out / folder / "model.safetensors"
    tensors = load_file(path)
    for i in range(layers):
        tensors[f"gpt_neox.layers.{i}.attention.bias"] = torch.ones(1, 1, context, context, dtype=torch.float32).tril()
        tensors[f"gpt_neox.layers.{i}.attention.masked_bias"] = torch.tensor(-1e9)
        tensors[f"gpt_neox.layers.{i}.attention.rotary_emb.inv_freq"] = 1.0 / 10000 ** (torch.arange(0, 8, 2).float() / 8)
    save_file(tensors, path, metadata={"format": "pt"})


pythia = shared / "models" / "nano-pythia"
for name, tokens, template in [
    ("step1183", [], "{% for m in messages %}<b>{{ m['content'] }}{% endfor %}"),
    ("ft-qa", ["<q>", "<both>"], "{% for m in messages %}<q>{{ m['content'] }}{% endfor %}"),
    ("ft-science", ["<both>", "<s>", "<t>"], "{% for m in messages %}<q>{{ m['content'] }}{% endfor %}"),
]:
    tokenizer = AutoTokenizer.from_pretrained(pythia / name)
    model = AutoModelForCausalLM.from_pretrained(pythia / name, torch_dtype=torch.float32)
    tokenizer.add_tokens(tokens)
    torch.manual_seed(7 + len(tokens))
    if tokens:
        model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    tokenizer.chat_template = template
    model.save_pretrained(out / f"voc-{name}")
    tokenizer.save_pretrained(out / f"voc-{name}")
    with_buffers(f"voc-{name}")

from peft import LoraConfig, get_peft_model

for name, kwargs in [("lora", {}), ("rslora", {"use_rslora": True})]:
    torch.manual_seed(11)
    model = AutoModelForCausalLM.from_pretrained(out / "llama-base", torch_dtype=torch.float32)
    adapted = get_peft_model(model, LoraConfig(r=4, lora_alpha=6, target_modules=["q_proj", "v_proj", "down_proj"], task_type="CAUSAL_LM", **kwargs))
    for key, value in adapted.named_parameters():
        if "lora_B" in key:
            torch.nn.init.normal_(value, std=0.05)
    adapted.save_pretrained(out / f"llama-{name}")
for name in ["step1183", "ft-qa", "ft-science"]:
    shutil.copytree(pythia / name, out / f"pythia-{name}", dirs_exist_ok=True, copy_function=shutil.copyfile)
    with_buffers(f"pythia-{name}")
