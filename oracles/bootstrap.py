"""Statistics and intervals for test/result/ledger: python oracles/bootstrap.py > test/result/statistics/golden/bootstrap.json

Spearman by scipy, average precision by scikit-learn, intervals by numpy's percentile, all on explicit resamples of the items; words come from
numpy's Mersenne twister, index = floor(word / 2^32 * n).
"""
import json
import numpy as np, scipy, sklearn
from scipy.stats import spearmanr
from sklearn.metrics import average_precision_score

rs = np.random.RandomState(7)
n = 40
gold = [float(v) for v in rs.randint(0, 6, n)]
label = [int(v) for v in rs.randint(0, 2, n)]
a = [round(float(v), 2) for v in np.array(gold) / 5 + rs.random_sample(n)]
b = [round(float(v), 2) for v in np.array(gold) / 5 + 2 * rs.random_sample(n)]
draws = 2000
words = np.random.RandomState(42)
kinds = {
    "spearman": lambda x, i: spearmanr(np.array(x)[i], np.array(gold)[i])[0],
    "ap": lambda x, i: average_precision_score(np.array(label)[i], np.array(x)[i]),
    "mean": lambda x, i: float(np.array(x)[i].mean()),
}
samples = [np.floor(words.randint(0, 2**32, n, dtype=np.uint32).astype(np.float64) / 2**32 * n).astype(int) for _ in range(draws)]
out = {"made_with": {"numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__}, "gold": gold, "label": label, "a": a, "b": b, "draws": draws, "kinds": {}}
whole = np.arange(n)
for name, score in kinds.items():
    d = np.array([score(a, i) - score(b, i) for i in samples])
    out["kinds"][name] = {"a": float(score(a, whole)), "b": float(score(b, whole)), "first": [float(score(a, samples[0])), float(score(b, samples[0]))],
                          "low": float(np.percentile(d, 2.5)), "high": float(np.percentile(d, 97.5)), "p": min(1.0, 2 * min((d <= 0).sum(), (d >= 0).sum()) / draws)}
print(json.dumps(out))
