"""Singular values, polar factors, eigenvalues and solutions by NumPy for test/platform/linalg/decompositions.test.ts. Usage: python oracles/decompositions.py > test/platform/linalg/golden/decompositions.json"""
import json
import numpy as np


def random(rows, width, seed):
    return np.random.RandomState(seed).random_sample((rows, width)) - 0.5


out = {"made_with": {"numpy": np.__version__}, "svd": [], "eigen": [], "solve": []}
for rows, width, seed in [(1, 1, 1), (3, 2, 2), (2, 5, 3), (8, 8, 4), (6, 9, 5)]:
    u, s, vt = np.linalg.svd(random(rows, width, seed), full_matrices=False)
    out["svd"].append({"rows": rows, "width": width, "seed": seed, "s": s.tolist(), "polar": (u @ vt).ravel().tolist()})
for n, seed in [(5, 1), (24, 2), (25, 3), (60, 4), (150, 5)]:
    a = random(n, n, seed)
    out["eigen"].append({"n": n, "seed": seed, "values": np.linalg.eigvalsh(a + a.T)[::-1].tolist()})
for n, rows, seed in [(3, 2, 1), (40, 3, 2), (150, 2, 3)]:
    root = random(n, n, seed)
    out["solve"].append({"n": n, "rows": rows, "seed": seed, "x": np.linalg.solve(root @ root.T + np.eye(n), random(rows, n, seed + 1).T).T.ravel().tolist()})
print(json.dumps(out))
