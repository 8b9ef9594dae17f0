"""Small SentencePiece models, and the token ids that transformers gives with them:

    python oracles/sentencepiece_models.py     test/model/tokenizer/golden/sentencepiece.json

with sentencepiece 0.2.3 and transformers 5.24.0. A folder holds the `.model` file and tokenizer_config.json, no
tokenizer.json.
"""
import base64
import json
import pathlib
import random
import tempfile

import sentencepiece
import transformers

golden = pathlib.Path(__file__).parent.parent / "test" / "model" / "tokenizer" / "golden" / "sentencepiece.json"
words = "the cat sat on a mat and dogs ran over hills while rain fell softly café naïve 12 345 under Trees ﬁne".split()
random.seed(33)
corpus = [" ".join(random.choices(words, k=random.randint(3, 9))) for _ in range(400)]
texts = ["the cat sat", "  two  spaces ", "Trees over café!", "", "rain\nfell ﬁne", "12 mats", "unknown ☃ sign", "<extra_id_0> the </s>", "the <mask> sat"]
pairs = [["the cat", "a mat"]]
cases = {
    "LlamaTokenizer": ("tokenizer.model", "bpe", {"byte_fallback": True, "vocab_size": 340}, {"add_bos_token": True}),
    "LlamaTokenizer legacy": ("tokenizer.model", "bpe", {"byte_fallback": True, "vocab_size": 340}, {"legacy": True, "add_bos_token": True, "add_eos_token": True}),
    "T5Tokenizer": ("spiece.model", "unigram", {"vocab_size": 80, "pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}, {}),
    "XLMRobertaTokenizer": ("sentencepiece.bpe.model", "unigram", {"vocab_size": 80}, {}),
    "AlbertTokenizer": (
        "spiece.model", "unigram",
        {"vocab_size": 80, "pad_id": 0, "unk_id": 1, "bos_id": -1, "eos_id": -1, "control_symbols": ["[CLS]", "[SEP]"], "user_defined_symbols": ["[MASK]"]}, {},
    ),
}
made = {}
for title, (file, kind, options, config) in cases.items():
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "corpus.txt"
        source.write_text("\n".join(corpus))
        # one rule of NFKC: all of them would take 240 kB
        rules = pathlib.Path(folder) / "rules.tsv"
        rules.write_text("FB01\t66 69\n")
        sentencepiece.SentencePieceTrainer.train(
            input=str(source), model_prefix=f"{folder}/m", model_type=kind, character_coverage=1.0, hard_vocab_limit=False,
            minloglevel=2, **({"normalization_rule_name": "identity"} if kind == "bpe" else {"normalization_rule_tsv": str(rules)}), **options,
        )
        data = pathlib.Path(f"{folder}/m.model").read_bytes()
        out = pathlib.Path(folder) / "tokenizer"
        out.mkdir()
        (out / file).write_bytes(data)
        settings = {"tokenizer_class": title.split()[0], **config}
        (out / "tokenizer_config.json").write_text(json.dumps(settings))
        tokenizer = getattr(transformers, title.split()[0]).from_pretrained(out)
        made[title] = {
            "path": file, "model": base64.b64encode(data).decode(), "config": settings,
            "ids": [tokenizer(text)["input_ids"] for text in texts],
            "pairs": [tokenizer(*pair)["input_ids"] for pair in pairs],
        }
golden.write_text(
    json.dumps({"made with": {"sentencepiece": sentencepiece.__version__, "transformers": transformers.__version__}, "texts": texts, "pairs": pairs, "cases": made}, separators=(",", ":"), ensure_ascii=False) + "\n"
)
print(golden.stat().st_size)
