"""Small models whose vocabularies differ, for the comparison of tokenizers: tokenizer_models.py SHARED OUT"""
import json, shutil, sys
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoTokenizer, BertConfig, BertForMaskedLM, LlamaConfig, LlamaForCausalLM, PhiConfig, PhiForCausalLM
from transformers import AddedToken

shared, out = Path(sys.argv[1]), Path(sys.argv[2])
tokenizers = shared / "models" / "pico" / "tokenizers"
templates = ["{% for m in messages %}<b>{{ m['content'] }}{% endfor %}", "{% for m in messages %}<q>{{ m['content'] }}{% endfor %}\n"]


def spread(model, seed):
    """Rows that cannot be mistaken for each other."""
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for value in model.parameters():
            value.copy_(torch.randn(value.shape, generator=draw) * 0.2 + (1.0 if value.ndim == 1 else 0.0))
    return model


def llama(seed, rows, tied=False, layers=3, **ids):
    config = LlamaConfig(hidden_size=32, intermediate_size=48, num_hidden_layers=layers, num_attention_heads=4, num_key_value_heads=2, vocab_size=rows, tie_word_embeddings=tied, max_position_embeddings=128, **ids)
    return spread(LlamaForCausalLM(config), seed)


def save(name, model, tokenizer, dtype=torch.float32):
    model.to(dtype).save_pretrained(out / name)
    if tokenizer is not None:
        tokenizer.save_pretrained(out / name)


def load(kind, extra=()):
    tokenizer = AutoTokenizer.from_pretrained(tokenizers / kind)
    for token in extra:
        tokenizer.add_tokens(token)
    return tokenizer


def role_ids(tokenizer):
    return {f"{role}_token_id": getattr(tokenizer, f"{role}_token_id") for role in ["bos", "eos", "pad"]}


im = AddedToken("<|im_start|>", special=True, normalized=False)
pad = AddedToken("<pad>", special=True, normalized=False)
q = AddedToken(" <q>", lstrip=False, normalized=True)
r = AddedToken("<r>", rstrip=True, normalized=True)

for seed, (name, tokens) in enumerate({"base": [], "two": [im, q], "more": [r, im, pad]}.items()):
    tokenizer = load("byte-bpe", tokens)
    if seed:
        tokenizer.chat_template = templates[1]
        if name == "more":
            tokenizer.pad_token = "<pad>"
    else:
        tokenizer.chat_template = templates[0]
    for prefix, kwargs, dtype in [("", {}, torch.float32), ("tied-", {"tied": True}, torch.float32), ("half-", {}, torch.bfloat16)]:
        save(f"{prefix}{name}", llama(seed + 1, len(tokenizer), **kwargs, **role_ids(tokenizer)), tokenizer, dtype)
    config = PhiConfig(hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=4, vocab_size=len(tokenizer), max_position_embeddings=128, **role_ids(tokenizer))
    save(f"phi-{name}", spread(PhiForCausalLM(config), 20 + seed), tokenizer)

# The same tokens under other numbers, the special one last.
tokenizer = load("byte-bpe")
data = json.loads(tokenizer.backend_tokenizer.to_str())
order = sorted(data["model"]["vocab"], key=lambda token: (token == "<|endoftext|>", token))
data["model"]["vocab"] = {token: i for i, token in enumerate(order)}
data["added_tokens"][0]["id"] = len(order) - 1
ids = {"bos_token_id": len(order) - 1, "eos_token_id": len(order) - 1, "pad_token_id": None}
save("order", llama(5, len(order), **ids), None)
shutil.copytree(tokenizers / "byte-bpe", out / "order", dirs_exist_ok=True, ignore=shutil.ignore_patterns("golden.json", "vocab.json", "merges.txt"), copy_function=shutil.copyfile)
(out / "order" / "tokenizer.json").write_text(json.dumps(data))
settings = json.loads((out / "order" / "tokenizer_config.json").read_text())
(out / "order" / "tokenizer_config.json").write_text(json.dumps({**settings, "tokenizer_class": "PreTrainedTokenizerFast"}))

# Rows beyond the tokens, tokens beyond the rows, no tokenizer, "<|im_start|>" an ordinary piece.
tokenizer = load("byte-bpe", [im])
save("wide", llama(6, 832, **role_ids(tokenizer)), tokenizer)
save("tight", llama(7, 790, **role_ids(load("byte-bpe"))), load("byte-bpe", [im]))
save("bare", llama(8, 800, **role_ids(load("byte-bpe"))), None)
data = json.loads(load("byte-bpe").backend_tokenizer.to_str())
data["model"]["vocab"]["<|im_start|>"] = len(data["model"]["vocab"])
save("piece", llama(9, 801, **role_ids(load("byte-bpe"))), load("byte-bpe"))
(out / "piece" / "tokenizer.json").write_text(json.dumps(data))
save("deep", llama(10, 800, layers=5, **role_ids(load("byte-bpe"))), load("byte-bpe"))

for seed, (name, kind, extra) in enumerate([("chat", "chat-bpe", []), ("sp", "llama-bpe", []), ("sp-two", "llama-bpe", [im, "helloworld"]), ("uni", "unigram", []), ("uni-two", "unigram", [im, "helloworld"])]):
    tokenizer = load(kind, extra)
    save(name, llama(30 + seed, len(tokenizer), **role_ids(tokenizer)), tokenizer)

for seed, (name, extra) in enumerate([("bert", []), ("bert-two", ["helloworld", AddedToken("[new]", special=True, normalized=False)])]):
    tokenizer = load("wordpiece", extra)
    config = BertConfig(hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, vocab_size=len(tokenizer), max_position_embeddings=128)
    save(name, spread(BertForMaskedLM(config), 40 + seed), tokenizer)
    # mergekit wants the pooler that a masked model does not store.
    weights = load_file(out / name / "model.safetensors")
    draw = torch.Generator().manual_seed(50 + seed)
    weights |= {"bert.pooler.dense.weight": torch.randn(32, 32, generator=draw), "bert.pooler.dense.bias": torch.randn(32, generator=draw)}
    save_file(weights, out / name / "model.safetensors", metadata={"format": "pt"})

from peft import LoraConfig, get_peft_model

torch.manual_seed(11)
for name in ["base", "two"]:
    adapted = get_peft_model(LlamaForCausalLM.from_pretrained(out / name), LoraConfig(r=4, lora_alpha=6, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM"))
    for key, value in adapted.named_parameters():
        if "lora_B" in key:
            torch.nn.init.normal_(value, std=0.05)
    adapted.save_pretrained(out / f"lora-{name}")
