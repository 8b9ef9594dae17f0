"""AbsTaskClustering and AbsTaskClusteringLegacy of mteb on made-up rows: python oracles/clustering.py test/task/protocols/golden/clustering.json

Run it with mteb 2.26.24 under scikit-learn 1.6.1, 1.8.0 and 1.9.1 (profiles A, A1, B). Vectors are drawn by RandomState, which the test draws again.
"""
import sys
import numpy as np
from datasets import Dataset
from mteb_tasks import Model, data, record, scores_of, task_with

WIDE = dict(max_fraction_of_documents_to_embed=None, max_document_to_embed=None)
SMALL = dict(max_documents_per_cluster=300, n_clusters=3, k_mean_batch_size=64)


def levels(y, kind):
    """Labels of a hierarchy from class numbers: the deeper levels are missing for some."""
    rows = []
    for i, k in enumerate(y):
        path = [k % 2, k % 4, k][: 1 + (i % 3) if kind != "flat" else 1]
        rows.append([f"c{v}" for v in path] if kind == "texts" else [int(v) for v in path])
    return rows


def fast(what, shape, labels, attributes, subsets=("a",), splits=("test",), asked=None, constant=False):
    X, y, rs = data(**shape)
    if constant: X[:] = X[0]
    y = [int(k) for k in y]
    made = {"texts": [f"class {k}" for k in y], "numbers": y, "one": ["only"] * len(y), "tree": levels(y, "numbers"), "text tree": levels(y, "texts"), "own": [f"{i}" for i in range(len(y))]}[labels]
    parts = [(split, subset) for split in splits for subset in subsets]
    cut = len(y) // len(parts)
    rows = {part: list(range(i * cut, (i + 1) * cut)) for i, part in enumerate(parts)}
    dataset = {subset: {split: Dataset.from_dict({"sentences": [f"x{i}" for i in rows[split, subset]], "labels": [made[i] for i in rows[split, subset]]}) for split in splits} for subset in subsets}
    asked = asked or parts
    task = task_with("WikiClusteringP2P.v2", dataset, {**WIDE, **SMALL, **attributes})
    return dict(what=what, protocol="AbsTaskClustering", data=shape, constant=constant, params={**WIDE, **SMALL, **attributes}, rows=[[split, subset, rows[split, subset][0], cut] for split, subset in parts], labels=made, asked=asked), scores_of(task, Model(X), asked)


def legacy(what, shape, sets, labels="texts", constant=False):
    X, y, rs = data(**shape)
    if constant: X[:] = X[0]
    made = [f"class {k}" for k in y] if labels == "texts" else [int(k) for k in y] if labels == "numbers" else ["only"] * len(y)
    bounds = np.cumsum([0, *sets]).tolist()
    rows = {"sentences": [[f"x{i}" for i in range(a, b)] for a, b in zip(bounds, bounds[1:])], "labels": [made[a:b] for a, b in zip(bounds, bounds[1:])]}
    task = task_with("TwentyNewsgroupsClustering", {"default": {"test": Dataset.from_dict(rows)}}, {})
    return dict(what=what, protocol="AbsTaskClusteringLegacy", data=shape, constant=constant, params={}, sets=bounds, labels=made, asked=[("test", "default")]), scores_of(task, Model(X), [("test", "default")])


shape = dict(n=240, d=12, K=8, seed=31, noise=1.5)
pairs = [
    fast("texts as labels, half of the documents", shape, "texts", dict(max_fraction_of_documents_to_embed=0.5)),
    fast("numbers as labels, a number of documents", shape, "numbers", dict(max_document_to_embed=100)),
    fast("more documents asked for than there are", shape, "numbers", dict(max_document_to_embed=1000)),
    fast("levels of unequal depth, numbers", shape, "tree", {}),
    fast("levels of unequal depth, texts", shape, "text tree", {}),
    fast("two of three levels", shape, "tree", dict(max_depth=2)),
    fast("one label", shape, "one", {}),
    fast("a label for every document", dict(n=60, d=6, K=5, seed=32, noise=1.0), "own", {}),
    fast("a sample smaller than the labels are many", dict(n=60, d=6, K=5, seed=32, noise=1.0), "own", dict(max_documents_per_cluster=50)),
    fast("four parts from one generator", dict(n=400, d=10, K=6, seed=33, noise=2.0), "texts", dict(max_fraction_of_documents_to_embed=0.6), subsets=("a", "b"), splits=("validation", "test")),
    fast("some of them", dict(n=400, d=10, K=6, seed=33, noise=2.0), "texts", dict(max_fraction_of_documents_to_embed=0.6), subsets=("a", "b"), splits=("validation", "test"), asked=[("validation", "b"), ("test", "b")]),
    fast("mteb's own sizes", dict(n=900, d=24, K=10, seed=34, noise=3.0), "texts", dict(max_documents_per_cluster=16384, n_clusters=10, k_mean_batch_size=512, max_fraction_of_documents_to_embed=0.4)),
    fast("the same vector for all", shape, "texts", {}, constant=True),
    legacy("sets of several sizes", dict(n=700, d=10, K=7, seed=35, noise=1.5), [300, 120, 30, 250]),
    legacy("numbers as labels, one text a set, few texts", dict(n=60, d=6, K=5, seed=36, noise=1.0), [1, 2, 7, 50], "numbers"),
    legacy("one label", dict(n=40, d=6, K=5, seed=37, noise=1.0), [20, 20], "one"),
    legacy("more than a batch", dict(n=2500, d=16, K=25, seed=38, noise=1.2), [1700, 800]),
    legacy("the same vector for all", dict(n=40, d=6, K=5, seed=37, noise=1.0), [20, 20], constant=True),
]
record(sys.argv[1], [case for case, _ in pairs], [answer for _, answer in pairs])
