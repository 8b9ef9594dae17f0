"""Exported folders as Python's libraries read them: export_check.py PLAN.json. PLAN = {"texts", "timed", "rounds", "pairs": [{"id", "form", "folder", "original", "count", "out"}]}.
The vectors of the first `count` texts go to `out` (.npy, float32); one line of JSON a pair with what the library complained of and the CPU seconds of the first `timed` texts, exported and original in turn."""
import json, logging, sys, time, warnings
from pathlib import Path

import numpy as np
import onnxruntime
import torch
import transformers
from sentence_transformers import SentenceTransformer
from transformers import AutoConfig, AutoModel, AutoTokenizer

transformers.utils.logging.set_verbosity_error()
warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
plan = json.loads(Path(sys.argv[1]).read_text())
texts = plan["texts"]
batch = 32


def batches(chosen):
    order = sorted(range(len(chosen)), key=lambda i: -len(chosen[i]))
    for at in range(0, len(order), batch):
        part = order[at : at + batch]
        yield part, [chosen[i] for i in part]


def by_library(folder):
    model = SentenceTransformer(folder, device="cpu")
    return lambda chosen: model.encode(chosen, batch_size=batch, show_progress_bar=False), {}


def pooled(states, mask):
    mask = mask[..., None].to(states.dtype)
    return (states * mask).sum(1) / mask.sum(1).clamp(min=1e-9)


def by_transformers(folder):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    # What a folder's own class is: of an encoder-decoder's config only the encoder.
    kind = (AutoConfig.from_pretrained(folder).architectures or ["AutoModel"])[0]
    model, loading = getattr(transformers, kind).from_pretrained(folder, output_loading_info=True)
    body = model.base_model if hasattr(model, "base_model") else model
    body.eval()

    def encode(chosen):
        out = [None] * len(chosen)
        with torch.no_grad():
            for part, words in batches(chosen):
                given = tokenizer(words, padding=True, truncation=True, return_tensors="pt")
                for i, row in zip(part, pooled(body(**given).last_hidden_state, given["attention_mask"])):
                    out[i] = row.numpy()
        return np.stack(out)

    lost = {key: sorted(map(str, names)) for key, names in loading.items() if len(names) > 0}
    return encode, {"class": kind, "loading": lost}


def by_onnxruntime(folder):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    session = onnxruntime.InferenceSession(str(Path(folder) / "onnx" / "model.onnx"), providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_inputs()]

    def encode(chosen):
        out = [None] * len(chosen)
        for part, words in batches(chosen):
            given = tokenizer(words, padding=True, truncation=True, return_tensors="np")
            feeds = {name: (given[name] if name in given else np.zeros_like(given["input_ids"])).astype(np.int64) for name in names}
            for i, row in zip(part, session.run(["sentence_embedding"], feeds)[0]):
                out[i] = row
        return np.stack(out)

    return encode, {"inputs": names, "outputs": [value.name for value in session.get_outputs()]}


readers = {"sentence-transformers": by_library, "transformers": by_transformers, "onnx": by_onnxruntime}

for pair in plan["pairs"]:
    read = readers[pair["form"]]
    try:
        encode, facts = read(pair["folder"])
        np.save(pair["out"], encode(texts[: pair["count"]]).astype(np.float32))
        seconds = {}
        if pair["original"] is not None:
            whole, _ = read(pair["original"])
            timed = texts[: plan["timed"]]
            for run in (encode, whole):
                run(timed[:batch])
            took = {"exported": [], "original": []}
            for _ in range(plan["rounds"]):
                for name, run in (("exported", encode), ("original", whole)):
                    start = time.process_time()
                    run(timed)
                    took[name].append(time.process_time() - start)
            seconds = {name: sorted(values)[len(values) // 2] for name, values in took.items()}
        print(json.dumps({"id": pair["id"], "seconds": seconds, **facts}), flush=True)
    except Exception as error:
        print(json.dumps({"id": pair["id"], "error": f"{type(error).__name__}: {error}"[:400]}), flush=True)
