"""Golden sparse vectors: tiny seeded models by sentence-transformers' own SparseEncoder.

pip install sentence-transformers==6.2.0 torch==2.15.0 transformers==5.3.0
python oracles/sparse.py       writes test/model/checkpoint/golden/sparse.json

Each case holds the files of the folder as the library writes it (by their hashes, weights as base64), the vectors of the texts asked
plainly, as queries and as documents (of each its columns and weights), and the scores of all queries for all documents.
"""

import base64
import hashlib
import json
import tempfile
from importlib.metadata import version
from pathlib import Path

import torch
from sentence_transformers import SparseEncoder
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling
from sentence_transformers.sparse_encoder.modules import (
    MLMTransformer,
    Router,
    SparseAutoEncoder,
    SparseStaticEmbedding,
    SpladePooling,
    Transformer,
)
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForMaskedLM,
    DistilBertConfig,
    DistilBertForMaskedLM,
    ModernBertConfig,
    ModernBertForMaskedLM,
    PreTrainedTokenizerFast,
)

GOLDEN = Path(__file__).parent.parent / "test/model/checkpoint/golden/sparse.json"
PIECES = "[PAD] [UNK] [CLS] [SEP] [MASK] a b c d e cat dog bark ##s ##ing sleep what is the ? . bread bake day long".split()
QUERIES = ["what is a cat ?", "dog", "", "the day the day", "zebra ?"]
DOCUMENTS = [
    "the cat sleeps .",
    "the dog barks all day long .",
    "",
    "bread",
    "  baking bread . ",
    "cat dog bark sleep " * 12,
]


def tokenizer(length=24):
    core = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    core.normalizer = normalizers.BertNormalizer(lowercase=True)
    core.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    core.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]", model_max_length=length,
    )  # fmt: skip


def bert(words=len(PIECES)):
    return BertForMaskedLM(
        BertConfig(
            vocab_size=words, hidden_size=12, num_hidden_layers=2, num_attention_heads=3, intermediate_size=20,
            max_position_embeddings=40, pad_token_id=0,
        )
    )  # fmt: skip


def distilbert():
    return DistilBertForMaskedLM(
        DistilBertConfig(vocab_size=len(PIECES), dim=12, n_layers=2, n_heads=3, hidden_dim=20, max_position_embeddings=40)
    )


def modernbert():
    return ModernBertForMaskedLM(
        ModernBertConfig(
            vocab_size=len(PIECES), hidden_size=12, num_hidden_layers=3, num_attention_heads=3, intermediate_size=20,
            max_position_embeddings=40, pad_token_id=0, cls_token_id=2, sep_token_id=3, bos_token_id=2, eos_token_id=3,
            local_attention=6,
        )
    )  # fmt: skip


def checkpoint(make, folder):
    torch.manual_seed(len(make.__name__))
    model = make()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            # words far apart, so that texts are not all alike
            spread = 1.5 if "word_embeddings" in name or "tok_embeddings" in name else 0.3
            weight.add_(torch.randn_like(weight) * spread)
    model.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return str(folder)


def filled(module):
    """Weights that are not those it starts with."""
    with torch.no_grad():
        for weight in module.parameters():
            weight.copy_(torch.randn_like(weight) * 0.5)
    return module


def mlm(folder, **more):
    return Transformer(folder, transformer_task="fill-mask", **more)


def static(words=len(PIECES)):
    return SparseStaticEmbedding(tokenizer(7), weight=torch.rand(words) * 3)


def csr(folder, normalize=False):
    pooling = Pooling(12, pooling_mode="mean")
    return [Transformer(folder), pooling, filled(SparseAutoEncoder(12, 30, k=5, k_aux=9, normalize=normalize))]


def routed(query, document, **more):
    return [Router.for_query_document(query, document, **more)]


