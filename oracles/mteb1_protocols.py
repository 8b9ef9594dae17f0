"""Evaluators of mteb 1.39.7 on made-up rows: PYTHONPATH=FOLDER_OF_MTEB_1.39.7 python oracles/mteb1_protocols.py > test/task/protocols/golden/mteb-1.json

Models without a similarity of their own, as 1.39.7 knows them, are compared by cosine.
"""
import json, math, sys
import numpy as np
from importlib.metadata import version
from datasets import Dataset
from mteb.evaluation.evaluators import PairClassificationEvaluator, RerankingEvaluator, SummarizationEvaluator
from mteb.evaluation.evaluators.SummarizationEvaluator import DeprecatedSummarizationEvaluator
from mteb.evaluation.evaluators.BitextMiningEvaluator import BitextMiningEvaluator
from mteb.evaluation.evaluators.InstructionRetrievalEvaluator import InstructionRetrievalEvaluator
from mteb.abstasks.AbsTaskInstructionRetrieval import AbsTaskInstructionRetrieval
from mteb.evaluation.evaluators import utils
from types import SimpleNamespace

drawn = lambda seed, rows, width: (np.random.RandomState(seed).randint(-256, 257, (rows, width)) / 256).tolist()
named = lambda prefix, rows: {f"{prefix}{i}": row for i, row in enumerate(rows)}


class Stub:
    def __init__(self, vectors):
        self.vectors = {text: np.asarray(vector, np.float32) for text, vector in vectors.items()}

    def encode(self, sentences, **kwargs):
        return np.stack([self.vectors[text.strip()] for text in sentences])


def plain(value):
    if isinstance(value, dict):
        return {key: plain(own) for key, own in value.items()}
    return None if math.isnan(value) else float(value)


def pairs(what, seed, rows, width, axes=False):
    if axes:
        rs = np.random.RandomState(seed)
        a, b = ([[float(rs.choice([-2, -1, 0, 1, 2])) if k == axis else 0.0 for k in range(width)] for axis in rs.randint(0, width, rows)] for _ in range(2))
    else:
        a = drawn(seed, rows, width)
        b = [[x + y / 2 for x, y in zip(one, other)] for one, other in zip(a, drawn(seed + 1, rows, width))]
    labels = np.random.RandomState(seed + 2).randint(0, 2, rows).tolist()
    vectors = {**named("a", a), **named("b", b)}
    evaluator = PairClassificationEvaluator([f"a{i}" for i in range(rows)], [f"b{i}" for i in range(rows)], labels, task_name="x")
    scores = plain(evaluator.compute_metrics(Stub(vectors), encode_kwargs={}))
    return {"protocol": "AbsTaskPairClassification", "what": what, "task": "TwitterSemEval2015", "labels": labels, "vectors": vectors, "scores": scores}


def reranking(what, task, seed, queries, parts, positives, negatives, width):
    rs = np.random.RandomState(seed)
    vectors = named("q", drawn(seed + 1, queries * parts, width))
    samples, count = [], 0
    for i in range(queries):
        p, n = rs.randint(1, positives + 1), rs.randint(1, negatives + 1)
        if i == 2: n = 0
        if i == 4: p = 0
        texts = [f"d{count + k}" for k in range(p + n)]
        count += p + n
        names = [f"q{i * parts + k}" for k in range(parts)]
        samples.append({"query": names if parts > 1 else names[0], "positive": texts[:p], "negative": texts[p:]})
    vectors |= named("d", drawn(seed + 2, count, width))
    scores = plain(RerankingEvaluator(samples, task_name="x")(Stub(vectors)))
    return {"protocol": "AbsTaskRetrieval", "what": what, "task": task, "samples": samples, "vectors": vectors, "scores": scores}


def summaries(what, task, seed, evaluator, texts=6, machines=9, humans=3, width=5):
    rs = np.random.RandomState(seed)
    human = [[f"h{i * humans + j}" for j in range(humans)] for i in range(texts)]
    machine = [[f"m{i * machines + j}" for j in range(machines)] for i in range(texts)]
    relevance = [[round(float(v), 2) for v in rs.randint(3, 16, machines) / 3] for _ in range(texts)]
    vectors = {**named("h", drawn(seed + 1, texts * humans, width)), **named("m", drawn(seed + 2, texts * machines, width))}
    scores = plain(evaluator(task_name="x", human_summaries=human, machine_summaries=machine, texts=["t"] * texts, gold_scores=relevance)(Stub(vectors)))
    return {"protocol": "AbsTaskSummarization", "what": what, "task": task, "human": human, "machine": machine, "relevance": relevance, "vectors": vectors, "scores": scores}


