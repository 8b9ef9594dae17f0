"""Mini-batch k-means and cluster scores of scikit-learn for test/platform/linalg and test/task/protocols: python oracles/kmeans.py test/platform/linalg/golden/kmeans.json

Adds the answers of the installed scikit-learn (and numpy) to the file; run it under 1.2.2, 1.6.1, 1.8.0 and 1.9.1. Data are drawn by RandomState, which
the test draws again; only answers are stored.
"""
import json, os, sys, warnings
import numpy as np, sklearn
from sklearn.cluster import MiniBatchKMeans
from sklearn.metrics.cluster import adjusted_mutual_info_score, v_measure_score
warnings.filterwarnings("ignore")

def data(n, d, K, seed, noise, unit=True, scale=1):
    rs = np.random.RandomState(seed)
    C = rs.random_sample((K, d)) - 0.5
    y = rs.randint(0, K, n)
    X = (C[y] + noise * (rs.random_sample((n, d)) - 0.5)).astype(np.float32).astype(np.float64)
    if unit: X = X / np.sqrt((X * X).sum(1, keepdims=True))
    return (scale * X).astype(np.float32), y, rs

cases = [
    dict(data=dict(n=400, d=8, K=6, seed=11, noise=0.7), clusters=6, batch=100),
    dict(data=dict(n=3000, d=12, K=20, seed=12, noise=0.9), clusters=20, batch=500),
    dict(data=dict(n=50, d=5, K=12, seed=13, noise=0.8), clusters=12, batch=500),
    dict(data=dict(n=90, d=7, K=4, seed=14, noise=1.0), clusters=1, batch=32),
    dict(data=dict(n=30, d=6, K=5, seed=15, noise=1.0), clusters=30, batch=500),
    dict(data=dict(n=81, d=16, K=9, seed=16, noise=1.2), clusters=9, batch=512, draws=4096),
    dict(data=dict(n=1500, d=10, K=60, seed=17, noise=0.5), clusters=200, batch=256),
    dict(data=dict(n=900, d=9, K=40, seed=18, noise=1.5, unit=False), clusters=400, batch=100),
    dict(data=dict(n=600, d=6, K=7, seed=19, noise=1.0, unit=False, scale=50), clusters=7, batch=64),
    dict(data=dict(n=5000, d=64, K=30, seed=20, noise=2.0), clusters=30, batch=512),
    dict(data=dict(n=1000, d=32, K=8, seed=21, noise=3.0), clusters=8, batch=512, draws=16384),
]
answers = []
for case in cases:
    X, y, rs = data(**case["data"])
    if "draws" in case:
        rows = rs.randint(0, len(X), case["draws"]); X, y = X[rows], y[rows]
    model = MiniBatchKMeans(n_clusters=case["clusters"], batch_size=case["batch"], n_init=1, random_state=42).fit(X)
    stride = max(1, len(X) // 150)
    answers.append({"steps": int(model.n_steps_), "stride": stride, "labels": model.labels_[::stride].tolist(), "inertia": float(model.inertia_),
                    "sizes": np.bincount(model.labels_, minlength=case["clusters"]).tolist(), "v_measure": float(v_measure_score(y, model.labels_)), "ami": float(adjusted_mutual_info_score(y, model.labels_))})

# scores of two labellings that nobody fitted
pairs = []
rs = np.random.RandomState(5)
for n, R, C, same in [(40, 5, 4, 0.0), (500, 12, 30, 0.5), (3000, 150, 120, 0.3), (60, 1, 3, 0.0), (60, 3, 1, 0.0), (20, 1, 1, 0.0), (25, 25, 25, 1.0), (6, 3, 3, 0.0)]:
    a = rs.randint(0, R, n); b = rs.randint(0, C, n)
    if R == n: a = b = np.arange(n)
    copy = rs.random_sample(n) < same
    b = np.where(copy, a % C, b)
    pairs.append({"n": n, "R": R, "C": C, "same": same, "v_measure": float(v_measure_score(a, b)), "ami": float(adjusted_mutual_info_score(a, b))})

path = sys.argv[1]
out = json.load(open(path)) if os.path.exists(path) else {"versions": {}}
out["cases"] = cases
out["versions"][sklearn.__version__] = {"numpy": np.__version__, "answers": answers, "pairs": pairs}
json.dump(out, open(path, "w"), separators=(",", ":"))
