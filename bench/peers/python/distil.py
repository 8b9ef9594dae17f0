"""model2vec's turn in `distil`: distill_from_model on float32 weights, as Strata computes.

    distil.py --model FOLDER --out FOLDER [--pca-dims 256] [--vocabulary words.txt] [--vocabulary-quantization 1000] [--no-padding]

`--no-padding`: words pass the model by themselves; model2vec pools them over the padding of a tokenizer.json that pads.
Prints one line of JSON: seconds of the distillation alone, tokens, versions.
"""
import argparse
import json
import os
import time

parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--out", required=True)
parser.add_argument("--pca-dims", type=int, default=256)
parser.add_argument("--vocabulary")
parser.add_argument("--vocabulary-quantization", type=int)
parser.add_argument("--no-padding", action="store_true")
options = parser.parse_args()
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TQDM_DISABLE"] = "1"

import model2vec  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from model2vec.distill import distill_from_model  # noqa: E402

words = [line.rstrip("\n") for line in open(options.vocabulary, encoding="utf-8")] if options.vocabulary else None
# transformers 5 would compute in the type of the file
model = transformers.AutoModel.from_pretrained(options.model, dtype=torch.float32)
tokenizer = transformers.AutoTokenizer.from_pretrained(options.model)
if options.no_padding:
    tokenizer.backend_tokenizer.no_padding()
started = time.perf_counter()
table = distill_from_model(model, tokenizer, device="cpu", vocabulary=words, pca_dims=options.pca_dims, quantize_to="float32", vocabulary_quantization=options.vocabulary_quantization)
seconds = time.perf_counter() - started
table.save_pretrained(options.out)
print(json.dumps({"seconds": seconds, "tokens": len(table.tokens), "versions": {"model2vec": model2vec.__version__, "torch": torch.__version__, "transformers": transformers.__version__}}))
