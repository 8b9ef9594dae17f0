"""sentence-transformers' turn in `encode`: PyTorch on the CPU, its ONNX backend (plain, optimised as its documentation advises: O3, or dynamic int8), its OpenVINO backend.

    encode.py --model FOLDER --texts FILE --backend torch|torch-bf16|onnx|onnx-o3|onnx-int8|openvino|openvino-bf16 [--onnx-folder FOLDER] [--scan] [--batch NAME=SIZE,…]

--scan tries batch sizes of 4 to 32 on 48 texts of each set and prints the fastest; --batch uses them. The library sorts by length itself.
"""
import argparse
import json
import os
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--texts", required=True)
parser.add_argument("--backend", choices=["torch", "torch-bf16", "onnx", "onnx-o3", "onnx-int8", "openvino", "openvino-bf16"], default="torch")
parser.add_argument("--onnx-folder")
parser.add_argument("--scan", action="store_true")
parser.add_argument("--batch", default="")
options = parser.parse_args()

with open("/proc/cpuinfo", encoding="utf-8") as cpu:
    flags = cpu.read()
isa = "avx512_vnni" if "avx512_vnni" in flags else "avx512" if "avx512f" in flags else "avx2"

started = time.perf_counter()
from sentence_transformers import SentenceTransformer  # noqa: E402 -- importing is part of what a process costs


def load():
    if options.backend == "torch":
        # The folder's weights are float16; in float32, as the others compute.
        return SentenceTransformer(options.model, device="cpu", model_kwargs={"torch_dtype": "float32"})
    if options.backend == "torch-bf16":
        return SentenceTransformer(options.model, device="cpu", model_kwargs={"torch_dtype": "bfloat16"})
    if options.backend.startswith("openvino"):
        hint = "bf16" if options.backend == "openvino-bf16" else "f32"
        return SentenceTransformer(options.model, backend="openvino", device="cpu", model_kwargs={"ov_config": {"INFERENCE_PRECISION_HINT": hint}})
    export(options.model, options.onnx_folder)
    if options.backend == "onnx-int8":
        quantize(options.onnx_folder)
    name = {"onnx": "onnx/model.onnx", "onnx-o3": "onnx/model_O3.onnx", "onnx-int8": f"onnx/model_{'quint8' if isa == 'avx2' else 'qint8'}_{isa}.onnx"}[options.backend]
    return SentenceTransformer(options.onnx_folder, backend="onnx", device="cpu", model_kwargs={"file_name": name, "provider": "CPUExecutionProvider"})


def export(model, folder):
    """Once; transformers.js runs the same file."""
    if os.path.exists(os.path.join(folder, "onnx", "model_O3.onnx")):
        return
    from sentence_transformers.backend import export_optimized_onnx_model

    exported = SentenceTransformer(model, backend="onnx", device="cpu", model_kwargs={"export": True, "provider": "CPUExecutionProvider"})
    exported.save_pretrained(folder)
    export_optimized_onnx_model(exported, "O3", folder)


def quantize(folder):
    """Once; the form for this processor."""
    if os.path.exists(os.path.join(folder, "onnx", f"model_qint8_{isa}.onnx")) or os.path.exists(os.path.join(folder, "onnx", f"model_quint8_{isa}.onnx")):
        return
    from sentence_transformers.backend import export_dynamic_quantized_onnx_model

    plain = SentenceTransformer(folder, backend="onnx", device="cpu", model_kwargs={"file_name": "onnx/model.onnx", "provider": "CPUExecutionProvider"})
    export_dynamic_quantized_onnx_model(plain, isa, folder)


def encode(texts, batch_size):
    start = time.perf_counter()
    vectors = model.encode(texts, batch_size=batch_size, show_progress_bar=False, convert_to_numpy=True).astype("float32")
    return time.perf_counter() - start, vectors


with open(options.texts, encoding="utf-8") as file:
    sets = json.load(file)
model = load()
load_seconds = time.perf_counter() - started

if options.scan:
    best = {}
    for name, texts in sets.items():
        sample = texts[:: max(1, len(texts) // 48)][:48]
        encode(sample[:8], 8)
        best[name] = min((4, 8, 16, 32), key=lambda size: min(encode(sample, size)[0] for _ in range(2)))
    print(json.dumps({"batch": best}))
else:
    sizes = dict(item.split("=") for item in options.batch.split(",") if item)
    seconds, samples = {}, {}
    for name, texts in sets.items():
        seconds[name], vectors = encode(texts, int(sizes.get(name, 32)))
        samples[name] = vectors[:8].astype(float).tolist()
    print(json.dumps({"loadSeconds": load_seconds, "seconds": seconds, "samples": samples}))
