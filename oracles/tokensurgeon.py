"""Rows that mergekit-tokensurgeon makes up: test/model/transplant/golden/tokensurgeon.json (mergekit 0.1.4, torch 2.15.0, transformers 4.57.6). Prints the file. `python -P`: other scripts here have the names of modules."""
import base64, importlib.metadata, json, logging, os, tempfile, warnings
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TQDM_DISABLE"] = "1"
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM
from mergekit.scripts.tokensurgeon import main
from mergekit.tokensurgeon import WeightingScheme, batch_mp_rope, batch_omp, common_interp_approximate, compute_token_basis, well_trained_tokens
from mergekit.tokensurgeon.common_interpolation import DistanceMetric

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
torch.set_num_threads(1)
draw = torch.Generator().manual_seed(20)


def packed(tensor):
    tensor = tensor.detach().to(torch.float32).contiguous()
    return {"shape": list(tensor.shape), "base64": base64.b64encode(tensor.numpy().tobytes()).decode()}


def normal(*shape):
    return torch.randn(*shape, generator=draw)


# Rows in which a few directions dominate, and the same tokens in two spaces.
donor, model, targets = normal(40, 12) / (1 + torch.arange(12)) ** 0.5, normal(40, 16) / (1 + torch.arange(16)) ** 0.5, normal(6, 12) / (1 + torch.arange(12)) ** 0.5
out = {"source": ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ["mergekit", "torch", "transformers"]), "donor": packed(donor), "model": packed(model), "targets": packed(targets)}

out["omp"] = []
for k in [1, 5, 12]:
    indices, weights = batch_omp(targets, donor, k)
    out["omp"].append({"k": k, "points": indices.tolist(), "rows": packed(torch.bmm(weights.unsqueeze(1), model[indices]).squeeze(1))})

out["interpolation"] = []
for metric in DistanceMetric:
    for scheme in WeightingScheme:
        # More neighbours than dimensions too: the shortest weights then.
        for k in [4, 20]:
            indices, weights = common_interp_approximate(targets, donor, k=k, metric=metric, weight_scheme=scheme)
            out["interpolation"].append({"cosine": metric == DistanceMetric.COSINE, "scheme": scheme.value, "k": k, "points": indices.tolist(), "weights": packed(weights)})

_, _, turned, _ = batch_mp_rope(targets, donor, model, k=4, num_heads_a=3, num_heads_b=2, a_rope_base=10000.0, b_rope_base=500000.0)
out["mp_rope"] = {"k": 4, "heads": [3, 2], "bases": [10000.0, 500000.0], "rows": packed(turned)}

# The function that the command calls with the wrong argument, and what the command does with its result.
names = {str(i): i for i in range(40)}
donor_basis, model_basis = compute_token_basis(model, donor, names, names, [], 6)
coordinates = torch.linalg.lstsq(donor_basis.T, (targets - donor.mean(dim=0)).T).solution.T
out["stb"] = {"k": 6, "rows": packed(coordinates @ model_basis + model.mean(dim=0))}

# Rows of tokens that nobody saw lie together; some are short.
embed, head = normal(300, 8), normal(300, 8)
unused = normal(8) * 2
embed[290:], head[290:] = unused + normal(10, 8) * 0.05, unused + normal(10, 8) * 0.05
embed[7], embed[17], embed[30] = unused * 0.9, embed[17] * 0.01, embed[30] * 0.02
vocabulary = {f"t{i}": i for i in range(294)} | {"<reserved_special_token_3>": 294}
out["magikarp"] = {
    "embed": packed(embed),
    "head": packed(head),
    "tokens": list(vocabulary),
    "tied": sorted(set(vocabulary.values()) - {vocabulary[t] for t in well_trained_tokens(vocabulary, embed, None)}),
    "untied": sorted(set(vocabulary.values()) - {vocabulary[t] for t in well_trained_tokens(vocabulary, embed, head)}),
}

# The command itself on two small models whose tokenizers write words differently.
letters = "abcdefgh"


def bpe(first, letters, merges, more):
    vocabulary = {token: i for i, token in enumerate([*first, *letters, *(a + b for a, b in merges), *more])}
    return models.BPE(vocab=vocabulary, merges=merges, unk_token="<unk>" if "<unk>" in vocabulary else None)


