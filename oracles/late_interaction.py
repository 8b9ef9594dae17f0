"""Golden scores of late interaction: tiny seeded models by pylate, which reads ColBERT's own checkpoints too, and by
sentence-transformers' MultiVectorEncoder.

pip install pylate==1.6.0 (with sentence-transformers 5.3.0)  and, in another environment, sentence-transformers==6.2.0
python oracles/late_interaction.py       makes the cases of the installed library and leaves those of the other one in
                                         test/model/checkpoint/golden/late-interaction.json

Each case holds the files of the checkpoint (weights as base64 of safetensors, by path), the scores of every query and
document, and those of each hidden state's tokens: all that the attention mask keeps, without markers or expansion.
"""

import base64
import json
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import torch
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel, ModernBertConfig, ModernBertModel, PreTrainedTokenizerFast

GOLDEN = Path(__file__).parent.parent / "test/model/checkpoint/golden/late-interaction.json"
PIECES = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] a b c d e cat dog bark ##s ##ing sleep what is the ? . bread bake day long , query : document".split()
)
QUERIES = ["what is a cat ?", "dog", "", "what is the long day ? " * 3, "bake , bread .", "zebra"]
DOCUMENTS = [
    "the cat sleeps .",
    "the dog barks all day long .",
    "dog dog dog",
    "",
    "? . ,",
    "cat dog bark sleep " * 6,
    "  baking bread . ",
    "unknown zebra , bread",
    "the day",
]


def tokenizer(markers, side="right", pieces=PIECES):
    core = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    core.normalizer = normalizers.BertNormalizer(lowercase=True)
    core.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    core.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0", pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    out = PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]",
        model_max_length=30, padding_side=side, model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )  # fmt: skip
    if markers:
        out.add_special_tokens({"additional_special_tokens": [AddedToken(m, normalized=False) for m in ("[Q] ", "[D] ")]})
    return out


def bert(vocabulary):
    return BertModel(
        BertConfig(
            vocab_size=vocabulary, hidden_size=24, num_hidden_layers=2, num_attention_heads=3, intermediate_size=20,
            max_position_embeddings=40, pad_token_id=0,
        )
    )  # fmt: skip


def modernbert(vocabulary, window=8):
    return ModernBertModel(
        ModernBertConfig(
            vocab_size=vocabulary, hidden_size=24, num_hidden_layers=3, num_attention_heads=3, intermediate_size=20,
            max_position_embeddings=40, local_attention=window, global_attn_every_n_layers=3, pad_token_id=0, cls_token_id=2, sep_token_id=3,
            attn_implementation="eager",
        )
    )  # fmt: skip


def wide(vocabulary):
    """No token of an expansion is without a text in its window: libraries differ in what such a token is."""
    return modernbert(vocabulary, 32)


# name -> (make, markers in the tokenizer, padding side, settings)
PYLATE = {
    "pylate, bert, expansion that none attends to": (bert, {"query_length": 12, "document_length": 14}),
    "pylate, bert, expansion that all attend to": (
        bert, {"query_length": 9, "document_length": 30, "attend_to_expansion_tokens": True, "skiplist_words": ["."]},
    ),
    "pylate, bert, no expansion": (bert, {"query_length": 8, "document_length": 20, "do_query_expansion": False, "skiplist_words": []}),
    "pylate, modernbert": (wide, {"query_length": 12, "document_length": 14}),
}  # fmt: skip

# name -> artifact.metadata; None: no such file
COLBERT = {
    "colbert, its own checkpoint": {
        "query_token_id": "[unused0]", "doc_token_id": "[unused1]", "query_token": "[Q]", "doc_token": "[D]", "query_maxlen": 12,
        "doc_maxlen": 14, "dim": 16, "similarity": "cosine", "mask_punctuation": True, "attend_to_mask_tokens": False,
    },
    "colbert, its own checkpoint, other tokens, expansion that all attend to": {
        "query_token_id": "[unused1]", "doc_token_id": "[unused0]", "query_maxlen": 9, "doc_maxlen": 30, "attend_to_mask_tokens": True,
    },
    "colbert, its own checkpoint, no settings": None,
}  # fmt: skip

EXPANSION = {"strategy": "fixed", "attend": False, "length": 12}
PROMPTS = {"query": "[Q] ", "document": "[D] "}
MULTI = {
    "multi-vector, bert, a token of its own": (bert, True, "right", PROMPTS, {"query_expansion": {**EXPANSION, "token": "[PAD]"}, "document_length": 14}, {}),
    "multi-vector, bert, the least length": (
        bert, True, "right", PROMPTS, {"query_expansion": {**EXPANSION, "strategy": "min", "length": 8, "attend": True}, "document_length": 30},
        {"skiplist_words": ["?", ".", "missing"], "skiplist_tasks": ["query", "document"]},
    ),
    "multi-vector, bert, padded on the left": (bert, True, "left", PROMPTS, {"query_expansion": EXPANSION}, {}),
    "multi-vector, bert, prompts in words": (
        bert, False, "right", {"query": "query : ", "document": "document : "}, {"query_length": 10, "document_length": 16}, {},
    ),
    "multi-vector, modernbert, means": (modernbert, False, "left", {}, {}, {"skiplist_words": [","]}),
}  # fmt: skip


