"""Diagonal Fisher information by PyTorch's autograd, text by text: python oracles/fisher.py > test/model/gradient/golden/fisher.json

Tensors are drawn by RandomState(seed) in the order listed, as float32; the test draws them again. Arithmetic is float64.
transformers computes norms and angles of LLaMA in float32 whatever the model's type; here they are float64 like the rest, with its float32 frequencies.
With --model DIR --texts FILE (lines of {"ids": [...], "label": n}) it times a checkpoint in float32 and float64 and writes the diagonal in float64 to --out FILE; --labels is labelled (the default), sampled or expected.
"""
import argparse, copy, json, sys, time
import numpy as np
import torch
from importlib.metadata import version
import transformers
from transformers import AutoConfig
from transformers.models.llama import modeling_llama

sizes = dict(vocab_size=20, hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=10,
             max_position_embeddings=12, hidden_act="gelu", id2label={"0": "a", "1": "b", "2": "c"})
families = [
    ("bert", "BertForSequenceClassification", dict(sizes, type_vocab_size=2, pad_token_id=0, layer_norm_eps=1e-12)),
    ("roberta", "RobertaForSequenceClassification", dict(sizes, type_vocab_size=1, pad_token_id=1, layer_norm_eps=1e-5)),
    ("xlm-roberta", "XLMRobertaForSequenceClassification", dict(sizes, type_vocab_size=1, pad_token_id=1, layer_norm_eps=1e-3)),
    # heads wider than their share of the model, in groups; angles and epsilon that count in ten tokens
    ("llama", "LlamaForSequenceClassification", dict(
        sizes, hidden_act="silu", num_attention_heads=4, num_key_value_heads=2, head_dim=4, pad_token_id=0, rms_norm_eps=1e-2,
        rope_theta=20.0, mlp_bias=True, tie_word_embeddings=True)),
    ("llama", "LlamaForSequenceClassification", dict(
        sizes, hidden_act="silu", num_attention_heads=2, num_key_value_heads=1, rms_norm_eps=1e-5, attention_bias=True, rope_theta=50.0, rope_scaling=dict(rope_type="yarn", factor=2.0, original_max_position_embeddings=6))),
]
# one text of one token, one that repeats a token, one as long as the model reads
examples = [([2, 7, 7, 3, 7], 0), ([5], 2), ([2, 19, 4, 11, 8, 3, 12, 2, 9, 10], 1), ([6, 13, 3], 1)]


class RMSNorm(modeling_llama.LlamaRMSNorm):
    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.variance_epsilon))


class RotaryEmbedding(modeling_llama.LlamaRotaryEmbedding):
    def forward(self, x, position_ids):
        angles = position_ids[:, :, None].to(x.dtype) * self.inv_freq.to(x.dtype)
        angles = torch.cat((angles, angles), dim=-1)
        return angles.cos() * self.attention_scaling, angles.sin() * self.attention_scaling


modeling_llama.LlamaRMSNorm, modeling_llama.LlamaRotaryEmbedding = RMSNorm, RotaryEmbedding


def diagonal(model, texts, labels, seed=0):
    """Mean over texts of squared gradients of log p(y | x)."""
    sums = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
    for (ids, label), draw in zip(texts, np.random.default_rng(seed).random(len(texts))):
        logs = model(input_ids=torch.tensor([ids])).logits[0].log_softmax(-1)
        shares = logs.detach().exp()
        if labels == "sampled":
            label = min(int((shares.cumsum(0) <= draw).sum()), len(shares) - 1)
        classes = range(len(shares)) if labels == "expected" else [label]
        for y in classes:
            model.zero_grad()
            logs[y].backward(retain_graph=True)
            weight = float(shares[y]) if labels == "expected" else 1.0
            for name, p in model.named_parameters():
                if p.grad is not None:
                    sums[name].addcmul_(p.grad, p.grad, value=weight)
    return {name: total / len(texts) for name, total in sums.items()}


def drawn_model(class_name, config, seed):
    model = getattr(transformers, class_name)(AutoConfig.for_model(**copy.deepcopy(config))).double().eval()
    random, names = np.random.RandomState(seed), []
    with torch.no_grad():
        for name, p in model.named_parameters():
            values = random.random_sample(p.numel()) - 0.5 + (1 if "norm.weight" in name.lower() else 0)
            p.copy_(torch.tensor(values.astype(np.float32).astype(np.float64)).reshape(p.shape))
            names.append([name, list(p.shape)])
    return model, names


def golden():
    cases = []
    for seed, (family, class_name, config) in enumerate(families, 1):
        config = dict(config, model_type=family)
        model, tensors = drawn_model(class_name, config, seed)
        # what labels do is the same in every family; one case of each is small
        for labels in ("labelled",) if "attention_bias" in config else ("labelled", "sampled", "expected"):
            values = diagonal(model, examples, labels, seed)
            cases.append({
                "config": dict(config, architectures=[class_name]), "labels": labels, "seed": seed, "tensors": tensors,
                "fisher": {name: [float(f"{v:.8g}") for v in value.flatten().tolist()] for name, value in values.items()},
            })
    made_with = {name: version(name) for name in ("torch", "transformers", "numpy")}
    json.dump({"made_with": made_with, "examples": [{"ids": ids, "label": label} for ids, label in examples], "cases": cases}, sys.stdout, separators=(",", ":"))


def checkpoint(folder, path, out, labels):
    from safetensors.torch import save_file
    texts = [(row["ids"], row["label"]) for row in map(json.loads, open(path))]
    load = lambda dtype: transformers.AutoModelForSequenceClassification.from_pretrained(folder, dtype=dtype).eval()
    for dtype in (torch.float32, torch.float64):
        model, started, used = load(dtype), time.perf_counter(), time.process_time()
        values = diagonal(model, texts, labels)
        seconds, processor = time.perf_counter() - started, time.process_time() - used
        print(f"{len(texts)} texts, {dtype}, {torch.get_num_threads()} threads: {seconds:.2f} s, {processor:.2f} s of processors")
    save_file(values, out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for flag in ("--model", "--texts", "--out"):
        parser.add_argument(flag)
    parser.add_argument("--labels", default="labelled")
    given = parser.parse_args()
    checkpoint(given.model, given.texts, given.out, given.labels) if given.model else golden()
