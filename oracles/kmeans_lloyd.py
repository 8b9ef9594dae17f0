"""K-means of scikit-learn from random rows for test/platform/linalg: python oracles/kmeans_lloyd.py > test/platform/linalg/golden/kmeans-lloyd.json

Data are drawn by RandomState, which the test draws again; only answers are stored. The first answer is of NumPy's draws alone.
"""
import json, sys, warnings
import numpy as np, sklearn
from sklearn.cluster import KMeans
warnings.filterwarnings("ignore")

def data(n, d, K, seed, noise, unit, scale):
    rs = np.random.RandomState(seed)
    C = rs.random_sample((K, d)) - 0.5
    y = rs.randint(0, K, n)
    X = (C[y] + noise * (rs.random_sample((n, d)) - 0.5)).astype(np.float32).astype(np.float64)
    if unit: X = X / np.sqrt((X * X).sum(1, keepdims=True))
    return (scale * X).astype(np.float32)

cases = [
    dict(data=dict(n=400, d=8, K=6, seed=11, noise=0.7, unit=True, scale=1), clusters=6),
    dict(data=dict(n=1000, d=12, K=20, seed=12, noise=0.9, unit=False, scale=4), clusters=50),
    dict(data=dict(n=50, d=5, K=12, seed=13, noise=0.8, unit=True, scale=1), clusters=49),
    dict(data=dict(n=90, d=7, K=4, seed=14, noise=0.3, unit=False, scale=1), clusters=8),
    dict(data=dict(n=700, d=16, K=9, seed=16, noise=1.2, unit=False, scale=1), clusters=1),
    dict(data=dict(n=700, d=32, K=60, seed=17, noise=2.0, unit=False, scale=1), clusters=100),
]
answers = []
for case in cases:
    X = data(**case["data"])
    model = KMeans(n_clusters=case["clusters"], random_state=42, init="random").fit(X)
    stride = max(1, len(X) // 150)
    answers.append({"stride": stride, "labels": model.labels_[::stride].tolist(), "inertia": float(model.inertia_), "steps": int(model.n_iter_),
                    "centre": [float(f"{x:.7g}") for x in model.cluster_centers_[-1]]})
p = np.full(40, 1 / 40, dtype=np.float32)
draws = {seed: np.random.RandomState(seed).choice(40, 35, replace=False, p=p).tolist() for seed in (0, 42)}
json.dump({"made_with": {"scikit-learn": sklearn.__version__, "numpy": np.__version__}, "draws": draws, "cases": cases, "answers": answers}, sys.stdout, separators=(",", ":"))
