"""AbsTaskPairClassification of mteb on made-up pairs: python oracles/pair_classification.py > test/task/protocols/golden/pair-classification.json"""
import numpy as np
from datasets import Dataset
from mteb_stub import Stub, drawn, named, scores_of, task_with, write


def axes(seed, rows, width):
    """One axis each, times a power of two: float32 holds every cosine and distance exactly, so equal ones stay equal in any order of summation."""
    rs = np.random.RandomState(seed)
    return [[float(rs.choice([-2, -1, 0, 1, 2])) if k == axis else 0.0 for k in range(width)] for axis in rs.randint(0, width, rows)]


def case(what, seed, rows, width, *, integers=False, zeros=False, labels=None, similarity="cosine", task="TwitterSemEval2015"):
    a, b = (axes(seed, rows, width), axes(seed + 1, rows, width)) if integers else (drawn(seed, rows, width), drawn(seed + 1, rows, width))
    if not integers:
        b = [[x + y / 2 for x, y in zip(one, other)] for one, other in zip(a, b)]
    if zeros:
        a[3], a[5], b[5] = [0] * width, [0] * width, [0] * width
        b[7], b[8], a[9], b[9] = a[7], a[8], a[10], b[10]
    labels = np.random.RandomState(seed + 2).randint(0, 2, rows).tolist() if labels is None else [labels] * rows
    vectors = {**named("a", a), **named("b", b)}
    data = {"sentence1": [f"a{i}" for i in range(rows)], "sentence2": [f"b{i}" for i in range(rows)], "labels": labels}
    model = Stub(vectors, similarity)
    scores = scores_of(task_with(task, {"test": Dataset.from_dict(data)}), model)["default"]
    listed = scores_of(task_with(task, {"test": Dataset.from_list([data])}), model)["default"]
    assert scores == listed
    return {"what": what, "task": task, "similarity": similarity, "labels": labels, "vectors": vectors, "asked": model.asked[:2], "scores": scores}


write([
    case("random pairs", 1, 80, 12),
    case("zero and equal vectors, equal pairs", 4, 40, 6, zeros=True),
    case("many equal scores, dot product", 7, 90, 3, integers=True, similarity="dot"),
    case("many equal scores, euclidean", 10, 70, 3, integers=True, similarity="euclidean"),
    case("manhattan", 13, 60, 5, similarity="manhattan"),
    case("no pair belongs together", 16, 20, 4, labels=0),
    case("every pair belongs together", 19, 20, 4, labels=1),
    case("one pair in two", 22, 2, 3),
    case("sides with prompts of their own", 25, 30, 4, task="TERRa.V2"),
])
