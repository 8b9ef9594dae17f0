"""Golden scores of rerankers: tiny seeded cross-encoders by sentence-transformers' own CrossEncoder.

pip install sentence-transformers==6.2.0 torch==2.15.0 transformers==5.3.0
python oracles/rerankers.py       writes test/model/checkpoint/golden/rerankers.json

Each case holds the files of the checkpoint (weights as base64 of safetensors) and the scores of pairs.
"""

import base64
import json
import tempfile
from importlib.metadata import version
from pathlib import Path

import torch
from sentence_transformers import CrossEncoder
from sentence_transformers.cross_encoder.modules import Dense, LogitScore, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertModel,
    PreTrainedTokenizerFast,
    Qwen3Config,
    Qwen3ForCausalLM,
    RobertaConfig,
    RobertaForSequenceClassification,
)

GOLDEN = Path(__file__).parent.parent / "test/model/checkpoint/golden/rerankers.json"
PIECES = "[PAD] [UNK] [CLS] [SEP] [MASK] a b c d e cat dog bark ##s ##ing sleep what is the ? . bread bake day long".split()
PAIRS = [
    ["what is a cat ?", "the cat sleeps ."],
    ["what is a cat ?", "the dog barks all day long ."],
    ["dog", "dog dog dog"],
    ["the day", ""],
    ["", "bread"],
    [" bake bread ", "  baking bread . "],
    ["what is the long day ? " * 3, "cat dog bark sleep " * 6],
    ["what " * 30, "cat"],
]


def tokenizer(pair_types, length, lists_types=True):
    core = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    core.normalizer = normalizers.BertNormalizer(lowercase=True)
    core.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    core.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1" if pair_types else "[CLS]:0 $A:0 [SEP]:0 [SEP]:0 $B:0 [SEP]:0",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    more = {} if length is None else {"model_max_length": length}
    if pair_types and lists_types:
        more["model_input_names"] = ["input_ids", "token_type_ids", "attention_mask"]
    return PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]", **more
    )


def bert(labels, **more):
    config = BertConfig(
        vocab_size=len(PIECES), hidden_size=12, num_hidden_layers=2, num_attention_heads=3, intermediate_size=20,
        max_position_embeddings=40, num_labels=labels, pad_token_id=0, **more,
    )  # fmt: skip
    return BertForSequenceClassification(config)


def roberta(labels, **more):
    config = RobertaConfig(
        vocab_size=len(PIECES), hidden_size=12, num_hidden_layers=2, num_attention_heads=3, intermediate_size=20,
        max_position_embeddings=44, type_vocab_size=1, num_labels=labels, pad_token_id=0, **more,
    )  # fmt: skip
    return RobertaForSequenceClassification(config)


IDENTITY = {"activation_fn": "torch.nn.modules.linear.Identity", "version": "6.2.0"}
CASES = {
    "bert, one label": (bert, 1, {}, 24),
    "bert, one label, an activation of its own": (bert, 1, {"sentence_transformers": IDENTITY}, 24),
    "bert, one label, the older key": (bert, 1, {"sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity"}, 24),
    "bert, one label, no length but that of the positions": (bert, 1, {}, None),
    "bert, a tokenizer without token types": (bert, 1, {}, 24),
    "bert, two labels": (bert, 2, {}, 24),
    "roberta, one label": (roberta, 1, {}, 32),
}


def case(name):
    make, labels, keys, length = CASES[name]
    torch.manual_seed(len(name))
    model = make(labels)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn_like(weight) * 0.3)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        tokenizer(make is bert, length, "without token types" not in name).save_pretrained(folder)
        path = Path(folder) / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **keys}))
        files = {
            "config.json": json.loads(path.read_text()),
            **{n: json.loads((Path(folder) / n).read_text()) for n in ("tokenizer.json", "tokenizer_config.json")},
        }
        weights = base64.b64encode((Path(folder) / "model.safetensors").read_bytes()).decode()
        encoder = CrossEncoder(folder, device="cpu")
        scores = encoder.predict(PAIRS, apply_softmax=labels > 1)
        if labels > 1:
            scores = scores[:, 1]
        saved = Path(folder) / "saved"
        encoder.save_pretrained(str(saved))
        if name == "bert, one label, an activation of its own":
            # as the library itself writes a folder
            files = {str(p.relative_to(saved)): json.loads(p.read_text()) for p in saved.rglob("*.json")}
    return {"name": name, "files": files, "weights": weights, "scores": scores.tolist()}


