"""
Small encoder-decoders with random weights, and what transformers and lm-evaluation-harness say of them.

    python oracles/t5.py make assets/models
    python oracles/t5.py assets/models > test/model/language/golden/t5.json

`make` writes the checkpoints: seeded weights and a tokenizer made of the texts below, nothing of anybody else's; tokens of equal score come in another order each time.
Stop strings are none that is found in the text of a special token: there the harness reads those too, and stops. Logits are teacher-forced, of batches that are padded.
The harness asks one request at a time: with more, an answer of its `generate_until` may be as long as the longest prompt of the batch allows.
Prompts after which the first two tokens are nearer than 1e-3, in float32, are told nothing of.
"""
import json
import pathlib
import sys

import lm_eval
import torch
import transformers

torch.set_num_threads(2)

TEXTS = """The quick brown fox jumps over the lazy dog, and the dog does not mind.
A house stands at the end of the street; its door is red and its windows are small.
Who wrote the letter? Nobody knew, but everyone had an answer ready.
translate English to German: The house is old. Das Haus ist alt.
summarize: It rained for three days, then the sun came out again.
Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.
Le cœur a ses raisons que la raison ne connaît point. Ça va? Oui, très bien!
Numbers: 0 1 2 3 4 5 6 7 8 9, 10 and 100 (one hundred) - 3.14 = pi.
yes no maybe true false Paris London Rome Question: Answer: premise: hypothesis:""".split("\n")

SHAPES = {
    # T5 1.0: plain relu, tied; the window is the config's
    "tiny-t5": (
        "T5",
        dict(d_model=24, d_kv=6, num_heads=4, d_ff=40, num_layers=2, num_decoder_layers=2, feed_forward_proj="relu", relative_attention_num_buckets=8, relative_attention_max_distance=12, n_positions=24, decoder_start_token_id=0),
        512,
        11,
    ),
    # T5 1.1: gated, a head of its own, heads narrower than the model; the window is the tokenizer's
    "tiny-t5-gated": (
        "T5",
        dict(d_model=24, d_kv=5, num_heads=3, d_ff=32, num_layers=3, num_decoder_layers=2, feed_forward_proj="gated-gelu", tie_word_embeddings=False, relative_attention_num_buckets=10, relative_attention_max_distance=20, decoder_start_token_id=0),
        32,
        12,
    ),
    # mT5: gated and untied by default; another start token; nothing says how long texts may be
    "tiny-mt5": ("MT5", dict(d_model=20, d_kv=8, num_heads=2, d_ff=36, num_layers=2, relative_attention_num_buckets=32, relative_attention_max_distance=128, decoder_start_token_id=2), None, 13),
}


def make_tokenizer(folder, longest):
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    sentinels = ["<extra_id_1>", "<extra_id_0>"]
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.train_from_iterator(TEXTS, trainers.UnigramTrainer(vocab_size=150, special_tokens=["<pad>", "</s>", "<unk>"], unk_token="<unk>", show_progress=False))
    tokenizer.add_special_tokens([AddedToken(name, special=True) for name in sentinels])
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)])
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"tokenizer_class": "T5TokenizerFast", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>", "extra_ids": 2, "additional_special_tokens": sentinels}
    if longest is not None:
        settings["model_max_length"] = longest
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n")
    return tokenizer.get_vocab_size()


def make(root):
    for name, (family, shape, longest, seed) in SHAPES.items():
        folder = root / name
        vocabulary = make_tokenizer(folder, longest)
        transformers.set_seed(seed)
        config = getattr(transformers, f"{family}Config")(vocab_size=vocabulary, **shape)
        model = getattr(transformers, f"{family}ForConditionalGeneration")(config)
        with torch.no_grad():
            for key, weight in model.named_parameters():
                if key == "decoder.final_layer_norm.weight" and config.tie_word_embeddings:
                    weight.copy_(6 + torch.randn_like(weight))
                elif "layer_norm" in key:
                    weight.copy_(1 + 0.2 * torch.randn_like(weight))
                elif "relative_attention_bias" in key:
                    weight.copy_(torch.randn_like(weight))
                elif key.startswith(("shared", "lm_head")):
                    weight.copy_(torch.randn_like(weight) * (0.3 if config.tie_word_embeddings else 0.4))
                else:
                    weight.copy_(torch.randn_like(weight) * weight.shape[1] ** -0.5 * (0.6 if key.endswith((".q.weight", ".k.weight")) else 1.5))
        model.save_pretrained(folder)


def padded(rows):
    width = max(map(len, rows))
    return torch.tensor([row + [0] * (width - len(row)) for row in rows]), torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])


def logits_of(model, tokenizer):
    """Three contexts in one batch, three continuations."""
    contexts = [tokenizer.encode(text) for text in ("The quick brown fox", "Zwölf Boxkämpfer jagen Viktor quer über den großen Deich. Ça va?", "")]
    decoded = [tokenizer.encode(text, add_special_tokens=False) for text in ("jumps over the lazy dog, and over and over the dog", "yes", "Das Haus ist alt.")]
    start = model.config.decoder_start_token_id
    inputs = [[start, *ids[:-1]] for ids in decoded]
    ids, mask = padded(contexts)
    with torch.no_grad():
        found = model(input_ids=ids, attention_mask=mask, decoder_input_ids=padded(inputs)[0]).logits
    return [
        {"context": context, "decoder": ids, "logits": [[round(float(value), 5) for value in step] for step in found[row, : len(ids)]]}
        for row, (context, ids) in enumerate(zip(contexts, inputs))
    ]


