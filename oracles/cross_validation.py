"""Cross-validated AbsTaskClassification of mteb on made-up rows: python oracles/cross_validation.py test/task/protocols/golden/cross-validation.json

mteb 2.26.24 under scikit-learn 1.8.0. Vectors are drawn by RandomState, which the test draws again.
"""
import sys
from datasets import Dataset, DatasetDict
from mteb_tasks import Model, data, record, scores_of, task_with


def case(what, shape, *, names=None, rare=0, attributes={}):
    X, y, _ = data(**shape)
    labels = [names[k] if names else int(k) for k in y]
    labels[: rare] = [names[-1] if names else shape["K"]] * rare  # a class that some folds lack
    dataset = {"a": DatasetDict({"evaluation": Dataset.from_dict({"text": [f"x{i}" for i in range(len(X))], "label": labels})})}
    task = task_with("SciRepEvalBiomimicryClassification", dataset, attributes)
    return dict(what=what, data=shape, labels=labels, params=attributes), scores_of(task, Model(X), [("evaluation", "a")])


pairs = [
    case("two classes", dict(n=203, d=8, K=2, seed=71, noise=3.0)),
    case("folds of one size", dict(n=150, d=6, K=3, seed=72, noise=2.5)),
    case("texts as labels, more folds, fewer samples", dict(n=217, d=10, K=5, seed=73, noise=2.0), names=["b", "a", "é", "Z", "10", "9"], rare=9, attributes=dict(n_splits=7, samples_per_label=3)),
    case("a class that folds lack", dict(n=64, d=5, K=2, seed=74, noise=2.0), rare=3),
]
record(sys.argv[1], [one for one, _ in pairs], [answer for _, answer in pairs])
