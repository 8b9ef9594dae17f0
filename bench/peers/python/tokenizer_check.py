"""Pairs of model folders with tokenizers as transformers sees them: tokenizer_check.py PAIRS.json; PAIRS = [{"id", "ours", "theirs" or null, "kind", "anyStart", "start"}, …]. One line of JSON a pair."""
import json, logging, sys, warnings
from pathlib import Path

import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

transformers.utils.logging.set_verbosity_error()
warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
words = ["The cat sat on the mat.", "helloworld", "naïve façade – ok", "  two  spaces\n\ttabs", "it's 12 + 7?", "日本語 text", "the the\nthe", "<|im_start|>", " <q>", "a <q> b", "<r>  x", "<pad>", "<new>", "[new] [MASK]", "<s> </s>", "▁the Ġthe", "<tool_call>{}</tool_call>", "<|endoftext|>", "helloworlds othere", "é"]
marks = ["", " ", "<|im_start|>", "<r> ", " <q>helloworld"]
# Fifty texts and more, ordinary and not: each word alone and between two marks.
texts = [*words, *(f"{marks[i % 5]}{word}{marks[(i + 2) % 5]} the {words[(i * 7) % len(words)]}" for i, word in enumerate(words)), *(f"{word}{word} {word}" for word in words)]
chat = [{"role": "system", "content": "Be kind"}, {"role": "user", "content": " Hello there "}, {"role": "assistant", "content": "Hi"}, {"role": "user", "content": "12 + 7?"}]
silent = {"_name_or_path", "transformers_version", "use_cache"}
ids_of = {"bos_token_id", "eos_token_id", "pad_token_id"}


def rendered(tokenizer, messages, prompt):
    try:
        return tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=prompt)
    except Exception as error:
        return type(error).__name__


def flags(token):
    return [token.special, token.normalized, token.lstrip, token.rstrip, token.single_word]


def facts(folder):
    if not (Path(folder) / "tokenizer_config.json").exists():
        return None, None
    tokenizer = AutoTokenizer.from_pretrained(folder)
    encoded = [tokenizer(text)["input_ids"] for text in texts]
    return tokenizer, {
        "vocabulary": sorted(tokenizer.get_vocab()),
        "pieces": {text: tokenizer.convert_ids_to_tokens(ids) for text, ids in zip(texts, encoded)},
        "decoded": {text: tokenizer.decode(ids) for text, ids in zip(texts, encoded)},
        "added": {token.content: flags(token) for token in tokenizer.added_tokens_decoder.values()},
        "special": {key: str(value) for key, value in tokenizer.special_tokens_map.items()},
        "settings": {key: str(getattr(tokenizer, key, None)) for key in ["padding_side", "truncation_side", "model_max_length", "clean_up_tokenization_spaces", "model_input_names"]},
        "chats": {f"{turns}{prompt}": rendered(tokenizer, messages, prompt) for prompt in (False, True) for turns, messages in [("all", chat), ("user", chat[1:2])]} if tokenizer.chat_template else None,
    }


def generated(folder, kind, tokenizer):
    model, loading = (AutoModelForMaskedLM if kind == "masked" else AutoModelForCausalLM).from_pretrained(folder, output_loading_info=True)
    model = model.float().eval()
    lost = sorted({str(name) for kind in ["missing_keys", "unexpected_keys", "mismatched_keys"] for name in loading[kind]})
    prompt = torch.tensor([tokenizer("The cat")["input_ids"]]) if tokenizer else torch.tensor([[5, 17, 33]])
    with torch.no_grad():
        out = model(prompt).logits[0].argmax(-1).tolist() if kind == "masked" else model.generate(prompt, max_new_tokens=8, min_new_tokens=8, do_sample=False, pad_token_id=0)[0].tolist()
    return (tokenizer.convert_ids_to_tokens(out) if tokenizer else out), lost


def apart(key, ours, theirs):
    """The first few entries that differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        keys = [k for k in {**ours, **theirs} if ours.get(k) != theirs.get(k)]
        return f"{key}: {len(keys)} differ, " + " ".join(f"{k!r}: {ours.get(k)}, theirs {theirs.get(k)};" for k in keys[:2])
    if isinstance(ours, list) and isinstance(theirs, list):
        return f"{key}: only ours {sorted(set(ours) - set(theirs))[:6]}, only theirs {sorted(set(theirs) - set(ours))[:6]}"
    return f"{key}: {ours!r}, theirs {theirs!r}"


def compared(pair, say, row):
    own, ours = facts(pair["ours"])
    config = AutoConfig.from_pretrained(pair["ours"])
    rows = config.vocab_size
    if own is not None and max(own.get_vocab().values()) >= rows:
        say(f"ours: {max(own.get_vocab().values())} is the id of a token, and there are {rows} rows")
    row["ours"], lost = generated(pair["ours"], pair["kind"], own)
    for name in lost:
        say(f"loading: {name}")
    if pair["theirs"] is None:
        return
    try:
        configs = [one.to_dict() for one in (config, AutoConfig.from_pretrained(pair["theirs"]))]
        for key in sorted(set(configs[0]) | set(configs[1])):
            if key in silent or (pair["anyStart"] and key in ids_of):
                continue
            if configs[0].get(key) != configs[1].get(key):
                say(f"config {key}: {configs[0].get(key)!r}, theirs {configs[1].get(key)!r}")
        other, theirs = facts(pair["theirs"])
    except Exception as error:
        row["theirsError"] = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        return
    if (ours is None) != (theirs is None):
        say(f"tokenizer: {'none' if ours is None else 'there'}, theirs {'none' if theirs is None else 'there'}")
    elif ours is not None:
        for key in ours:
            if ours[key] != theirs[key] and not (pair["anyStart"] and key not in ("vocabulary", "added")):
                say(f"tokenizer {apart(key, ours[key], theirs[key])[:600]}")
        if pair.get("start") and not pair["anyStart"]:
            begun, (a, b) = AutoTokenizer.from_pretrained(pair["start"]).get_vocab(), (own.get_vocab(), other.get_vocab())
            moved = [token for token in begun if token in a and a[token] != b.get(token)]
            if moved:
                say(f"tokenizer ids: {len(moved)} differ, {[(token, a[token], b.get(token)) for token in moved[:4]]}")
            row["appended"] = sum(a[token] != b.get(token) for token in a if token not in begun)
    try:
        row["theirs"], row["lost"] = generated(pair["theirs"], pair["kind"], other)
    except Exception as error:
        row["theirsError"] = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        return
    if row["ours"] != row["theirs"] and not pair["anyStart"]:
        say(f"output: {row['ours']}, theirs {row['theirs']}")


for pair in json.loads(Path(sys.argv[1]).read_text()):
    row = {"id": pair["id"], "problems": []}
    try:
        compared(pair, row["problems"].append, row)
    except Exception as error:
        row["problems"].append(f"ours: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
    print(json.dumps(row), flush=True)
