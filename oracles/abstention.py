"""mteb's abstention area where all queries score alike, so that only roundings are left: python oracles/abstention.py > test/task/protocols/golden/abstention.json

Confidences are drawn by RandomState(seed), rounded to one digit where they shall tie; the test draws them again.
"""
import json, sys
import numpy as np
from importlib.metadata import version
from mteb._evaluators.retrieval_metrics import nauc

cases = []
for seed, n in enumerate((3, 7, 8, 9, 20, 129, 500, 1185, 1300)):
    for metric in (0.001, 0.01, 1 / 3, 0.1, 0.2):
        for ties in (False, True):
            drawn = np.random.RandomState(seed).random_sample(n)
            area = float(nauc(np.round(drawn, 1) if ties else drawn, np.full(n, metric)))
            cases.append({"seed": seed, "n": n, "metric": metric, "ties": ties, "area": None if np.isnan(area) else area})
json.dump({"made_with": {name: version(name) for name in ("mteb", "numpy", "scikit-learn")}, "cases": cases}, sys.stdout, separators=(",", ":"))
