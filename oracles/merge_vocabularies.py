"""Merges of models whose vocabularies differ: test/experiment/write/golden/vocabularies.json (mergekit 0.1.5, torch 2.15.0, transformers 5.23.0). Prints the file. `python -P`."""
import importlib.metadata, json, logging, os, tempfile, warnings
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TQDM_DISABLE"] = "1"
import torch
import yaml
from safetensors.torch import load_file
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM
from mergekit.config import MergeConfiguration
from mergekit.merge import run_merge
from mergekit.options import MergeOptions

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
draw = torch.Generator().manual_seed(5)
texts = ["a b ab", "abc bc", "<x>ab <y> q", "QA <s>", "zz q", "<n> a"]
kept = ["model.embed_tokens.weight", "lm_head.weight", "model.layers.0.input_layernorm.weight", "model.layers.1.input_layernorm.weight"]


def made(folder, pieces, merges, added, rows=None):
    tokenizer = Tokenizer(models.BPE(vocab={piece: i for i, piece in enumerate(pieces)}, merges=merges))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.add_tokens([AddedToken("<s>", special=True, normalized=False), *added])
    config = LlamaConfig(hidden_size=2, intermediate_size=2, num_hidden_layers=2, num_attention_heads=1, num_key_value_heads=1, vocab_size=rows or tokenizer.get_vocab_size(), bos_token_id=None, eos_token_id=tokenizer.token_to_id("<s>"), tie_word_embeddings=False)
    model = LlamaForCausalLM(config)
    with torch.no_grad():
        for value in model.parameters():
            # Halves and quarters of these are exact: nothing is rounded.
            value.copy_(torch.randint(-64, 64, value.shape, generator=draw) / 64)
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<s>"}))
    tensors = load_file(folder / "model.safetensors")
    return {"config": json.loads((folder / "config.json").read_text()), "tokenizer": json.loads((folder / "tokenizer.json").read_text()), "tensors": {name: tensors[name].tolist() for name in kept}}


def linear(more, models=("base", "two", "other")):
    return "merge_method: linear\nbase_model: $base\nmodels:\n" + "".join(f"  - {{model: ${model}, parameters: {{weight: {weight}}}}}\n" for model, weight in zip(models, [0.5, 0.25, 0.25])) + more


recipes = {
    "union": linear("tokenizer_source: union\n"),
    "base": linear("tokenizer_source: base\n"),
    "of a model": linear("tokenizer_source: $other\n"),
    "padded": linear("tokenizer: {source: union, pad_to_multiple_of: 8}\n"),
    "zeros": linear('tokenizer: {tokens: {"<n>": {source: {kind: zero}}, "<y>": {source: {kind: zero}, force: true}}}\n'),
    "like another token": linear('tokenizer: {tokens: {"<n>": {source: {kind: model_token, model: {model: {path: $two}}, token: q}}}}\n'),
    "like an id": linear('tokenizer: {source: $other, tokens: {"<n>": {source: {kind: model_token, model: $two, token_id: 3}}, ab: {source: $two, force: true}}}\n'),
    "no tokenizer": linear("tokenizer_source: union\n", ("base", "bare", "other")),
    "not merged": linear("tokenizer_source: $two\n", ("base", "bare")).replace("0.25", "0.5"),
    "base with a weight": "merge_method: linear\nbase_model: $base\nmodels: [{model: $two}, {model: $other}]\nparameters: {weight: 1, normalize: false}\ntokenizer_source: union\n",
    "stacked": "merge_method: passthrough\nbase_model: $base\nslices:\n  - sources: [{model: $base, layer_range: [0, 2]}]\n  - sources: [{model: $two, layer_range: [1, 2]}]\ntokenizer_source: union\n",
}
with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    pieces = ["<unk>", "a", "b", "c", "ab"]
    inputs = {
        "base": made(folder / "base", pieces, [("a", "b")], []),
        "two": made(folder / "two", pieces, [("a", "b")], [AddedToken("<x>", special=True, normalized=False), AddedToken("q", normalized=True)]),
        "other": made(folder / "other", ["c", "b", "a", "<x>", "bc", "ab"], [("b", "c"), ("a", "b")], [AddedToken("<y>", rstrip=True, normalized=False)], rows=9),
        "bare": made(folder / "bare", pieces, [("a", "b")], []),
    }
    for file in ["tokenizer.json", "tokenizer_config.json"]:
        (folder / "bare" / file).unlink()
    del inputs["bare"]["tokenizer"]
    cases = []
    for name, recipe in recipes.items():
        out = folder / "out" / name
        run_merge(MergeConfiguration.model_validate(yaml.safe_load(recipe.replace("$", f"{folder}/"))), str(out), options=MergeOptions(quiet=True), config_source=recipe)
        tokenizer, tensors = AutoTokenizer.from_pretrained(out), load_file(out / "model.safetensors")
        cases.append(
            {
                "name": name,
                "recipe": recipe,
                "vocabulary": tokenizer.get_vocab(),
                "flags": {token.content: [token.special, token.normalized, token.lstrip, token.rstrip] for token in tokenizer.added_tokens_decoder.values()},
                "pieces": {text: tokenizer.convert_ids_to_tokens(tokenizer(text)["input_ids"]) for text in texts},
                "vocab_size": json.loads((out / "config.json").read_text())["vocab_size"],
                "tensors": {tensor: tensors[tensor].tolist() for tensor in kept[:2]},
            }
        )
print(json.dumps({"source": ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ["mergekit", "torch", "transformers"]), "models": inputs, "cases": cases}))