pieces = Tokenizer(bpe(["<unk>", "<s>", "</s>", "<0x0A>", "<0x69>", "<0xC3>"], ["▁", *letters], [("a", "b"), ("c", "d"), ("▁", "a"), ("▁", "ab"), ("▁", "cd"), ("e", "f"), ("ab", "cd"), ("▁", "e")], []))
pieces.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
pieces.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
pieces.add_special_tokens(["<unk>", "<s>", "</s>"])
bytes_ = Tokenizer(bpe(["<|begin|>", "<|end|>"], ["Ġ", *letters, "i", "j", "Ã", "A"], [("Ġ", "ab"), ("a", "b"), ("b", "c"), ("Ġ", "a"), ("ab", "c"), ("d", "e"), ("e", "f"), ("Ġ", "cd"), ("c", "d"), ("cd", "gh"), ("g", "h"), ("Ġ", "abc"), ("Ġcd", "ef")], ["Ġabcd"]))
bytes_.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
bytes_.decoder = decoders.ByteLevel()
bytes_.add_special_tokens(["<|begin|>", "<|end|>"])


def written(folder, tokenizer, settings, width, tied, seed):
    folder.mkdir()
    torch.manual_seed(seed)
    special = {key.replace("_token", "_token_id"): tokenizer.token_to_id(value) for key, value in settings.items() if key.endswith("_token")}
    made = LlamaForCausalLM(LlamaConfig(hidden_size=width, intermediate_size=width, num_hidden_layers=1, num_attention_heads=2, vocab_size=tokenizer.get_vocab_size(), tie_word_embeddings=tied, max_position_embeddings=32, **special))
    with torch.no_grad():
        for value in made.parameters():
            value.copy_(torch.randn(value.shape, generator=draw))
    made.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))


def described(folder):
    config = json.loads((folder / "config.json").read_text())
    return {
        "config": {key: config.get(key) for key in ["architectures", "model_type", "hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size", "tie_word_embeddings", "rope_theta", "bos_token_id", "eos_token_id", "pad_token_id"]},
        "tokenizer": json.loads((folder / "tokenizer.json").read_text()),
        "settings": json.loads((folder / "tokenizer_config.json").read_text()),
        "tensors": {name: packed(value) for name, value in load_file(folder / "model.safetensors").items() if "layers." not in name},
    }


with tempfile.TemporaryDirectory() as place:
    place = Path(place)
    written(place / "pieces", pieces, {"tokenizer_class": "LlamaTokenizerFast", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}, 8, False, 1)
    written(place / "bytes", bytes_, {"tokenizer_class": "GPT2TokenizerFast", "bos_token": "<|begin|>", "eos_token": "<|end|>", "unk_token": "<|end|>"}, 6, True, 2)
    out["models"] = {name: described(place / name) for name in ["pieces", "bytes"]}
    out["cases"] = []
    for number, flags in enumerate([[], ["-k", "4"], ["-a", "mean"], ["-a", "mean", "--prefix-match", "yes"], ["-a", "zero", "--byte-match", "embed"], ["-a", "zero", "--byte-match", "lm_head"], ["-k", "4", "--new-vocab-scale", "0.5"], ["-a", "subword"], ["-a", "subword", "-s", "sum"], ["-a", "subword", "-s", "weighted_mean"], ["-a", "subword", "-s", "first_last"], ["-a", "common_interpolation", "-k", "3", "-c"]]):
        for model_name, donor_name in [("pieces", "bytes"), ("bytes", "pieces")]:
            target = place / f"out-{number}-{model_name}"
            try:
                main.main(args=[str(place / model_name), str(place / donor_name), str(target), "--clone-tensors", *flags], standalone_mode=False)
            except Exception as error:
                # What it refuses is told, not left out.
                out["cases"].append({"model": model_name, "donor": donor_name, "flags": flags, "error": f"{type(error).__name__}: {error}"})
                continue
            config = json.loads((target / "config.json").read_text())
            tensors = load_file(target / "model.safetensors")
            out["cases"].append({"model": model_name, "donor": donor_name, "flags": flags, "config": {key: config.get(key) for key in ["vocab_size", "bos_token_id", "eos_token_id", "pad_token_id"]}, "tensors": {name: packed(tensors[name]) for name in ["model.embed_tokens.weight", "lm_head.weight"] if name in tensors}})
print(json.dumps(out, ensure_ascii=False, separators=(",", ":")))
