"""test/representation/layers/golden/vector-types.json, codes of sentence-transformers: pip install sentence-transformers; python oracles/vector_types.py

Vectors are drawn with NumPy's RandomState(7): 24 rows of 20, of which the first 12 numbers are also quantised alone.
Ranges are those of 140 other rows, which some of the rows exceed.
"""

import json
import os

import numpy as np
import sentence_transformers
from sentence_transformers.util.quantization import quantize_embeddings

random = np.random.RandomState(7)
rows = random.standard_normal((24, 20)).astype(np.float32)
calibration = random.standard_normal((140, 20)).astype(np.float32)
out = {
    "versions": {"sentence-transformers": sentence_transformers.__version__, "numpy": np.__version__},
    "rows": [[float(f"{x:.9g}") for x in row] for row in rows.tolist()],
    "starts": [float(f"{x:.9g}") for x in calibration.min(0).tolist()],
    "ends": [float(f"{x:.9g}") for x in calibration.max(0).tolist()],
    "codes": {},
}
for width in (20, 12):
    for precision in ("int8", "uint8", "binary", "ubinary"):
        codes = quantize_embeddings(
            rows[:, :width], precision, calibration_embeddings=calibration[:, :width] if "int" in precision else None
        )
        out["codes"][f"{width} {precision}"] = codes.tolist()
path = os.path.join(os.path.dirname(__file__), "..", "test", "representation", "layers", "golden", "vector-types.json")
with open(path, "w") as file:
    json.dump(out, file)
    file.write("\n")