PROMPTS = {"prompts": {"query": "what is ", "document": "the "}}
CASES = {
    "bert, max": (bert, lambda f: [mlm(f), SpladePooling("max")], {}),
    "bert, sum": (bert, lambda f: [mlm(f), SpladePooling("sum")], {}),
    "bert, max, the logarithm twice": (bert, lambda f: [mlm(f), SpladePooling("max", "log1p_relu")], {}),
    "bert, sum, the logarithm twice": (bert, lambda f: [mlm(f), SpladePooling("sum", "log1p_relu", chunk_size=3)], {}),
    "distilbert, max": (distilbert, lambda f: [mlm(f), SpladePooling("max", embedding_dimension=25)], {}),
    "modernbert, sum": (modernbert, lambda f: [mlm(f), SpladePooling("sum")], {}),
    "an older folder": (bert, lambda f: [MLMTransformer(f), SpladePooling("max")], {}),
    "four active, cosine": (
        bert, lambda f: [mlm(f), SpladePooling("max")], {"max_active_dims": 4, "similarity_fn_name": "cosine"},
    ),
    "of length one": (bert, lambda f: [mlm(f), SpladePooling("max"), Normalize()], {}),
    "prompts": (bert, lambda f: [mlm(f), SpladePooling("max")], PROMPTS),
    "an autoencoder": (bert, csr, {}),
    "an autoencoder of standardised vectors": (bert, lambda f: csr(f, True), {}),
    "an autoencoder, seven active": (bert, csr, {"max_active_dims": 7}),
    "static": (bert, lambda f: [static()], PROMPTS),
    "queries by a table": (bert, lambda f: routed([static()], [mlm(f), SpladePooling("max")]), PROMPTS),
    "plainly as queries": (
        bert, lambda f: routed([static()], [mlm(f), SpladePooling("max")], default_route="query"), {},
    ),
    "two models": (
        bert,
        lambda f: routed(
            [mlm(checkpoint(distilbert, Path(f) / "other")), SpladePooling("sum")], [mlm(f), SpladePooling("max")]
        ),
        {},
    ),
    "one model, two poolings": (
        bert, lambda f: (lambda body: routed([body, SpladePooling("max")], [body, SpladePooling("sum")]))(mlm(f)), {},
    ),
}  # fmt: skip


def vectors(found):
    dense = found.to_dense()
    rows = [[i for i, value in enumerate(row) if value != 0] for row in dense.tolist()]
    return [{"columns": own, "weights": [dense[r][i].item() for i in own]} for r, own in enumerate(rows)]


CONTENTS = {}


def hashed(path):
    key = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    is_json = path.suffix == ".json"
    CONTENTS[key] = json.loads(path.read_text()) if is_json else base64.b64encode(path.read_bytes()).decode()
    return key


def encoded(path):
    files = [p for p in sorted(Path(path).rglob("*")) if p.is_file() and p.suffix in (".json", ".safetensors")]
    return {str(p.relative_to(path)): hashed(p) for p in files}


def case(name):
    make, modules, settings = CASES[name]
    torch.manual_seed(len(name))
    with tempfile.TemporaryDirectory() as folder:
        body = checkpoint(make, Path(folder) / "body")
        encoder = SparseEncoder(modules=modules(body), device="cpu", **settings)
        saved = Path(folder) / "saved"
        encoder.save_pretrained(str(saved), create_model_card=False)
        encoder = SparseEncoder(str(saved), device="cpu")
        queries, documents = encoder.encode_query(QUERIES), encoder.encode_document(DOCUMENTS)
        return {
            "name": name,
            "files": encoded(saved),
            "width": encoder.get_embedding_dimension() or queries.shape[1],
            "plain": vectors(encoder.encode(DOCUMENTS)),
            "queries": vectors(queries),
            "documents": vectors(documents),
            "scores": encoder.similarity(queries, documents).tolist(),
        }


if __name__ == "__main__":
    made = {n: version(n) for n in ("sentence-transformers", "transformers", "torch")}
    cases = [case(name) for name in CASES]
    GOLDEN.write_text(json.dumps({"with": made, "queries": QUERIES, "documents": DOCUMENTS, "contents": CONTENTS, "cases": cases}) + "\n")
