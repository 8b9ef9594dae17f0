"""transformers' turn in `locales`: its text-classification pipeline on the test rows of MASSIVE, PyTorch on the CPU.

    classify.py --models NAME=FOLDER,… --data FOLDER --locales A,B --max-length 48 [--scan 512] [--type float32] [--batch 32] [--sorted]

--data has LOCALE/test.jsonl.gz. --scan times every batch size, in both types, with the texts as they come and sorted by length, on that number of rows with the first model, and
prints rows per second. Otherwise prints the number of correct answers per model and locale, as one line of JSON.
"""
import argparse
import gzip
import json
import os
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
parser = argparse.ArgumentParser()
parser.add_argument("--models", required=True)
parser.add_argument("--data", required=True)
parser.add_argument("--locales", required=True)
parser.add_argument("--max-length", type=int, required=True)
parser.add_argument("--scan", type=int, default=0)
parser.add_argument("--type", choices=["float32", "bfloat16"], default="float32")
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--sorted", action="store_true")
options = parser.parse_args()

import torch  # noqa: E402
import transformers  # noqa: E402
from transformers import AutoModelForSequenceClassification, PreTrainedTokenizerFast, pipeline  # noqa: E402

torch.set_num_threads(int(os.environ.get("THREADS", "2")))
transformers.logging.set_verbosity_error()


def read(locale):
    with gzip.open(os.path.join(options.data, locale, "test.jsonl.gz"), "rt", encoding="utf-8") as file:
        return [(row["text"], row["intent"]) for row in map(json.loads, file)]


def load(folder, dtype):
    # The folders' weights may be float16; computed in the type asked for.
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=getattr(torch, dtype)).eval()
    # transformers 5 makes XLM-R's tokenizer anew, without the normalizer of the folder's tokenizer.json, with which the model was trained
    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)
    return pipeline("text-classification", model=model, tokenizer=tokenizer, device="cpu")


def classify(classifier, rows, batch, by_length):
    """Seconds, and the number of correct answers."""
    began = time.perf_counter()
    ordered = sorted(rows, key=lambda row: -len(row[0])) if by_length else rows
    found = classifier([text for text, _ in ordered], batch_size=batch, truncation=True, max_length=options.max_length)
    correct = sum(answer["label"] == label for answer, (_, label) in zip(found, ordered, strict=True))
    return time.perf_counter() - began, correct


models = dict(entry.split("=", 1) for entry in options.models.split(","))
rows = {locale: read(locale) for locale in options.locales.split(",")}
if options.scan:
    every = [row for own in rows.values() for row in own]
    sample = every[:: max(1, len(every) // options.scan)][: options.scan]
    ways = []
    for dtype in ("float32", "bfloat16"):
        classifier = load(next(iter(models.values())), dtype)
        classify(classifier, sample[:64], 8, False)
        for batch in (1, 8, 32, 64, 128):
            for by_length in (False, True):
                seconds = min(classify(classifier, sample, batch, by_length)[0] for _ in range(2))
                ways.append({"type": dtype, "batch": batch, "sorted": by_length, "rowsPerSecond": len(sample) / seconds})
    print(json.dumps({"ways": ways}))
else:
    correct = {}
    for name, folder in models.items():
        classifier = load(folder, options.type)
        correct[name] = {locale: classify(classifier, own, options.batch, options.sorted)[1] for locale, own in rows.items()}
    print(json.dumps({"correct": correct, "versions": {"torch": torch.__version__, "transformers": transformers.__version__}}))
