"""Ids, offsets and pairs of small tokenizers under many configurations, as transformers' fast tokenizers give them.

python -m venv v && v/bin/pip install transformers==4.57.6 && v/bin/python oracles/tokenizer.py > test/model/tokenizer/golden/transformers-4.57.6.json
"""
import json
import os
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors  # noqa: E402
from transformers import AutoTokenizer  # noqa: E402

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] <s> <pad> </s> <unk> <mask> <cls> <sep> hello world Hello naive naïve na ##ive ##ï ##ve ö wor ##ld 中 文 a b c ##a ##b . , ! ' \" - < > s ##s 1 2 ##1 😀".split()
ALPHABET = sorted(pre_tokenizers.ByteLevel.alphabet())
MERGES = ["h e", "l l", "he ll", "hell o", "Ġ w", "o r", "Ġw or", "l d", "Ġwor ld", "Ġ hell", "Ġ a", "Ã ¯"]
SPECIALS = ["<|endoftext|>", "<s>", "<pad>", "</s>", "<unk>", "<mask>", "[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]", "<|startoftext|>"]


def byte_vocab(suffix=""):
    tokens = SPECIALS + ALPHABET + ([letter + suffix for letter in ALPHABET] if suffix else [])
    return {token: index for index, token in enumerate(dict.fromkeys(tokens + ([] if suffix else ["".join(m.split()) for m in MERGES] + ["Ġhello"])))}


def byte_bpe():
    merges = [tuple(m.split()) for m in MERGES if m != "Ġ hell"]
    t = Tokenizer(models.BPE(vocab=byte_vocab(), merges=merges))
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    t.decoder = decoders.ByteLevel()
    t.post_processor = processors.ByteLevel(trim_offsets=True)
    t.add_special_tokens(["<|endoftext|>"])
    return json.loads(t.to_str())


