"""sentence-transformers' turn in `encode`: PyTorch on the CPU, or the ONNX backend (plain, or optimised as its documentation advises: O3).

    encode.py --model FOLDER --texts FILE --backend torch|onnx|onnx-o3 [--onnx-folder FOLDER] [--scan] [--batch NAME=SIZE,…]

--scan tries batch sizes on 128 texts of each set and prints the fastest; --batch uses them. The library sorts by length itself.
"""
import argparse
import json
import os
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--texts", required=True)
parser.add_argument("--backend", choices=["torch", "onnx", "onnx-o3"], default="torch")
parser.add_argument("--onnx-folder")
parser.add_argument("--scan", action="store_true")
parser.add_argument("--batch", default="")
options = parser.parse_args()

started = time.perf_counter()
from sentence_transformers import SentenceTransformer  # noqa: E402 -- importing is part of what a process costs


def load():
    if options.backend == "torch":
        # The folder's weights are float16; in float32, as the others compute.
        return SentenceTransformer(options.model, device="cpu", model_kwargs={"torch_dtype": "float32"})
    export(options.model, options.onnx_folder)
    name = "onnx/model.onnx" if options.backend == "onnx" else "onnx/model_O3.onnx"
    return SentenceTransformer(options.onnx_folder, backend="onnx", device="cpu", model_kwargs={"file_name": name, "provider": "CPUExecutionProvider"})


def export(model, folder):
    """Once; transformers.js runs the same file."""
    if os.path.exists(os.path.join(folder, "onnx", "model_O3.onnx")):
        return
    from sentence_transformers.backend import export_optimized_onnx_model

    exported = SentenceTransformer(model, backend="onnx", device="cpu", model_kwargs={"export": True, "provider": "CPUExecutionProvider"})
    exported.save_pretrained(folder)
    export_optimized_onnx_model(exported, "O3", folder)


def encode(texts, batch_size):
    start = time.perf_counter()
    vectors = model.encode(texts, batch_size=batch_size, show_progress_bar=False, convert_to_numpy=True)
    return time.perf_counter() - start, vectors


with open(options.texts, encoding="utf-8") as file:
    sets = json.load(file)
model = load()
load_seconds = time.perf_counter() - started

if options.scan:
    best = {}
    for name, texts in sets.items():
        sample = texts[:: max(1, len(texts) // 128)][:128]
        encode(sample[:8], 8)
        best[name] = min((8, 16, 32, 64, 128), key=lambda size: min(encode(sample, size)[0] for _ in range(2)))
    print(json.dumps({"batch": best}))
else:
    sizes = dict(item.split("=") for item in options.batch.split(",") if item)
    seconds, samples = {}, {}
    for name, texts in sets.items():
        seconds[name], vectors = encode(texts, int(sizes.get(name, 32)))
        samples[name] = vectors[:8].astype(float).tolist()
    print(json.dumps({"loadSeconds": load_seconds, "seconds": seconds, "samples": samples}))