def bitext(seed, rows, width):
    a = drawn(seed, rows, width)
    b = [[x + 0.9 * y for x, y in zip(one, other)] for one, other in zip(a, drawn(seed + 1, rows, width))]
    vectors = {**named("a", a), **named("b", b)}
    data = Dataset.from_dict({"sentence1": [f"a{i}" for i in range(rows)], "sentence2": [f"b{i}" for i in range(rows)]})
    return {"protocol": "AbsTaskBitextMining", "what": "bitext", "task": "BornholmBitextMining", "vectors": vectors, "scores": plain(BitextMiningEvaluator(data, task_name="x")(Stub(vectors)))}


def instructions(seed, queries, documents, candidates, width):
    """Each run by itself, as AbsTaskInstructionRetrieval does, then evaluate_change."""
    rs = np.random.RandomState(seed)
    names, docs = [f"i{n}" for n in range(queries)], [f"d{n}" for n in range(documents)]
    vectors = {**named("q", drawn(seed + 1, 2 * queries, width)), **named("d", drawn(seed + 2, documents, width))}
    grades = {name: {docs[row]: 1 for row in rs.randint(0, documents, 5)} for name in names}
    changed = {name: list(own)[:2] for name, own in grades.items()}
    after = {name: {doc: 0 if doc in changed[name] else 1 for doc in own} for name, own in grades.items()}
    top = {name: list(dict.fromkeys([*grades[name], *(docs[row] for row in rs.permutation(documents)[:candidates])])) for name in names}
    evaluator = InstructionRetrievalEvaluator(retriever=Stub(vectors), task_name="x", encode_kwargs={})
    corpus = {doc: {"title": "", "text": doc} for doc in docs}
    task, runs = SimpleNamespace(metadata_dict={"name": "x"}), {}
    # the query's text carries its instruction already
    for kind, own, k in (("og", grades, 0), ("changed", after, 1)):
        texts = {name: f"q{2 * n + k}" for n, name in enumerate(names)}
        runs[kind] = AbsTaskInstructionRetrieval._evaluate_subset(task, evaluator, corpus, texts, own, {text: "" for text in texts.values()}, top)
    scores = {**utils.evaluate_change(runs["og"][1], runs["changed"][1], changed), "individual": {"original": runs["og"][0], "changed": runs["changed"][0]}}
    pick = lambda kind, name: grades[name] if kind == "og" else after[name]
    return {"protocol": "AbsTaskRetrieval", "what": "changed instructions", "task": "Core17InstructionRetrieval", "queryIds": [f"{name}-{kind}" for name in names for kind in ("og", "changed")], "docIds": docs,
            "qrels": {f"{name}-{kind}": pick(kind, name) for name in names for kind in ("og", "changed")}, "candidates": {f"{name}-{kind}": top[name] for name in names for kind in ("og", "changed")}, "changed": changed, "vectors": vectors, "scores": plain(scores)}


cases = [
    pairs("random pairs", 201, 60, 8), pairs("many equal scores", 204, 50, 3, axes=True),
    reranking("one text a query", "AskUbuntuDupQuestions", 207, 14, 1, 3, 25, 5), reranking("several texts a query", "MindSmallReranking", 210, 8, 3, 2, 15, 5),
    summaries("statistics only", "SummEvalSummarization.v2", 213, SummarizationEvaluator), summaries("statistics and p-values", "SummEval", 216, DeprecatedSummarizationEvaluator),
    bitext(219, 60, 6), instructions(222, 6, 50, 20, 5),
]
made = {"mteb": "1.39.7", **{name: version(name) for name in ("numpy", "scipy", "scikit-learn", "torch", "pytrec-eval-terrier")}}
json.dump({"made_with": made, "cases": cases}, sys.stdout, separators=(",", ":"))
