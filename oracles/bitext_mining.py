"""AbsTaskBitextMining of mteb on made-up sentences: python oracles/bitext_mining.py > test/task/protocols/golden/bitext-mining.json"""
from datasets import Dataset
from mteb_stub import Stub, drawn, named, scores_of, task_with, write


def near(seed, rows, width, noise):
    first, other = drawn(seed, rows, width), drawn(seed + 1, rows, width)
    return first, [[x + noise * y for x, y in zip(one, two)] for one, two in zip(first, other)]


def plain_case(what, seed, rows, width, noise, similarity="cosine", zero=False):
    a, b = near(seed, rows, width, noise)
    if zero:
        a[4] = [0] * width
    vectors = {**named("a", a), **named("b", b)}
    data = Dataset.from_dict({"sentence1": [f"a{i}" for i in range(rows)], "sentence2": [f"b{i}" for i in range(rows)]})
    scores = scores_of(task_with("BornholmBitextMining", {"test": data}), Stub(vectors, similarity))
    return {"what": what, "task": "BornholmBitextMining", "similarity": similarity, "vectors": vectors, "gold": list(range(rows)), "rows": [rows, rows], "scores": scores}


def gold_case(what, seed, width):
    """BUCC: of the first language only the sentences in gold are asked about."""
    a, b = near(seed, 30, width, 0.6)
    b += drawn(seed + 5, 25, width)
    vectors = {**named("a", a), **named("b", b)}
    gold = [(i, (7 * i) % 55) for i in range(30)]
    split = {"sentence1": [f"a{i}" for i in range(30)], "sentence2": [f"b{i}" for i in range(55)], "gold": gold}
    scores = scores_of(task_with("BUCC", {"de-en": {"test": split}}), Stub(vectors), subsets=["de-en"])
    return {"what": what, "task": "BUCC", "similarity": "cosine", "vectors": vectors, "gold": [j for _, j in gold], "rows": [30, 55], "scores": scores}


def parallel_case(what, seed, rows, width):
    languages = ["eng_Latn", "fra_Latn", "deu_Latn"]
    base = drawn(seed, rows, width)
    vectors, columns = {}, {}
    for k, language in enumerate(languages):
        other = drawn(seed + 1 + k, rows, width)
        vectors |= named("xyz"[k], [[p + 0.7 * q for p, q in zip(one, two)] for one, two in zip(base, other)])
        columns[language] = [f"{'xyz'[k]}{i}" for i in range(rows)]
    subsets = [f"{one}-{two}" for one in languages for two in languages if one != two]
    task = task_with("NTREXBitextMining", {"test": Dataset.from_dict(columns)})
    task._hf_subsets = subsets
    task.hf_subsets = subsets
    scores = scores_of(task, Stub(vectors))
    return {"what": what, "task": "NTREXBitextMining", "similarity": "cosine", "vectors": vectors, "columns": columns, "scores": scores}


write([
    plain_case("near translations", 30, 150, 8, 0.9),
    plain_case("euclidean", 33, 60, 5, 0.8, "euclidean"),
    plain_case("manhattan", 36, 60, 5, 0.8, "manhattan"),
    plain_case("dot product", 39, 60, 5, 0.8, "dot"),
    gold_case("pairs of row numbers", 42, 6),
    parallel_case("a column a language", 45, 50, 5),
])