PAIRS = [
    ("The quick brown fox", " jumps over the dog"),
    ("The quick brown fox", " is red"),
    ("The quick brown fox", " is old."),
    ("The quick brown fox  ", "is red"),
    ("Who wrote the letter?", " Nobody knew"),
    ("", "The house is old."),
    ("", "</s> yes"),
    ("   ", "no"),
    ("\n\t", "maybe"),
    ("</s> Question: Paris", " London"),
    ("Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. " * 2, " Ça va? 漢字 "),
    ("It rained for three days, then the sun came out again. " * 4, " true"),
    ("premise: yes\u00a0", "hypothesis: 🙂 no"),
    ("yes", "no"),
    ("summarize: <extra_id_0> the dog", "<extra_id_0> house <extra_id_1>"),
]

ROLLING = ["The house is old.", "", "yes", "It rained for three days, then the sun came out again. Who wrote the letter? " * 3, "</s> Oui, très bien!", " \u3000Le cœur\n"]

PROMPTS = [
    "translate English to German: The house is old.",
    "The quick brown fox",
    "Who wrote the letter? Nobody knew, but everyone had an answer ready. " * 3,
    "",
    "</s> Zwölf",
    "yes",
    "Numbers: 0 1 2 3",
    "summarize: <extra_id_0> the dog",
]


def instances(kind, arguments):
    from lm_eval.api.instance import Instance

    return [Instance(request_type=kind, doc={}, arguments=one, idx=i) for i, one in enumerate(arguments)]


def ask(folder, model, tokenizer, **words):
    from lm_eval.models.huggingface import HFLM

    asked = HFLM(pretrained=str(folder), backend="seq2seq", device="cpu", dtype="float32", batch_size=1, **words)
    window = asked.max_length
    # the reference asserts that a continuation fits the window, and that it has a token
    pairs = [pair for pair in PAIRS + greedy_pairs(model, tokenizer) if 0 < len(asked._encode_pair(*pair)[1] if pair[0] else asked.tok_encode(pair[1], add_special_tokens=False)) <= window]
    scores = asked.loglikelihood(instances("loglikelihood", pairs), disable_tqdm=True)
    rolling = asked.loglikelihood_rolling(instances("loglikelihood_rolling", [(text,) for text in ROLLING]), disable_tqdm=True)
    generations = []
    for most, until in ((1, []), (12, ["."]), (7, ["o", "Z k"])):
        kwargs = {"max_gen_toks": most, "until": until, "do_sample": False}
        texts = asked.generate_until(instances("generate_until", [(prompt, dict(kwargs)) for prompt in PROMPTS]), disable_tqdm=True)
        kept = [(prompt, text) for prompt, text in zip(PROMPTS, texts) if margin(model, tokenizer, prompt, window, most) >= 1e-3]
        generations.append({"max_gen_toks": most, "until": until, "prompts": [prompt for prompt, _ in kept], "texts": [text for _, text in kept]})
    return {
        "model_args": words,
        "max_length": window,
        "loglikelihood": [{"context": context, "continuation": continuation, "score": round(score, 6), "is_greedy": greedy} for (context, continuation), (score, greedy) in zip(pairs, scores)],
        "rolling": [{"text": text, "score": round(score, 6)} for text, score in zip(ROLLING, rolling)],
        "generate": generations,
    }


def greedy_pairs(model, tokenizer, count=3):
    """Words, each with what the model writes after it, where that is the same tokens when it is read again."""
    pairs = []
    for word in " ".join(TEXTS).split():
        if len(pairs) >= count:
            break
        with torch.no_grad():
            written = model.generate(torch.tensor([tokenizer.encode(word)]), do_sample=False, max_length=4, min_length=4)[0, 1:].tolist()
        for size in (3, 1):
            text = tokenizer.decode(written[:size])
            if tokenizer.encode(text, add_special_tokens=False) == written[:size] and len(pairs) < count and margin(model, tokenizer, word, 100, 1) >= 1e-3:
                pairs.append((word, text))
    return pairs


def margin(model, tokenizer, prompt, window, most):
    ids = tokenizer.encode(prompt)[-window:]
    with torch.no_grad():
        out = model.generate(torch.tensor([ids]), do_sample=False, max_length=len(ids) + most, output_scores=True, return_dict_in_generate=True)
    return min(float((top := step[0].float().topk(2).values)[0] - top[1]) for step in out.scores)


def record(root):
    found = {}
    for name in SHAPES:
        folder = root / name
        model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32).eval()
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        found[name] = {"logits": logits_of(model, tokenizer), "harness": [ask(folder, model, tokenizer), ask(folder, model, tokenizer, max_length=15, prefix_token_id=7)]}
    return {"transformers": transformers.__version__, "lm_eval": getattr(lm_eval, "__version__", None) or __import__("importlib.metadata").metadata.version("lm_eval"), "models": found}


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]))
else:
    print(json.dumps(record(pathlib.Path(sys.argv[1])), ensure_ascii=False))
