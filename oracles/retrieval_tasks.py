"""Retrieval, reranking and instruction tasks of mteb on made-up corpora: python oracles/retrieval_tasks.py > test/task/protocols/golden/retrieval-tasks.json

Every case is a task class with its own k_values, identical-id rule and task_specific_scores.
"""
import importlib
import numpy as np
from datasets import Dataset
from mteb_stub import Stub, drawn, named, scores_of, task_with, write


def case(what, task, seed, query_ids, documents, *, width=6, integers=False, similarity="cosine", candidates=None, grades=(-1, 4), judged=6, doc_ids=None, changed=None, zero_query=None, **attributes):
    rs = np.random.RandomState(seed)
    doc_ids = [f"d{i}" for i in range(documents)] if doc_ids is None else doc_ids
    qrels = {}
    for query in query_ids:
        rows, marks = rs.randint(0, documents, judged), rs.randint(*grades, judged)
        qrels[query] = {doc_ids[row]: int(mark) for row, mark in zip(rows, marks)}
    if zero_query is not None:
        qrels[zero_query] = {doc_ids[0]: 0, doc_ids[1]: 0}
    top_ranked = None
    if candidates is not None:
        top_ranked = {}
        for query in query_ids:
            picks = [doc_ids[row] for row in rs.permutation(documents)[:candidates]]
            top_ranked[query] = list(dict.fromkeys([*qrels[query], *picks]))
        if len(query_ids) > 5 and candidates < 100:
            top_ranked[query_ids[5]] = []
    vectors = {**named("q", drawn(seed + 1, len(query_ids), width, integers)), **named("d", drawn(seed + 2, documents, width, integers))}
    split = {
        "corpus": Dataset.from_dict({"id": doc_ids, "text": [f"d{i}" for i in range(documents)]}),
        "queries": Dataset.from_dict({"id": query_ids, "text": [f"q{i}" for i in range(len(query_ids))]}),
        "relevant_docs": {query: dict(own) for query, own in qrels.items()},
        "top_ranked": top_ranked,
    }
    instance = task_with(task, {"default": {"test": split}}, **attributes)
    if changed is not None:
        module = importlib.import_module(type(instance).__module__)
        module.load_dataset = lambda *_, **__: [{"query-id": query, "corpus-ids": ids} for query, ids in changed.items()]
    instance.hf_subsets = ["default"]
    scores = instance._evaluate_subset(Stub(vectors, similarity), split, encode_kwargs={"batch_size": 64, "show_progress_bar": False}, hf_split="test", hf_subset="default", timer=__import__("mteb.timing", fromlist=["TimingStack"]).TimingStack())
    instance._add_main_score(scores)
    from mteb_stub import plain
    return {"what": what, "task": task, "similarity": similarity, "queryIds": query_ids, "docIds": doc_ids, "qrels": qrels, "candidates": top_ranked, "changed": changed, "params": attributes, "vectors": vectors, "scores": plain(scores)}


def ids(prefix, count):
    return [f"{prefix}{i}" for i in range(count)]


def og_changed(seed, queries, documents, candidates, **more):
    names = ids("i", queries)
    rs = np.random.RandomState(seed + 9)
    changed = {name: [f"d{row}" for row in rs.randint(0, documents, 3)] for name in names}
    changed["absent"] = ["d1"]
    changed[names[0]] = []
    changed[names[1]].append("nowhere")
    return case("changed instructions", "Core17InstructionRetrieval", seed, [f"{name}-{kind}" for name in names for kind in ("og", "changed")], documents, candidates=candidates, changed=changed, **more)


write([
    case("candidates, some equal, one query without any", "AskUbuntuDupQuestions", 70, ids("q", 12), 80, width=2, integers=True, similarity="dot", candidates=20, grades=(0, 2), zero_query="q3"),
    case("candidates, negative grades", "StackOverflowDupQuestions", 73, ids("q", 9), 60, candidates=25),
    case("more than a thousand candidates", "SciDocsRR", 76, ids("q", 3), 1300, width=4, candidates=1250, grades=(0, 2), judged=40),
    case("parts of queries", "MindSmallReranking", 79, [f"{n}_{part}_{k}" for n in range(5) for part in ("a",) for k in range(3)], 50, width=3, integers=True, similarity="dot", candidates=18, grades=(0, 2)),
    case("pairs of queries", "NevIR", 82, [f"{n}_q{k}" for n in range(8) for k in (1, 2)], 16, width=3, candidates=2, grades=(1, 2), judged=1),
    case("instructions of a query", "InstructIR", 85, [f"{n}_i{k}" for n in range(6) for k in range(4)], 90, width=4, grades=(0, 3)),
    case("levels, self-matches ignored", "IFIRFiQA", 88, [f"d{n}" if n % 4 == 0 else f"d{n}_v{n % 3 + 1}" for n in range(24)], 60, grades=(0, 3)),
    case("levels", "IFIRScifact", 91, [f"{n}_v{n % 3 + 1}" for n in range(15)], 45, grades=(0, 2)),
    case("capped recall, other cutoffs", "LoCoMo", 94, ids("q", 14), 70, grades=(0, 2), zero_query="q4"),
    og_changed(97, 7, 60, 24),
    og_changed(100, 5, 30, 20, width=2, integers=True, similarity="dot"),
    case("self-matches ignored, ids that tie", "ArguAna", 103, ids("d", 12), 40, width=2, integers=True, similarity="dot", doc_ids=[f"d{i}" if i % 3 else ("\U0001F600" if i % 2 else "\uff5e") + str(i) for i in range(40)]),
    case("euclidean", "SciFact", 106, ids("q", 10), 50, similarity="euclidean", grades=(0, 3)),
    case("manhattan", "SciFact", 109, ids("q", 10), 50, similarity="manhattan", grades=(0, 3)),
    case("the first result skipped", "SciFact", 112, ids("q", 10), 50, grades=(0, 3), skip_first_result=True, k_values=[1, 10, 20]),
])