def wordpiece():
    t = Tokenizer(models.WordPiece(vocab={w: i for i, w in enumerate(WORDS)}, unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer(lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.decoder = decoders.WordPiece()
    t.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    t.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    t.enable_truncation(4)
    t.enable_padding(length=8, pad_token="[PAD]")
    return json.loads(t.to_str())


def unigram():
    pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -2.0), ("▁hello", -3.0), ("▁world", -3.5), ("a", -4.0), ("b", -4.0), ("▁a", -4.5), ("lo", -5.0), (".", -3.0), ("h", -6.0), ("e", -6.0), ("l", -6.0), ("o", -6.0), ("w", -6.0), ("r", -6.0), ("d", -6.0), ("<mask>", 0.0)]
    t = Tokenizer(models.Unigram(pieces, unk_id=3))
    t.normalizer = normalizers.NFKC()
    t.pre_tokenizer = pre_tokenizers.Metaspace()
    t.decoder = decoders.Metaspace()
    t.post_processor = processors.TemplateProcessing(single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    t.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>"])
    return json.loads(t.to_str())


def llama():
    vocab = {"<unk>": 0, "<s>": 1, "</s>": 2, **{f"<0x{i:02X}>": i + 3 for i in range(256)}}
    for token in ["▁", "h", "e", "l", "o", "w", "r", "d", "a", "he", "ll", "hell", "hello", "▁hello", "▁w"]:
        vocab[token] = len(vocab)
    merges = [("h", "e"), ("l", "l"), ("he", "ll"), ("hell", "o"), ("▁", "hello"), ("▁", "w")]
    t = Tokenizer(models.BPE(vocab=vocab, merges=merges, unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    t.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    t.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    t.post_processor = processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", 1)])
    t.add_special_tokens(["<unk>", "<s>", "</s>"])
    return json.loads(t.to_str())


FILES = {
    "wordpiece.json": json.dumps(wordpiece(), ensure_ascii=False),
    "vocab.txt": "\n".join(WORDS) + "\n",
    "byte-bpe.json": json.dumps(byte_bpe(), ensure_ascii=False),
    "vocab.json": json.dumps(byte_vocab(), ensure_ascii=False),
    "vocab-clip.json": json.dumps(byte_vocab("</w>"), ensure_ascii=False),
    "merges.txt": "#version: 0.2\n" + "\n".join(m for m in MERGES if m != "Ġ hell") + "\n",
    "no-merges.txt": "#version: 0.2\n",
    "unigram.json": json.dumps(unigram(), ensure_ascii=False),
    "llama.json": json.dumps(llama(), ensure_ascii=False),
}

WORDPIECE, VOCAB, BYTE, LEGACY = {"tokenizer.json": "wordpiece.json"}, {"vocab.txt": "vocab.txt"}, {"tokenizer.json": "byte-bpe.json"}, {"vocab.json": "vocab.json", "merges.txt": "merges.txt"}
UNIGRAM, LLAMA = {"tokenizer.json": "unigram.json"}, {"tokenizer.json": "llama.json"}
CLASS = lambda name, **rest: {"tokenizer_config.json": {"tokenizer_class": name, **rest}}  # noqa: E731

REPOS = {
    "bert, truncation and padding fixed in the file": (WORDPIECE, CLASS("BertTokenizer")),
    "bert, cased by its config": (WORDPIECE, CLASS("BertTokenizerFast", do_lower_case=False, strip_accents=True, tokenize_chinese_chars=False)),
    "bert, cut and padded on the left": (WORDPIECE, CLASS("BertTokenizer", truncation_side="left", padding_side="left", model_max_length=512)),
    "bert's file in a plain class": (WORDPIECE, CLASS("PreTrainedTokenizerFast", do_lower_case=False)),
    "bert from vocab.txt": (VOCAB, CLASS("BertTokenizer")),
    "bert from vocab.txt, cased": (VOCAB, CLASS("BertTokenizer", do_lower_case=False, strip_accents=False, never_split=["naïve"])),
    "bert from vocab.txt, class by model type": (VOCAB, {"config.json": {"model_type": "bert"}}),
    "bert from vocab.txt with added tokens": (VOCAB, {**CLASS("BertTokenizer"), "added_tokens.json": {"<x>": 47, "NEW": 48}, "special_tokens_map.json": {"additional_special_tokens": ["<x>"], "mask_token": {"content": "[MASK]", "lstrip": True, "rstrip": False, "normalized": False, "single_word": False}}}),
    "mpnet from vocab.txt": (VOCAB, CLASS("MPNetTokenizer")),
    "funnel from vocab.txt": (VOCAB, CLASS("FunnelTokenizer")),
    "gpt2": (BYTE, CLASS("GPT2Tokenizer", model_max_length=1e30)),
    "gpt2 with a space in front": (BYTE, CLASS("GPT2Tokenizer", add_prefix_space=True, pad_token="<pad>", additional_special_tokens=["<|new|>"])),
    "gpt2 from vocab.json": (LEGACY, CLASS("GPT2Tokenizer")),
    "gpt2 from vocab.json with a start token": (LEGACY, CLASS("GPT2Tokenizer", add_bos_token=True)),
    "gpt2 from vocab.json, class by model type": (LEGACY, {"config.json": {"model_type": "gpt2"}}),
    "roberta from vocab.json": (LEGACY, CLASS("RobertaTokenizer")),
    "roberta from vocab.json with a space in front": (LEGACY, CLASS("RobertaTokenizer", add_prefix_space=True)),
    "bart from vocab.json": (LEGACY, CLASS("BartTokenizer")),
    "deberta from vocab.json": (LEGACY, CLASS("DebertaTokenizer")),
    "qwen2 from vocab.json": (LEGACY, CLASS("Qwen2Tokenizer")),
    "clip from vocab.json": ({"vocab.json": "vocab-clip.json", "merges.txt": "no-merges.txt"}, CLASS("CLIPTokenizer")),
    "neox with start and end": (BYTE, CLASS("GPTNeoXTokenizer", add_bos_token=True, add_eos_token=True)),
    "xlm-roberta, mask by its class": (UNIGRAM, CLASS("XLMRobertaTokenizer")),
    "xlm-roberta, mask as a string": (UNIGRAM, {**CLASS("XLMRobertaTokenizer", mask_token="<mask>", additional_special_tokens=["ab"]), "special_tokens_map.json": {"cls_token": "<s>"}}),
    "xlm-roberta, flags in added_tokens_decoder": (UNIGRAM, CLASS("XLMRobertaTokenizer", mask_token="<mask>", added_tokens_decoder={"19": {"content": "<mask>", "lstrip": False, "rstrip": True, "normalized": False, "single_word": False, "special": True}, "20": {"content": "lo", "lstrip": False, "rstrip": False, "normalized": True, "single_word": True, "special": False}})),
    "t5, sentinels of its class": (UNIGRAM, CLASS("T5Tokenizer")),
    "llama, template by its class": (LLAMA, CLASS("LlamaTokenizer", add_eos_token=True)),
    "llama in a plain class": (LLAMA, CLASS("PreTrainedTokenizerFast", bos_token="<s>", eos_token="</s>", pad_token="<new pad>")),
    "gemma, no start token": (LLAMA, CLASS("GemmaTokenizer", add_bos_token=False, bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="<unk>")),
}

TEXTS = ["", " ", "hello world", "Hello  naïve wörld", "hello [MASK] a <mask> b", "<s> hello</s>", "中文 a", "😀 hello 😀", "NEW <x> new", "a\tb\nc", "hello hello hello hello hello", "ab lo <|new|> <extra_id_3>x"]
PAIRS = [("hello world", "a b c"), ("hello", "hello world hello world a b c"), ("", "a"), ("a b c hello world hello", "b")]


def main():
    out = {"made_with": "transformers 4.57.6, tokenizers 0.22.2", "files": FILES, "texts": TEXTS, "pairs": PAIRS, "repos": []}
    for name, (links, inline) in REPOS.items():
        with tempfile.TemporaryDirectory() as folder:
            for path, file in links.items():
                open(os.path.join(folder, path), "w").write(FILES[file])
            for path, value in inline.items():
                json.dump(value, open(os.path.join(folder, path), "w"))
            t = AutoTokenizer.from_pretrained(folder)
        whole = [t(x, return_offsets_mapping=True, return_special_tokens_mask=True) for x in TEXTS]
        pairs = t([a for a, _ in PAIRS], [b for _, b in PAIRS], return_token_type_ids=True)
        cut = t([a for a, _ in PAIRS], [b for _, b in PAIRS], truncation="longest_first", max_length=9)
        out["repos"].append({
            "name": name, "links": links, "inline": inline, "size": len(t), "pad_id": t.pad_token_id, "padding_side": t.padding_side, "truncation_side": t.truncation_side,
            "special": {k: v for k, v in t.special_tokens_map.items() if k != "additional_special_tokens"},
            "ids": [e["input_ids"] for e in whole], "offsets": [[x for pair in e["offset_mapping"] for x in pair] for e in whole], "mask": [e["special_tokens_mask"] for e in whole],
            "cut": [t(x, truncation=True, max_length=5)["input_ids"] for x in TEXTS],
            "pair_ids": pairs["input_ids"], "pair_types": pairs["token_type_ids"], "pair_cut": cut["input_ids"],
        })
    print(json.dumps(out, ensure_ascii=False))


main()
