"""Means, eigenvalues and axes of covariances by NumPy, for test/platform/linalg/principal-axes.test.ts.

    python oracles/principal_axes.py test/platform/linalg/golden/principal-axes.json
"""

import json
import sys

import numpy as np


def rows_of(name, rows, width, seed):
    values = np.random.RandomState(seed).random_sample((rows, width)) - 0.5
    column = np.arange(width)
    values = values / (1 + (column % 5 if name == "rank-deficient" else column))
    if name == "constant columns":
        values[:, column % 3 == 0] = 7
    if name == "large mean":
        values = 1e4 + 10 * values
    if name == "rank-deficient":
        values = values[:, column % 5]
    return values.astype(np.float32).astype(np.float64)


cases = []
for name, rows, width, count, seed in [
    ("many rows", 60, 12, 4, 1),
    ("fewer rows than columns", 9, 20, 5, 2),
    ("constant columns", 40, 12, 3, 3),
    ("all axes", 50, 10, 10, 4),
    ("rank-deficient", 40, 20, 8, 5),
    ("large mean", 60, 12, 4, 6),
]:
    x = rows_of(name, rows, width, seed)
    centred = x - x.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred / (rows - 1))
    values, vectors = values[::-1], vectors.T[::-1]
    # beyond the rank axes are arbitrary
    kept = [k for k in range(count) if values[k] > 1e-10 * values[0]]
    cases.append(
        {
            "name": name,
            "rows": rows,
            "width": width,
            "count": count,
            "seed": seed,
            "mean": x.mean(axis=0).tolist(),
            "values": values[:count].tolist(),
            "vectors": vectors[kept].tolist(),
        }
    )

with open(sys.argv[1], "w") as file:
    json.dump({"made_with": {"numpy": np.__version__}, "cases": cases}, file)
    file.write("\n")
