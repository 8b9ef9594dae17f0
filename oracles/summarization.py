"""AbsTaskSummarization of mteb on made-up summaries: python oracles/summarization.py > test/task/protocols/golden/summarization.json"""
import numpy as np
from datasets import Dataset
from mteb_stub import Stub, drawn, named, scores_of, task_with, write


def case(what, seed, task, similarity="cosine", texts=8, machines=16, humans=5, width=6, integers=False):
    rs = np.random.RandomState(seed)
    human = [[f"h{i * humans + j}" for j in range(humans - (i % 2))] for i in range(texts)]
    machine = [[f"m{i * machines + j}" for j in range(machines)] for i in range(texts)]
    relevance = [[round(float(v), 2) for v in rs.randint(3, 16, machines) / 3] for _ in range(texts)]
    relevance[2] = [3.0] * machines
    vectors = {**named("h", drawn(seed + 1, texts * humans, width, integers)), **named("m", drawn(seed + 2, texts * machines, width, integers))}
    for name in machine[4]:
        vectors[name] = vectors[machine[4][0]]
    vectors[machine[5][0]] = [0] * width
    data = Dataset.from_dict({"text": [f"t{i}" for i in range(texts)], "human_summaries": human, "machine_summaries": machine, "relevance": relevance})
    scores = scores_of(task_with(task, {"test": data}), Stub(vectors, similarity))["default"]
    return {"what": what, "task": task, "similarity": similarity, "human": human, "machine": machine, "relevance": relevance, "vectors": vectors, "scores": scores}


write([
    case("statistics only", 50, "SummEvalSummarization.v2"),
    case("statistics and p-values", 50, "SummEval"),
    case("few summaries, p-values", 53, "SummEvalFr", machines=4, humans=2, width=3),
    case("dot product", 56, "SummEvalSummarization.v2", "dot"),
    case("euclidean, p-values", 59, "SummEval", "euclidean", integers=True, width=3),
    case("manhattan", 62, "SummEvalFrSummarization.v2", "manhattan"),
])
