"""scikit-learn's turn in `regressions`: LogisticRegression(max_iter=100) on the same samples, in float64 as mteb's published scores were computed.

    regressions.py --file samples.f32 --fits 70 --rows 616 --width 384 --classes 77

Row i of every fit is of class i % classes. Prints seconds, CPU seconds and iterations as one line of JSON.
"""
import argparse
import json
import time
import warnings

parser = argparse.ArgumentParser()
parser.add_argument("--file", required=True)
for name in ["fits", "rows", "width", "classes"]:
    parser.add_argument(f"--{name}", type=int, required=True)
options = parser.parse_args()

import numpy as np  # noqa: E402
import sklearn  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402

warnings.filterwarnings("ignore")
samples = np.fromfile(options.file, dtype=np.float32).reshape(options.fits, options.rows, options.width)
labels = np.arange(options.rows) % options.classes
started, used = time.perf_counter(), time.process_time()
iterations = [int(LogisticRegression(max_iter=100).fit(sample.astype(np.float64), labels).n_iter_[0]) for sample in samples]
seconds, cpu = time.perf_counter() - started, time.process_time() - used
print(json.dumps({"seconds": seconds, "cpuSeconds": cpu, "iterations": sum(iterations), "version": sklearn.__version__}))
