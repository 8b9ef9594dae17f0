"""Task classes of mteb with made-up rows and a model of recorded vectors, without torch: the data loader is replaced by a list of batches. Used by the scripts beside this one."""
import json, math, os, sys, warnings
from importlib.metadata import version
import numpy as np
import mteb
from mteb.models.model_meta import ModelMeta
from mteb.abstasks import classification, clustering, multilabel_classification
from mteb._evaluators import clustering_evaluator
warnings.filterwarnings("ignore")


def loader(dataset, *, input_column, **kwargs):
    return [{"text": list(dataset[input_column])}]


for module in (classification, clustering, multilabel_classification, clustering_evaluator):
    module.create_dataloader = loader


class Model:
    """Text `x7` is row 7 of the vectors."""
    mteb_model_meta = ModelMeta.create_empty()

    def __init__(self, vectors):
        self.vectors = vectors

    def encode(self, inputs, **kwargs):
        return self.vectors[[int(text[1:]) for batch in inputs for text in batch["text"]]]

    def similarity(self, a, b): ...
    def similarity_pairwise(self, a, b): ...


def data(n, d, K, seed, noise, unit=True, scale=1):
    """Noisy copies of K random centres, with the generator as it is after them."""
    rs = np.random.RandomState(seed)
    C = rs.random_sample((K, d)) - 0.5
    y = rs.randint(0, K, n)
    X = (C[y] + noise * (rs.random_sample((n, d)) - 0.5)).astype(np.float32).astype(np.float64)
    if unit: X = X / np.sqrt((X * X).sum(1, keepdims=True))
    return (scale * X).astype(np.float32), y, rs


def task_with(name, dataset, attributes):
    task = mteb.get_task(name)
    task.dataset, task.data_loaded, task.hf_subsets = dataset, True, list(dataset)
    for key, value in attributes.items():
        setattr(task, key, value)
    return task


def scores_of(task, model, parts):
    """Scores of (split, subset)s, asked for one after the other as `mteb.evaluate` does; the message where the task refuses."""
    found = []
    for split, subset in parts:
        try:
            scores = plain(task.evaluate(model, split, subsets_to_run=[subset], encode_kwargs={})[subset])
            found.append({"split": split, "subset": subset, "scores": scores})
        except Exception as error:
            found.append({"split": split, "subset": subset, "error": f"{type(error).__name__}: {error}"[:200]})
    return found


def plain(value):
    """NaN becomes null; every number a float; order is kept."""
    if isinstance(value, dict):
        return {key: plain(own) for key, own in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(own) for own in value]
    if isinstance(value, str) or value is None:
        return value
    return None if math.isnan(value) else float(value)


def record(path, cases, answers):
    """Adds the answers of the installed versions to the file, under the version of scikit-learn."""
    made_with = {name: version(name) for name in ("mteb", "numpy", "scipy", "scikit-learn", "datasets")}
    out = json.load(open(path)) if os.path.exists(path) else {"versions": {}}
    out["cases"] = cases
    out["versions"][made_with["scikit-learn"]] = {"made_with": made_with, "answers": answers}
    json.dump(out, open(path, "w"), separators=(",", ":"), ensure_ascii=False)