def body(make, markers, side, folder):
    own = tokenizer(markers, side)
    model = make(len(own))
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn_like(weight) * 0.3)
    model.save_pretrained(folder)
    own.save_pretrained(folder)


def by_pylate(name, folder):
    from pylate import models as pylate

    make, settings = PYLATE[name]
    body(make, True, "right", folder)
    return scored(pylate.ColBERT(folder, embedding_size=16, device="cpu", **settings))


def scored(one):
    from pylate.scores import colbert_scores_pairwise

    queries = one.encode(QUERIES, is_query=True, convert_to_tensor=True, show_progress_bar=False)
    # alone: without a mask, padding counts as a token of similarity 0
    documents = [one.encode([d], is_query=False, convert_to_tensor=True, show_progress_bar=False)[0] for d in DOCUMENTS]
    return one, [[float(colbert_scores_pairwise([q], [d])[0]) for d in documents] for q in queries]


def by_colbert(name, folder):
    """The folder as ColBERT's program writes it: `bert.` before the names of BERT, the projection beside."""
    from pylate import models as pylate
    from safetensors.torch import save_file

    own = tokenizer(False, pieces=[*PIECES, "[unused0]", "[unused1]"])
    model = bert(len(own))
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn_like(weight) * 0.3)
    model.config.architectures = ["HF_ColBERT"]
    model.config.save_pretrained(folder)
    own.save_pretrained(folder)
    tensors = {f"bert.{key}": value for key, value in model.state_dict().items() if "position_ids" not in key}
    save_file({**tensors, "linear.weight": torch.randn(16, 24) * 0.2}, f"{folder}/model.safetensors", {"format": "pt"})
    if COLBERT[name] is not None:
        (Path(folder) / "artifact.metadata").write_text(json.dumps(COLBERT[name]))
    return scored(pylate.ColBERT(folder, device="cpu"))


def by_multi(name, folder):
    from sentence_transformers import MultiVectorEncoder
    from sentence_transformers.base.modules import Dense, Normalize, Transformer
    from sentence_transformers.multi_vector_encoder.modules import MultiVectorMask

    make, markers, side, prompts, settings, mask = MULTI[name]
    body(make, markers, side, folder)
    means = "means" in name
    level = {"module_input_name": "token_embeddings"}
    modules = [
        Transformer(folder, **settings),
        MultiVectorMask(**mask),
        Dense(24, 16, bias=means, activation_function=torch.nn.Tanh() if means else torch.nn.Identity(), **level),
        Normalize(**level),
    ]
    one = MultiVectorEncoder(modules=modules, prompts=prompts or None, device="cpu", similarity_fn_name="meanmaxsim" if means else "maxsim")
    # alone: padding on the left would move the positions of BERT
    return one, one.similarity(one.encode_query(QUERIES, batch_size=1), one.encode_document(DOCUMENTS, batch_size=1)).tolist()


def of_states(folder):
    """All states, each text alone, without markers."""
    model, own = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)

    def vectors(text):
        with torch.no_grad():
            states = model(**own(text, return_tensors="pt", truncation=True, max_length=30), output_hidden_states=True).hidden_states
        return [torch.nn.functional.normalize(state[0], dim=-1) for state in states]

    queries, documents = [vectors(q) for q in QUERIES], [vectors(d) for d in DOCUMENTS]
    return [
        [[float((q[h] @ d[h].T).max(dim=1).values.sum()) for d in documents] for q in queries] for h in range(len(queries[0]))
    ]


def case(name, make):
    torch.manual_seed(len(name))
    with tempfile.TemporaryDirectory() as folder:
        one, scores = make(name, folder)
        saved = Path(folder)
        if name not in COLBERT:
            saved = saved / "saved"
            one.save_pretrained(str(saved))
        texts = [*saved.rglob("*.json"), *saved.rglob("artifact.metadata")]
        files = {str(p.relative_to(saved)): json.loads(p.read_text()) for p in sorted(texts)}
        weights = {str(p.relative_to(saved)): base64.b64encode(p.read_bytes()).decode() for p in sorted(saved.rglob("*.safetensors"))}
        return {"name": name, "files": files, "weights": weights, "scores": scores, "states": of_states(str(saved))}


if __name__ == "__main__":
    known = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {"with": {}, "cases": []}
    try:
        made, makers = {"pylate": version("pylate")}, [(PYLATE, by_pylate), (COLBERT, by_colbert)]
    except PackageNotFoundError:
        made, makers = {"sentence-transformers": version("sentence-transformers")}, [(MULTI, by_multi)]
    kept = {c["name"]: c for c in known["cases"]} | {name: case(name, make) for names, make in makers for name in names}
    cases = [kept[name] for name in (*PYLATE, *COLBERT, *MULTI) if name in kept]
    packages = known["with"] | made | {n: version(n) for n in ("transformers", "torch")}
    GOLDEN.write_text(json.dumps({"with": packages, "queries": QUERIES, "documents": DOCUMENTS, "cases": cases}) + "\n")
