"""Models with different tokenizers for the comparison of tokensurgeon: tokensurgeon_models.py SHARED OUT"""
import json, shutil, sys
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

shared, out = Path(sys.argv[1]), Path(sys.argv[2])
tokenizers = shared / "models" / "pico" / "tokenizers"


def tokenizer_files(source, folder, name=None):
    for file in ["tokenizer.json", "special_tokens_map.json", "tokenizer_config.json"]:
        if (source / file).exists():
            shutil.copy(source / file, folder / file)
    if name is not None:
        # mergekit asks for the class to know how words begin.
        settings = json.loads((folder / "tokenizer_config.json").read_text())
        (folder / "tokenizer_config.json").write_text(json.dumps({**settings, "tokenizer_class": name}))


def lively(model, seed):
    """Rows that a few directions dominate, as trained ones have."""
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, value in model.named_parameters():
            if value.ndim == 2 and ("embed" in name or "wte" in name or "lm_head" in name):
                scale = 1.0 / (1 + torch.arange(value.shape[1])) ** 0.5
                value.copy_(torch.randn(value.shape, generator=draw) * scale * 0.3 + torch.randn(value.shape[1], generator=draw) * 0.05)
    return model


def save(model, name, dtype=torch.float32):
    model.to(dtype).save_pretrained(out / name)
    return out / name


def ids(source):
    settings = json.loads((source / "tokenizer_config.json").read_text())
    tokens = json.loads((source / "tokenizer.json").read_text())
    table = {**tokens["model"]["vocab"], **{t["content"]: t["id"] for t in tokens["added_tokens"]}}
    content = lambda key: settings[key] if isinstance(settings[key], str) else settings[key]["content"]
    return len(table), {f"{role}_token_id": table[content(f"{role}_token")] for role in ["bos", "eos", "pad"] if settings.get(f"{role}_token")}


stories = AutoModelForCausalLM.from_pretrained(shared / "models" / "stories260K")
tokenizer_files(shared / "models" / "stories260K", save(stories, "stories"), "LlamaTokenizerFast")

step = shared / "models" / "nano-pythia" / "step1183"
pythia = AutoModelForCausalLM.from_pretrained(step, torch_dtype=torch.float32)
tokenizer_files(step, save(pythia, "pythia"))
# Buffers that mergekit 0.1.4 demands and newer files no longer hold.
weights = load_file(out / "pythia" / "model.safetensors")
for i in range(pythia.config.num_hidden_layers):
    weights[f"gpt_neox.layers.{i}.attention.bias"] = torch.ones(1, 1, 128, 128).tril()
    weights[f"gpt_neox.layers.{i}.attention.masked_bias"] = torch.tensor(-1e9)
    weights[f"gpt_neox.layers.{i}.attention.rotary_emb.inv_freq"] = 1.0 / 10000 ** (torch.arange(0, 8, 2).float() / 8)
save_file(weights, out / "pythia" / "model.safetensors", metadata={"format": "pt"})

for name, source, width, dtype, kind in [("llama", "llama-bpe", 64, torch.float32, "LlamaTokenizerFast"), ("llamab", "llama-bpe", 64, torch.bfloat16, "LlamaTokenizerFast"), ("chat", "chat-bpe", 96, torch.float32, None)]:
    count, special = ids(tokenizers / source)
    config = LlamaConfig(hidden_size=width, intermediate_size=2 * width, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=4, vocab_size=count, tie_word_embeddings=False, max_position_embeddings=128, **special)
    torch.manual_seed(1)
    tokenizer_files(tokenizers / source, save(lively(LlamaForCausalLM(config), 2), name, dtype), kind)

count, special = ids(tokenizers / "byte-bpe")
torch.manual_seed(3)
gpt2 = GPT2LMHeadModel(GPT2Config(n_embd=64, n_layer=2, n_head=4, n_positions=128, vocab_size=count, **special))
tokenizer_files(tokenizers / "byte-bpe", save(lively(gpt2, 4), "gpt2"))