PREFIX = (
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. "
    'Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n'
)
SUFFIX = "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
LENGTH = 400


def byte_tokenizer():
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("y", "e"), ("ye", "s"), ("n", "o"), ("t", "h"), ("th", "e"), ("Ġ", "the"), ("i", "s")]
    vocabulary = {letter: i for i, letter in enumerate([*letters, *("".join(pair) for pair in merges)])}
    core = Tokenizer(models.BPE(vocabulary, merges))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.add_special_tokens(["<|im_start|>", "<|im_end|>", "<|endoftext|>"])
    return PreTrainedTokenizerFast(tokenizer_object=core, eos_token="<|im_end|>", pad_token="<|endoftext|>")


def causal_case():
    """Probability of yes against no, as mteb 2.26.24 asks Qwen3-Reranker (qwen3_reranker.py)."""
    torch.manual_seed(3)
    own = byte_tokenizer()
    config = Qwen3Config(
        vocab_size=len(own), hidden_size=8, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1, head_dim=4,
        intermediate_size=12, max_position_embeddings=512, tie_word_embeddings=True,
    )  # fmt: skip
    model = Qwen3ForCausalLM(config).eval()
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn_like(weight) * 0.4)
    head, tail = (own.encode(text, add_special_tokens=False) for text in (PREFIX, SUFFIX))
    yes, no = own.convert_tokens_to_ids(["yes", "no"])
    scores = []
    for query, document in PAIRS:
        text = f"<Instruct>: Given the user query, retrieval the relevant passages\n<Query>: {query}\n<Document>: {document}"
        body = own(text, truncation="longest_first", max_length=LENGTH - len(head) - len(tail))["input_ids"]
        with torch.no_grad():
            logits = model(torch.tensor([head + body + tail])).logits[0, -1]
        scores.append(torch.log_softmax(torch.stack([logits[no], logits[yes]]).float(), 0)[1].exp().item())
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        own.save_pretrained(folder)
        names = ("config.json", "tokenizer.json", "tokenizer_config.json")
        files = {name: json.loads((Path(folder) / name).read_text()) for name in names}
        weights = base64.b64encode((Path(folder) / "model.safetensors").read_bytes()).decode()
    return {"name": "qwen3, yes or no", "files": files, "weights": weights, "maxLength": LENGTH, "scores": scores}


def drawn(model, seed):
    torch.manual_seed(seed)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn_like(weight) * 0.3)
    return model.eval()


def saved_case(name, encoder, seed, drop=(), **more):
    """A folder as the library writes it, and the scores of the model that it reads from there."""
    drawn(encoder, seed)
    with tempfile.TemporaryDirectory() as folder:
        encoder.save_pretrained(folder)
        root = Path(folder)
        for file in drop:
            (root / file).unlink()
        scores = CrossEncoder(folder, device="cpu", **more).predict(PAIRS)
        texts = {str(p.relative_to(root)): p.read_text() for p in root.rglob("*") if p.suffix in (".json", ".jinja")}
        files = {n: json.loads(t) if n.endswith(".json") else t for n, t in texts.items()}
        files.pop("generation_config.json", None)
        weights = {str(p.relative_to(root)): base64.b64encode(p.read_bytes()).decode() for p in root.rglob("*.safetensors")}
    assert scores.std() > 1e-3, (name, scores)
    own = {"maxLength": more["max_length"]} if "max_length" in more else {}
    return {
        "name": name, "files": files, "weights": weights.pop("model.safetensors"), "moduleWeights": weights, **own,
        "scores": scores.tolist(),
    }  # fmt: skip


