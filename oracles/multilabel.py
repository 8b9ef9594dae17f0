"""AbsTaskMultilabelClassification of mteb on made-up rows: python oracles/multilabel.py test/task/protocols/golden/multilabel.json

mteb 2.26.24 under scikit-learn 1.8.0. Vectors are drawn by RandomState, which the test draws again.
"""
import sys
import numpy as np
from datasets import Dataset, DatasetDict
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MultiLabelBinarizer
from mteb_tasks import Model, data, record, scores_of, task_with


def case(what, shape, *, names="numbers", attributes={}, subsets=("a",), splits=("test",), train=0.5, asked=None, repeat=0, constant=False, drop=0.0):
    X, y, rs = data(**shape)
    if repeat: X = X[np.arange(len(X)) % repeat]
    if constant: X[:] = X[0]
    extra = [rs.randint(0, shape["K"], rs.randint(0, 3)).tolist() for _ in y]
    empty = rs.random_sample(len(y)) < drop
    sets = [[] if none else sorted({int(k), *more}, reverse=bool(i % 2)) for i, (k, more, none) in enumerate(zip(y, extra, empty))]
    labels = [[f"l{v}" for v in own] for own in sets] if names == "texts" else [[7] for _ in sets] if names == "one" else sets
    rows, at = [], 0
    share = len(y) // len(subsets)
    for subset in subsets:
        cut = int(train * share)
        rest = (share - cut) // len(splits)
        for split, size in [("train", cut)] + [(split, rest) for split in splits]:
            rows.append([split, subset, at, size]); at += size
    dataset = {subset: DatasetDict({split: Dataset.from_dict({"text": [f"x{i}" for i in range(a, a + size)], "label": labels[a:a + size]}) for split, own, a, size in rows if own == subset}) for subset in subsets}
    asked = asked or [(split, subset) for split in splits for subset in subsets]
    task = task_with("EmotionAnalysisPlus.v2", dataset, attributes)
    return dict(what=what, data=shape, repeat=repeat, constant=constant, params=attributes, rows=rows, labels=labels, asked=asked), scores_of(task, Model(X), asked)


wide = dict(n=360, d=24, K=6, seed=41, noise=2.0)
pairs = [
    case("numbers as labels", wide),
    case("texts as labels, some rows without any", wide, names="texts", drop=0.1),
    case("labels that only one of the splits has", dict(n=60, d=20, K=30, seed=42, noise=1.0), attributes=dict(samples_per_label=2, n_experiments=3)),
    case("four parts from one generator", wide, subsets=("a", "b"), splits=("validation", "test")),
    case("some of them", wide, subsets=("a", "b"), splits=("validation", "test"), asked=[("test", "b")]),
    case("a cut by iterative stratification", dict(n=900, d=16, K=9, seed=43, noise=2.0), names="texts", train=0.3, attributes=dict(max_eval_samples=200, n_experiments=2), drop=0.05),
    case("no cut", dict(n=900, d=16, K=9, seed=43, noise=2.0), train=0.3, attributes=dict(max_eval_samples=None, n_experiments=2)),
    case("every vector several times", wide, repeat=45),
    case("narrow vectors", dict(n=300, d=8, K=4, seed=44, noise=2.0)),
    case("one label", wide, names="one"),
    case("fewer training texts than neighbours", dict(n=8, d=16, K=2, seed=45, noise=1.0)),
    case("the same vector for all", wide, constant=True),
]


def older_cut(n, seed, K):
    """What 1.39.7 does before it encodes: ten shuffles of the training rows, then an unseeded `train_test_split` of the rest, on NumPy's global generator."""
    labels = [sorted({int(a), int(a * b) % K}) for a, b in np.random.RandomState(seed).randint(0, K, (n, 2))]
    hot = MultiLabelBinarizer().fit_transform(labels)
    np.random.seed(42)
    for _ in range(10): np.random.shuffle(np.arange(30))
    kept, _, _, _ = train_test_split(list(range(n)), hot, stratify=hot, train_size=2000)
    return dict(n=n, seed=seed, K=K, labels=labels[::100], kept=kept[::50])


pairs.append((dict(what="older cut", **older_cut(2300, 7, 4)), []))
record(sys.argv[1], [one for one, _ in pairs], [answer for _, answer in pairs])
