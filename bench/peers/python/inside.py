"""NumPy's, SciPy's and scikit-learn's turn in `inside`.

    inside.py --part cka|pca|pairs|eigen --file rows.f32 --layers 13 --rows 20000 --width 768 --components 768

`cka` in the width × width form, float32, each layer centred once; `pca` by scikit-learn's default solver for the shape; `pairs` as one would write them with
scipy.spatial, scipy.stats and NumPy. Prints seconds, CPU seconds and what came out as one line of JSON.
"""
import argparse
import json
import time

parser = argparse.ArgumentParser()
parser.add_argument("--part", required=True)
parser.add_argument("--file", required=True)
for name in ["layers", "rows", "width", "components"]:
    parser.add_argument(f"--{name}", type=int, required=True)
options = parser.parse_args()

import numpy as np  # noqa: E402

rows = np.fromfile(options.file, dtype=np.float32).reshape(options.rows, options.layers * options.width)
report = {}


def timed(name, work):
    started, used = time.perf_counter(), time.process_time()
    result = work()
    report[f"{name}Seconds"], report[f"{name}CpuSeconds"] = time.perf_counter() - started, time.process_time() - used
    return result


def layers():
    return [np.ascontiguousarray(rows[:, h * options.width : (h + 1) * options.width]) for h in range(options.layers)]


def cka(states):
    centred = [x - x.mean(axis=0) for x in states]
    norms = [np.linalg.norm(x.T @ x) for x in centred]
    out = np.eye(len(states))
    for i in range(len(states)):
        for j in range(i + 1, len(states)):
            out[i, j] = out[j, i] = np.linalg.norm(centred[i].T @ centred[j]) ** 2 / (norms[i] * norms[j])
    return out


def rsa(x, y):
    from scipy.spatial.distance import pdist
    from scipy.stats import spearmanr

    return spearmanr(pdist(x, "correlation"), pdist(y, "correlation"))[0]


def distance_correlation(x, y):
    from scipy.spatial.distance import pdist, squareform

    def centred(z):
        d = squareform(pdist(z))
        return d - d.mean(axis=0) - d.mean(axis=1)[:, None] + d.mean()

    a, b = centred(x), centred(y)
    return np.sqrt((a * b).mean() / np.sqrt((a * a).mean() * (b * b).mean()))


if options.part == "cka":
    states = layers()
    timed("cka", lambda: cka(states))
elif options.part == "pairs":
    x, y = layers()
    import scipy.spatial.distance  # noqa: F401
    import scipy.stats  # noqa: F401

    report["rsa"] = timed("rsa", lambda: rsa(x, y))
    report["distance"] = timed("distance", lambda: distance_correlation(x, y))
elif options.part == "pca":
    from sklearn.decomposition import PCA

    fitted = timed("pca", lambda: PCA(options.components).fit(rows))
    report["variance"] = float(fitted.explained_variance_.sum())
    report["share"] = float(fitted.explained_variance_ratio_.sum())
else:
    wide = rows.astype(np.float64)
    covariance = np.cov(wide.T)
    values, vectors = timed("whole", lambda: np.linalg.eigh(covariance))
    report["wholeResidual"] = float(np.abs(covariance @ vectors - vectors * values).max() / values[-1])
    report["wholeSkew"] = float(np.abs(vectors.T @ vectors - np.eye(len(values))).max())
report = {key: float(value) for key, value in report.items()}
print(json.dumps(report))