def body(make, task, own=None):
    """A Transformer module of a tiny model."""
    with tempfile.TemporaryDirectory() as folder:
        make().save_pretrained(folder)
        (own or tokenizer(True, 24)).save_pretrained(folder)
        return Transformer(folder, transformer_task=task)


def module_cases():
    tanh = torch.nn.Tanh()
    plain = CrossEncoder(modules=[body(lambda: bert(1), "sequence-classification")], device="cpu", activation_fn=torch.nn.Softplus())
    yield saved_case("bert, an activation that is neither sigmoid nor none", plain, 11)
    asked = CrossEncoder(
        modules=[body(lambda: bert(1), "sequence-classification")], device="cpu", prompts={"other": "dog", "ask": "what is "},
        default_prompt_name="ask",
    )  # fmt: skip
    yield saved_case("bert, a prompt in front of the query", asked, 12)
    dense = Dense(3, 1, activation_function=tanh, module_input_name="scores")
    yield saved_case(
        "bert, a Dense behind the head", CrossEncoder(modules=[body(lambda: bert(3), "sequence-classification"), dense], device="cpu"), 13
    )
    encoder = body(lambda: BertModel(bert(1).config), "feature-extraction")
    wide = Dense(12, 5, activation_function=torch.nn.GELU())
    last = Dense(5, 1, activation_function=torch.nn.Identity(), module_output_name="scores")
    pooled = CrossEncoder(modules=[encoder, Pooling(12, pooling_mode="mean"), wide, last], device="cpu")
    yield saved_case("bert, Dense modules behind a pooling", pooled, 14)


FLAT = """{%- set said = messages | selectattr("role", "eq", "system") | map(attribute="content") | first | default("Judge it.") -%}
<|im_start|>system
{{ said }}<|im_end|>
<|im_start|>query
{{ messages | selectattr("role", "eq", "query") | map(attribute="content") | first }}<|im_end|>
<|im_start|>document
{{ messages | selectattr("role", "eq", "document") | map(attribute="content") | first }}<|im_end|>
Is it {{ said }}"""
PARTS = """{%- for message in messages -%}
<|im_start|>{{ message.role }}: {{ message.content[0].text }}<|im_end|>
{%- endfor -%}
yes or no: """


def qwen(size):
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=size, hidden_size=8, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1, head_dim=4,
            intermediate_size=12, max_position_embeddings=512, tie_word_embeddings=True,
        )
    )  # fmt: skip


def chat_module(template, length=None):
    own = byte_tokenizer()
    own.chat_template = template
    if length is not None:
        own.model_max_length = length
    return own, body(lambda: qwen(len(own)), "text-generation", own)


def chat_cases():
    own, first = chat_module(FLAT, 100)
    yes, no = own.convert_tokens_to_ids(["yes", "no"])
    asked = CrossEncoder(modules=[first, LogitScore(yes, no)], device="cpu", prompts={"query": "true or not?"}, default_prompt_name="query")
    yield saved_case("qwen3, a LogitScore behind a chat, cut to its words", asked, 21)
    _, first = chat_module(PARTS)
    alone = CrossEncoder(modules=[first, LogitScore(no)], device="cpu", activation_fn=torch.nn.Identity())
    yield saved_case("qwen3, the logit of one token, texts as parts", alone, 22)
    _, first = chat_module(FLAT)
    plain = CrossEncoder(modules=[first, LogitScore(yes, no)], device="cpu")
    drop = ("modules.json", "sentence_bert_config.json", "config_sentence_transformers.json")
    yield saved_case("qwen3, a template and no modules", plain, 23, drop, max_length=90)
    _, first = chat_module(None)
    pair = CrossEncoder(modules=[first, LogitScore(yes, no)], device="cpu")
    yield saved_case("qwen3, modules and no template", pair, 24, max_length=60)


if __name__ == "__main__":
    made = {n: version(n) for n in ("sentence-transformers", "transformers", "torch")}
    cases = [*(case(name) for name in CASES), causal_case(), *module_cases(), *chat_cases()]
    GOLDEN.write_text(json.dumps({"with": made, "pairs": PAIRS, "cases": cases}) + "\n")
