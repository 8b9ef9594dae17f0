"""AbsTaskRegression of mteb on made-up rows: python oracles/regression.py test/task/protocols/golden/regression.json

mteb 2.26.24 under scikit-learn 1.8.0. Vectors and noise are drawn by RandomState, which the test draws again.
"""
import sys
import numpy as np
from datasets import Dataset, DatasetDict
from scipy.stats import kendalltau
from mteb_tasks import Model, data, record, scores_of, task_with


def case(what, shape, *, train, whole=False, rank=None, attributes={}, constant=False, scale=1.0, same=False):
    X, y, rs = data(**shape)
    if rank: X = X[:, np.arange(X.shape[1]) % rank]
    if constant: X[:] = X[0]
    w = rs.random_sample(X.shape[1]) - 0.5
    noise = rs.random_sample(len(X)) - 0.5
    values = scale * (3 * (X.astype(np.float64) * w).sum(1) + noise)
    values = [int(v) for v in np.round(values)] if whole else [round(float(v), 6) for v in values]
    if same: values = [values[0]] * len(values)
    rows = {"train": (0, train), "test": (train, len(X))}
    dataset = {"a": DatasetDict({split: Dataset.from_dict({"text": [f"x{i}" for i in range(a, b)], "value": values[a:b]}) for split, (a, b) in rows.items()})}
    task = task_with("RuSciBenchYearPublRegression", dataset, attributes)
    return dict(what=what, data=shape, rank=rank, constant=constant, params=attributes, train=train, values=values), scores_of(task, Model(X), [("test", "a")])


pairs = [
    case("more rows than columns", dict(n=500, d=24, K=6, seed=51, noise=2.0), train=400),
    case("fewer rows than columns", dict(n=160, d=96, K=6, seed=52, noise=2.0), train=60),
    case("samples by deciles", dict(n=900, d=12, K=6, seed=53, noise=2.0), train=700, attributes=dict(n_samples=200)),
    case("whole numbers, of which many are equal", dict(n=700, d=10, K=6, seed=54, noise=2.0), train=500, whole=True, scale=4.0, attributes=dict(n_samples=100, n_experiments=4)),
    case("columns that repeat", dict(n=400, d=30, K=6, seed=55, noise=2.0), train=300, rank=12),
    case("as many rows as columns", dict(n=120, d=40, K=6, seed=56, noise=2.0), train=40),
    case("values far from zero", dict(n=500, d=16, K=6, seed=57, noise=2.0), train=400, scale=2000.0),
    case("the same vector for all", dict(n=60, d=8, K=3, seed=58, noise=1.0), train=40, constant=True),
    case("the same value for all", dict(n=60, d=8, K=3, seed=58, noise=1.0), train=40, same=True),
]
rs = np.random.RandomState(3)
ranks = []
for n, low, high in [(2, 0, 5), (50, 0, 4), (400, 0, 1000), (30, 0, 1), (1000, -3, 3)]:
    a, b = rs.randint(low, high, n), rs.randint(low, high, n)
    tau = kendalltau(a, b).statistic
    ranks.append(dict(n=n, low=low, high=high, tau=None if np.isnan(tau) else float(tau)))
record(sys.argv[1], [one for one, _ in pairs] + [dict(what="kendall", ranks=ranks)], [answer for _, answer in pairs])
