"""Pairs of model folders as transformers sees them: merge_check.py PAIRS.json; PAIRS = [{"id", "ours", "theirs", "classifier"}, …]. One line of JSON a pair."""
import json, logging, sys, warnings
from pathlib import Path

import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSequenceClassification, AutoTokenizer

transformers.utils.logging.set_verbosity_error()
warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
texts = ["The cat sat on the mat.", "What is 12 + 7? <q>", "<both> cells and <s>proteins<t>", "naïve façade – ok", "  two  spaces\n\ttabs"]
chat = [{"role": "user", "content": "Hello there"}, {"role": "assistant", "content": "Hi"}, {"role": "user", "content": "12 + 7?"}]
silent = {"_name_or_path", "transformers_version", "use_cache"}


def generated(folder, classifier):
    cls = AutoModelForSequenceClassification if classifier else AutoModelForCausalLM
    model, loading = cls.from_pretrained(folder, output_loading_info=True)
    model = model.float().eval()
    lost = sorted(set(map(str, loading["missing_keys"])) | set(map(str, loading["unexpected_keys"])) | set(map(str, loading["mismatched_keys"])))
    ids = torch.tensor([[5, 17, 33, 2 + 40]])
    with torch.no_grad():
        if classifier:
            return [round(float(x), 4) for x in model(ids).logits[0]], lost
        out = model.generate(ids, max_new_tokens=8, min_new_tokens=8, do_sample=False, pad_token_id=0)[0].tolist()
    if (Path(folder) / "tokenizer_config.json").exists():
        out = AutoTokenizer.from_pretrained(folder).convert_ids_to_tokens(out)
    return out, lost


def tokenizer_facts(folder):
    if not (Path(folder) / "tokenizer_config.json").exists():
        return None
    tokenizer = AutoTokenizer.from_pretrained(folder)
    # In tokens, not in ids: which way new tokens are appended is left to hash tables.
    return {
        "vocabulary": sorted(tokenizer.get_vocab()),
        "pieces": [tokenizer.convert_ids_to_tokens(tokenizer(text)["input_ids"]) for text in texts],
        "special": {key: str(value) for key, value in tokenizer.special_tokens_map.items()},
        "template": [tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=prompt) for prompt in (False, True)] if tokenizer.chat_template else None,
    }


for pair in json.loads(Path(sys.argv[1]).read_text()):
    row = {"id": pair["id"], "problems": []}
    try:
        configs = [AutoConfig.from_pretrained(pair[side]).to_dict() for side in ("ours", "theirs")]
        for key in sorted(set(configs[0]) | set(configs[1])):
            if key not in silent and configs[0].get(key) != configs[1].get(key):
                row["problems"].append(f"config {key}: {configs[0].get(key)!r}, theirs {configs[1].get(key)!r}")
        facts = [tokenizer_facts(pair[side]) for side in ("ours", "theirs")]
        if (facts[0] is None) != (facts[1] is None):
            row["problems"].append(f"tokenizer: {'none' if facts[0] is None else 'there'}, theirs {'none' if facts[1] is None else 'there'}")
        elif facts[0] is not None:
            for key in facts[0]:
                if facts[0][key] != facts[1][key]:
                    ours, theirs = (str({k: v for k, v in f[key].items() if facts[1 - i][key].get(k) != v} if isinstance(f[key], dict) else [x for x in f[key] if x not in facts[1 - i][key]] if isinstance(f[key], list) else f[key])[:200] for i, f in enumerate(facts))
                    row["problems"].append(f"tokenizer {key}: {ours}, theirs {theirs}")
        row["ours"], lost = generated(pair["ours"], pair["classifier"])
        row["problems"] += [f"loading: {name}" for name in lost]
    except Exception as error:
        row["problems"].append(f"ours: {type(error).__name__}: {str(error).splitlines()[0]}")
    try:
        row["theirs"], row["lost"] = generated(pair["theirs"], pair["classifier"])
        if row.get("ours") != row["theirs"]:
            row["problems"].append(f"output: {row.get('ours')}, theirs {row['theirs']}")
    except Exception as error:
        row["theirsError"] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    print(json.dumps(row), flush=True)
