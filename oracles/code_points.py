"""CANINE's tokenizer, which has no vocabulary, by transformers: `python oracles/code_points.py > test/model/tokenizer/golden/code-points.json`."""
import json
import pathlib
import tempfile

import transformers

TEXTS = ["", " ", "ab c", "a \ue003 b", "é😀 x\n", "a\ue000 b", "a \x00b", "a　\x85\x1c \ufeff\ue003  b", "e\u0301 中文"]
PAIRS = [["ab", "c"], ["😀 a b c", "\ue003"], ["", "a"]]
SPECIAL = {"bos_token": "\ue000", "eos_token": "\ue001", "sep_token": "\ue001", "cls_token": "\ue000", "pad_token": "\x00", "mask_token": {"content": "\ue003", "single_word": False, "lstrip": True, "rstrip": False, "normalized": True}}
FOLDERS = {
    "named by the model type": {"config.json": {"model_type": "canine"}},
    "as the published repositories": {"config.json": {"model_type": "canine"}, "special_tokens_map.json": SPECIAL, "tokenizer_config.json": {**SPECIAL, "mask_token": {**SPECIAL["mask_token"], "__type": "AddedToken"}, "add_prefix_space": False, "model_max_length": 2048}},
}

cases = {}
for name, files in FOLDERS.items():
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            pathlib.Path(folder, path).write_text(json.dumps(content))
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    ids = [tokenizer(text)["input_ids"] for text in TEXTS]
    together = tokenizer([a for a, _ in PAIRS], [b for _, b in PAIRS])
    cases[name] = {
        "files": files,
        "ids": ids,
        "pairs": together["input_ids"],
        "types": together["token_type_ids"],
        "decoded": [tokenizer.decode(row) for row in ids],
        "bare": [tokenizer.decode(row, skip_special_tokens=True) for row in ids],
        "pad": tokenizer.pad_token_id,
        "size": len(tokenizer),
    }
print(json.dumps({"versions": {"transformers": transformers.__version__}, "texts": TEXTS, "pairs": PAIRS, "cases": cases}))
