"""Reference fits and similarities for test/platform/linalg: python oracles/linalg.py > test/platform/linalg/golden/linalg.json   (numpy, scipy, scikit-learn)

Data are drawn by RandomState, which the test draws again; only answers are stored.
"""
import json, sys
import numpy as np, scipy, sklearn
from scipy import stats
from scipy.optimize import fmin_l_bfgs_b
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import paired_cosine_distances, paired_euclidean_distances, paired_manhattan_distances

def data(n, d, K, seed, noise, scale, unit):
    rs = np.random.RandomState(seed)
    C = rs.random_sample((K, d)) - 0.5
    y = rs.randint(0, K, n)
    X = (C[y] + noise * (rs.random_sample((n, d)) - 0.5)).astype(np.float32).astype(np.float64)
    if unit: X = X / np.sqrt((X * X).sum(1, keepdims=True))
    return (scale * X).astype(np.float32), y

out = {"made_with": {"numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__}, "fits": [], "minima": []}
cases = [dict(n=60, d=6, K=5, seed=7, noise=0.6, scale=1, unit=True), dict(n=90, d=10, K=2, seed=1, noise=1.5, scale=1, unit=True), dict(n=200, d=24, K=9, seed=2, noise=1.0, scale=1, unit=False),
         dict(n=150, d=12, K=3, seed=3, noise=2.0, scale=20, unit=False), dict(n=40, d=64, K=4, seed=4, noise=0.8, scale=1, unit=True), dict(n=120, d=8, K=2, seed=5, noise=3.0, scale=50, unit=False),
         dict(n=308, d=16, K=77, seed=6, noise=0.5, scale=1, unit=True), dict(n=80, d=5, K=6, seed=8, noise=1.0, scale=300, unit=False)]
for c in cases:
    X, y = data(**c)
    half = c["n"] * 2 // 3
    m = LogisticRegression(random_state=42, max_iter=100).fit(X[:half].astype(np.float64), y[:half])
    out["fits"].append({"data": c, "train": half, "classes": m.classes_.tolist(), "n_iter": int(m.n_iter_[0]), "coef": m.coef_.ravel().tolist() if m.coef_.size <= 400 else m.coef_.ravel()[::7].tolist(),
                        "stride": 1 if m.coef_.size <= 400 else 7, "intercept": m.intercept_.tolist(), "predictions": m.predict(X[half:].astype(np.float64)).tolist()})

def rosen(x):
    g = np.zeros_like(x)
    g[:-1] = -400 * x[:-1] * (x[1:] - x[:-1] ** 2) - 2 * (1 - x[:-1])
    g[1:] += 200 * (x[1:] - x[:-1] ** 2)
    return float(np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)), g
def quartic(x):
    k = np.arange(1, len(x) + 1)
    return float(np.sum(k * x**4 - x)), 4 * k * x**3 - 1
def wells(x):
    return float(np.sum(np.cos(3 * x) + 0.1 * x * x)), -3 * np.sin(3 * x) + 0.2 * x
for name, f, x0, options in [("rosenbrock", rosen, [-1.2, 1, -0.5, 2, 0.3], {}), ("rosenbrock", rosen, [3.0, -2.0], {"maxiter": 7}), ("quartic", quartic, [5.0] * 12, {"m": 3}), ("wells", wells, [2.9, -0.4, 7.0, 0.01], {"pgtol": 1e-8}), ("quartic", quartic, [1e-3] * 4, {"factr": 1e12})]:
    x, v, info = fmin_l_bfgs_b(f, np.array(x0), **options)
    out["minima"].append({"name": name, "start": x0, "options": options, "x": x.tolist(), "value": float(v), "iterations": int(info["nit"]), "evaluations": int(info["funcalls"])})

rs = np.random.RandomState(12)
A = (rs.random_sample((40, 17)) - 0.5).astype(np.float32)
B = (rs.random_sample((40, 17)) - 0.5).astype(np.float32)
B[3] = A[3]; B[4] = 2 * A[4]; B[5] = -A[5]; A[6] = 0; A[7] = 0; B[7] = 0; A[8] *= 1e-8; B[9] *= 1e4
gold = np.round(rs.random_sample(40) * 4)
out["paired"] = {"cosine": (1 - paired_cosine_distances(A, B)).tolist(), "manhattan": paired_manhattan_distances(A, B).tolist(), "euclidean": paired_euclidean_distances(A, B).tolist(), "dot": (A * B).sum(1).tolist(),
                 "pearson": stats.pearsonr(gold, (A * B).sum(1).astype(float))[0], "spearman": stats.spearmanr(gold, (A * B).sum(1))[0], "ranks": stats.rankdata(gold).tolist()}
json.dump(out, sys.stdout, separators=(",", ":"))
