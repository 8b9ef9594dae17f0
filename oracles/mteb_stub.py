"""A model of recorded vectors for the task classes of mteb, and made-up rows put into them. Used by the scripts beside this one."""
import json, math, sys
import numpy as np
import datasets, mteb, pytrec_eval, scipy, sentence_transformers, sklearn, torch
from importlib.metadata import version
from mteb.models.model_meta import ModelMeta
from sentence_transformers.util import SimilarityFunction

MADE_WITH = {name: version(name) for name in ("mteb", "numpy", "scipy", "scikit-learn", "torch", "sentence-transformers", "pytrec-eval-terrier")}


class Stub:
    """Texts are keys of `vectors`; `asked` keeps the prompt types of the calls."""

    def __init__(self, vectors, similarity="cosine"):
        self.vectors = {text: np.asarray(vector, np.float32) for text, vector in vectors.items()}
        self.similarity = SimilarityFunction.to_similarity_fn(similarity)
        self.similarity_pairwise = SimilarityFunction.to_similarity_pairwise_fn(similarity)
        self.mteb_model_meta = ModelMeta.create_empty()
        self.asked = []

    def encode(self, inputs, *, task_metadata, hf_split, hf_subset, prompt_type=None, **kwargs):
        self.asked.append(None if prompt_type is None else prompt_type.value)
        return np.stack([self.vectors[text] for batch in inputs for text in batch["text"]])


def task_with(name, dataset, **attributes):
    task = mteb.get_task(name)
    task.dataset, task.data_loaded = dataset, True
    for key, value in attributes.items():
        setattr(task, key, value)
    if "k_values" in attributes:
        task._top_k = max(task.k_values)
    return task


def scores_of(task, model, split="test", subsets=None):
    return {subset: plain(scores) for subset, scores in task.evaluate(model, split, subsets_to_run=subsets, encode_kwargs={"batch_size": 64, "show_progress_bar": False}).items()}


def plain(value):
    """NaN becomes null; every number a float; order is kept."""
    if isinstance(value, dict):
        return {key: plain(own) for key, own in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(own) for own in value]
    if isinstance(value, str) or value is None:
        return value
    return None if math.isnan(value) else float(value)


def drawn(seed, rows, width, integers=False):
    """Vectors that float32 holds exactly: multiples of 1/256, or small integers, of which many are equal."""
    rs = np.random.RandomState(seed)
    return rs.randint(-2, 3, (rows, width)).tolist() if integers else (rs.randint(-256, 257, (rows, width)) / 256).tolist()


def named(prefix, rows):
    return {f"{prefix}{i}": row for i, row in enumerate(rows)}


def write(cases):
    json.dump({"made_with": MADE_WITH, "cases": cases}, sys.stdout, separators=(",", ":"), ensure_ascii=False)
