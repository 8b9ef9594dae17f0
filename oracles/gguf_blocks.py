"""Blocks of ggml's types, and the values that gguf-py makes of them:

    python oracles/gguf_blocks.py     test/files/formats/golden/gguf-blocks.json

with gguf 0.19.0 and numpy 2.4.6. The blocks are random bytes, so that every bit of every field occurs; scales that are
no numbers are replaced.
"""
import base64
import json
import pathlib

import gguf
import numpy as np
from gguf.constants import GGML_QUANT_SIZES

golden = pathlib.Path(__file__).parent.parent / "test" / "files" / "formats" / "golden" / "gguf-blocks.json"
types = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS", "TQ2_0", "MXFP4"]
# where a block keeps its float16 fields
halves = {
    "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2],
    "Q5_K": [0, 2], "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0], "TQ2_0": [64], "MXFP4": [],
}
generator = np.random.default_rng(33)
cases = {}
for name in types:
    kind = gguf.GGMLQuantizationType[name]
    values, size = GGML_QUANT_SIZES[kind]
    blocks = generator.integers(0, 256, (3, size), dtype=np.uint8)
    for at in halves[name]:
        scales = generator.normal(0, 0.01, 3).astype(np.float16)
        blocks[:, at : at + 2] = scales.view(np.uint8).reshape(3, 2)
    if name == "MXFP4":
        blocks[:, 0] = [0, 1, 120]
    plain = gguf.quants.dequantize(blocks, kind).astype(np.float32)
    cases[name] = {
        "type": int(kind), "columns": values, "blocks": base64.b64encode(blocks.tobytes()).decode(),
        "values": base64.b64encode(plain.tobytes()).decode(),
    }
golden.write_text(json.dumps({"made with": {"gguf": "0.19.0", "numpy": np.__version__}, "cases": cases}, separators=(",", ":")) + "\n")
print(len(cases), golden.stat().st_size)
