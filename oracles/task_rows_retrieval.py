"""What mteb 2.26.24 makes of made-up rows, for every retrieval task whose rows or scores come from code of its own.

Each task's own load_data and dataset_transform run over the rows below, with datasets.load_dataset replaced by a function that serves them. What
evaluation would then read is recorded: texts as a model gets them, ids, judgements, candidates. Python 3.11, datasets 5.0.1.

    python oracles/task_rows_retrieval.py test/task/rows/golden/rows [Task …]
"""

import json
import os
import re
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import datasets  # noqa: E402
import mteb  # noqa: E402
from mteb._create_dataloaders import _retrieval_texts  # noqa: E402
from mteb.abstasks import retrieval_dataset_loaders  # noqa: E402
from mteb.abstasks.retrieval import _filter_queries_without_positives  # noqa: E402
from mteb.types import PromptType  # noqa: E402

datasets.disable_caching()

# ---------------------------------------------------------------- made-up rows

SCORES = [
    {"query-id": "q1", "corpus-id": "d1", "score": 1},
    {"query-id": "q1", "corpus-id": "d2", "score": 2},
    {"query-id": "q2", "corpus-id": "d2", "score": 0},
    {"query-id": "q1", "corpus-id": "d1", "score": 0},
    {"query-id": "q9", "corpus-id": "d3", "score": 1},
    {"query-id": "q3", "corpus-id": "d4", "score": 1},
]


def corpus(id="_id", text="text", title="title", repeats=True):
    rows = [("d1", "  one text ", "First"), ("d2", "two\ntext", ""), ("d4", "four", " Fourth "), ("d3", "", "Empty")]
    if repeats:
        rows += [("d2", "two again", "Second")]
    return [{id: i, text: t, **({title: h} if title else {})} for i, t, h in rows]


def queries(id="_id", text="text", repeats=True, **more):
    rows = [("q2", "second query"), ("q1", " first query "), ("q5", "judged by nobody"), ("q3", "third")]
    if repeats:
        rows += [("q1", "first query again")]
    return [{id: i, text: t, **more} for i, t in rows]


def renamed(rows, **names):
    return [{names.get(key.replace("-", "_"), key): value for key, value in row.items()} for row in rows]


def beir(c=("corpus", "corpus"), q=("queries", "queries"), r=("default", "test"), id="_id", title="title", scores=SCORES):
    out = {}
    for (config, split), rows in ((c, corpus(id, title=title)), (q, queries(id)), (r, scores)):
        out.setdefault(config, {})[split] = rows
    return out


def standard(task, repo=None, instructions=False, candidates=False, changed=False):
    """As the loader of mteb expects it, for the first two subsets; the second has other names of splits."""
    out = {}
    for subset in list(task.metadata.hf_subsets)[:2]:
        pre = "" if subset == "default" else f"{subset}-"
        out[f"{pre}corpus"] = {"corpus": corpus(repeats=False)}
        out[f"{pre}queries"] = {"queries": queries(repeats=False)}
        out["default" if subset == "default" else f"{pre}qrels"] = {task.metadata.eval_splits[0]: SCORES}
        if instructions:
            out[f"{pre}instruction"] = {"instruction": [{"query-id": f"q{i}", "instruction": f"say {i}"} for i in (1, 2, 3, 5)]}
        if candidates:
            out[f"{pre}top_ranked"] = {"top_ranked": candidate_rows()}
        if changed:
            out["qrel_diff"] = {"qrel_diff": [{"query-id": "q1", "corpus-ids": ["d2"]}, {"query-id": "q3", "corpus-ids": []}]}
    return {task.metadata.dataset["path"]: out}


def candidate_rows():
    return [
        {"query-id": "q1", "corpus-ids": ["d2", "d1"]},
        {"query-id": "q3", "corpus-ids": ["d4"]},
        {"query-id": "q2", "corpus-ids": ["d3", "d2", "d1"]},
        {"query-id": "q3", "corpus-ids": ["d4", "d1"]},
    ]


def follow(langs):
    out = {}
    for lang in langs:
        instruction = [{"query-id": f"q{i}", "instruction": f"{lang} {i}"} for i in (1, 2, 3, 5, 3)]
        out |= {
            f"corpus-{lang}": {"corpus": corpus()},
            f"queries-{lang}": {"queries": queries()},
            f"instruction-{lang}": {"instruction": instruction + [{"query-id": "q1", "instruction": "changed"}]},
            f"default-{lang}": {"test": [{**row, "score": float(row["score"])} for row in SCORES]},
            f"top_ranked-{lang}": {"top_ranked": candidate_rows()},
            f"qrel_diff-{lang}": {"qrel_diff": [{"query-id": "q1", "corpus-ids": ["d2"]}]},
        }
    return out


def lemb(lengths=(None,)):
    own = [{} if n is None else {"context_length": n} for n in lengths]
    return {
        "corpus": [{"doc_id": f"d{i % 3}", "text": f"text {i}{extra}", **extra} for i in range(4) for extra in own],
        "queries": [{"qid": f"q{i % 4}", "text": f"ask {i}", **extra} for i in range(5) for extra in own],
        "qrels": [{"qid": q, "doc_id": d, **extra} for q, d in (("q1", "d1"), ("q0", "d2"), ("q1", "d0"), ("q7", "d0")) for extra in own],
    }


def faq(nulls=False):
    pairs = [("what?", "this"), ("who?", "me"), ("what?", "that"), ("where?", "this"), ("what?", "this"), ("me", "who?")]
    if nulls:
        pairs[1:1] = [(None, "nobody asked"), ("no answer", None), ("who?", None)]
    return [{"question": q, "answer": a} for q, a in pairs]


def news(n, first=0, **columns):
    return [{name: kind.format(i=i, third=i // 3) for name, kind in columns.items()} for i in range(first, first + n)]


def squad(n, first=0, listed=True, kinds=7):
    """Answers that are contexts of others, too."""
    rows = []
    for i in range(first, first + n):
        answer = f"a{i % (kinds + 2)}" if i % 4 else f"c{i % kinds}"
        rows.append({"question": f"q{i}", "context": f"c{i % kinds}", "title": f"t{i % 5}", "answers": {"text": [answer, "-"] if listed else answer}})
    return rows


BELEBELE = [
    {"link": "b", "flores_passage": "passage b", "question": "is it b?"},
    {"link": "a", "flores_passage": "passage a", "question": "is it a?"},
    {"link": "b", "flores_passage": "passage b again", "question": "is it a?"},
    {"link": "c", "flores_passage": "passage c", "question": "is it c?"},
    {"link": "a", "flores_passage": "passage a", "question": "is it b?"},
]


def belebele(*langs):
    return {
        lang: {"test": [{**row, "flores_passage": f"{lang} {row['flores_passage']}", "question": f"{lang} {row['question']}"} for row in BELEBELE[n:] + BELEBELE[:n]]}
        for n, lang in enumerate(langs)
    }


def bright(domains, long):
    documents = [{"id": f"d{i}", "content": f"content {i} "} for i in range(5)] + [{"id": "d1", "content": "content 1 again"}]
    examples = [
        {"id": "0", "query": "zero", "gold_ids": ["d1", "d0", "d1"], "gold_ids_long": ["d4"], "excluded_ids": ["N/A"]},
        {"id": "1", "query": "one", "gold_ids": [], "gold_ids_long": [], "excluded_ids": ["d2", "d3", "elsewhere"]},
        {"id": "2", "query": "two", "gold_ids": ["d3"], "gold_ids_long": ["d2", "d3"], "excluded_ids": []},
        {"id": "3", "query": "three", "gold_ids": ["d2"], "gold_ids_long": ["d2"], "excluded_ids": ["d1"]},
        {"id": "2", "query": "two again", "gold_ids": ["d4"], "gold_ids_long": ["d0"], "excluded_ids": []},
    ]
    plain = [{**row, "excluded_ids": ["N/A"] if i % 2 else []} for i, row in enumerate(examples)]
    odd = [{**row, "query": row["query"] + "!"} for row in plain]
    splits = lambda rows, others=None: {domain: rows if n == 0 else (others or rows) for n, domain in enumerate(domains)}  # noqa: E731
    return {"long_documents" if long else "documents": splits(documents), "examples": splits(examples if domains[0] in ("aops", "leetcode", "pony") or len(domains) > 1 else plain, odd)}


def dapfam():
    text = lambda n, **more: {"title_en": f"title {n}", "abstract_en": f"abstract {n}", "claims_text": f"claims {n}", "description_en": f"description {n}", **more}  # noqa: E731
    relations = [
        ("q1", "d1", 1.0, "IN"), ("q1", "d2", 1.0, "OUT"), ("q1", "d3", 0.0, "IN"), ("q2", "d2", 0.5, "OUT"),
        ("q3", "d3", 0.0, "OUT"), ("q2", "d1", 1.0, "IN"), ("q2", "d1", 0.0, "IN"), ("q4", "d4", 1.0, "IN"), ("q1", "d4", 1.0, "UNKNOWN"),
    ]  # fmt: skip
    return {
        "corpus": {"train": [text(1, relevant_id="d1"), text(2, relevant_id="d2", abstract_en=""), text(3, relevant_id="d3", claims_text=None), text(4, relevant_id="d4", title_en="", description_en=None), text(5, relevant_id="d1")]},
        "queries": {"train": [text(1, query_id="q1"), text(2, query_id="q2", title_en=None), text(3, query_id="q3"), text(4, query_id="q4", abstract_en="", claims_text=None), text(6, query_id="q1")]},
        "relations": {"train": [{"query_id": q, "relevant_id": d, "relevance_score": s, "domain_rel": k} for q, d, s, k in relations]},
    }


CODE = [
    {"text": "first line\nsecond line\nthird", "meta": {"task_id": "t/0"}},
    {"text": "no line feed", "meta": {"task_id": "t/1"}},
    {"text": "\nempty query", "meta": {"task_id": "t/2"}},
    {"text": "query\n", "meta": {"task_id": "t/3"}},
    {"text": "again\nof the first task", "meta": {"task_id": "t/0"}},
    {"text": "last\r\nline", "meta": {"task_id": "t/5"}},
]


def made(task):
    """Repository → config → split → rows, and which of its subsets are asked for."""
    name, (path, subsets) = task.metadata.name, (task.metadata.dataset["path"], list(task.metadata.hf_subsets))
    one = lambda configs, first=subsets[:1]: ({path: configs}, first)  # noqa: E731
    two = lambda configs: ({path: configs}, subsets[:2])  # noqa: E731
    default = lambda **splits: one({"default": splits})  # noqa: E731
    match name:
        case "SadeemQuestionRetrieval":
            return one({"test": {"corpus": corpus("corpus-id", title=None), "queries": queries("query-id"), "qrels": SCORES}})
        case "LEMBNeedleRetrieval":
            return one({"needle": lemb((256, 512))})
        case _ if name.startswith("LEMB") and name.endswith("Retrieval"):
            return one({task.metadata.dataset["name"]: lemb()})
        case "COIRCodeSearchNetRetrieval" | "CodeSearchNetCCRetrieval":
            configs = {}
            for lang in subsets[:2]:
                split = queries(partition="test")
                split[0]["partition"] = "train" if lang == subsets[0] else "test"
                configs |= {f"{lang}-corpus": {"corpus": corpus()}, f"{lang}-queries": {"queries": split}, f"{lang}-qrels": {"train": SCORES[:1], "test": SCORES}}
            return two(configs)
        case "HumanEvalRetrieval" | "MBPPRetrieval":
            return one(beir(id="id"))
        case "ChatDoctorRetrieval" | "SKQuadRetrieval":
            return one(beir())
        case "GermanQuAD-Retrieval":
            return {path: {"corpus": {"corpus": corpus()}, "queries": {"queries": queries()}}, f"{path}-qrels": {"default": {"test": SCORES}}}, subsets
        case _ if name.startswith("R2MED"):
            configs = beir(("corpus", "corpus"), ("query", "query"), ("qrels", "qrels"), id="id")
            configs["qrels"]["qrels"] = renamed(SCORES, query_id="q_id", corpus_id="p_id")
            return one(configs)
        case "MrTidyRetrieval":
            return two({c: s for lang in subsets[:2] for c, s in beir((f"{lang}-corpus", "train"), (f"{lang}-queries", "test"), (f"{lang}-qrels", "test")).items()})
        case "RuSciBenchCiteRetrieval" | "RuSciBenchCociteRetrieval":
            configs = {}
            for lang in subsets:
                configs |= {f"corpus-{lang}": {"corpus": corpus()}, f"queries-{lang}": {"queries": queries()}, lang: {"test": SCORES}}
            numbers = lambda rows: [{k: int(v[1:]) if k in ("_id", "query-id", "corpus-id") else v for k, v in row.items()} for row in rows]  # noqa: E731
            configs |= {c: {s: numbers(rows) for s, rows in configs[c].items()} for c in ("corpus-en", "queries-en", "en")}
            return two(configs)
        case "CUREv1":
            configs = {"corpus": {"all": corpus(), "genetics": corpus(repeats=False)[::-1]}, "qrels": {"all": SCORES, "genetics": SCORES[1:4]}}
            return two(configs | {f"queries-{lang}": {"all": queries(), "genetics": queries(repeats=False)[1:]} for lang in subsets})
        case _ if name.startswith("CQADupstack"):
            part = task.metadata.dataset["split"]
            titled = part not in ("gis", "stats", "webmasters", "wordpress")
            configs = beir(("corpus", part), ("queries", part), ("test", part), title="title" if titled or part == "gis" else None)
            return one({config: splits | {"other": splits[part][:1]} for config, splits in configs.items()})
        case "NQTablesRetrieval":
            unlike = [row for i, row in enumerate(SCORES) if i != 3]
            return one({
                "corpus_md": {"corpus_md": corpus(repeats=False)},
                "queries": {"dev_queries": queries(repeats=False)[:1], "test_queries": queries(repeats=False) + queries(repeats=False)[1:2]},
                "default": {"dev": [{"qid": "q2", "did": "d1", "score": 1}], "test": renamed(unlike, query_id="qid", corpus_id="did")},
            })  # fmt: skip
        case "LitSearchRetrieval":
            return one({
                "query": {"full": [{"query": "a b", "corpusids": [7, 3, 7]}, {"query": "nothing", "corpusids": []}, {"query": "c", "corpusids": [11]}]},
                "corpus_clean": {"full": [{"corpusid": 3, "title": "three", "abstract": "of three "}, {"corpusid": 7, "title": "", "abstract": "seven"}, {"corpusid": 11, "title": "eleven", "abstract": ""}, {"corpusid": 3, "title": "3", "abstract": "again"}]},
            })  # fmt: skip
        case "SyntecRetrieval":
            documents = [{"id": f"article-{i}", "url": "u", "title": title, "section": "s", "content": f"content {i}"} for i, title in enumerate(["One", "", "Three"])]
            asked = [{"Question": f"ask {i}", "Article": f"article-{i % 3}"} for i in range(4)]
            return one({"documents": {"test": documents + [{**documents[0], "content": "again"}]}, "queries": {"test": asked}})
        case "CodeEditSearchRetrieval":
            # more rows than the 1000 that count, in the first subset
            rows = [{"commit": f"c{i % 997}", "instruction": f"i{i}", "diff": f"+{i}"} for i in range(1002)]
            return two({subsets[0]: {"train": rows}, subsets[1]: {"train": rows[:3] + rows[:1]}})
        case "NarrativeQARetrieval":
            rows = [{"document": {"id": f"d{i % 2}", "text": f"story {i % 2}"}, "question": {"text": f"ask {i}", "tokens": ["ask"]}} for i in range(4)]
            return default(train=rows[:1], test=rows)
        case "FQuADRetrieval":
            rows = [{"title": f"page {i % 2}", "context": f"context {i}", "question": f"ask {i}", "answers": {"text": [], "answer_start": []}} for i in range(4)]
            return default(test_hasAns=rows, valid_hasAns=rows[1:], test=rows[:1], valid=rows[:1])
        case "CodeRAGProgrammingSolutions" | "CodeRAGStackoverflowPosts":
            return default(train=CODE)
        case "CodeRAGOnlineTutorials":
            return default(train=[{"title": f"title {i}", "text": f"text {i // 2}", "parsed": [{"a": "b"}]} for i in range(5)])
        case "CodeRAGLibraryDocumentationSolutions":
            return default(train=[{"doc_id": str(i), "doc_content": row["text"]} for i, row in enumerate(CODE)])
        case "GreekCivicsQA":
            rows = faq()
            return default(default=[{"id": 10 + i, **row} for i, row in enumerate(rows)])
        case "GeorgianFAQRetrieval":
            return default(train=faq()[2:4], test=faq())
        case "PublicHealthQA":
            return two({subsets[0]: {"test": faq(nulls=True)}, subsets[1]: {"test": faq()[::-1]}})
        case "SlovakSumRetrieval":
            return default(train=news(2, sum="s{i}", title="t{i}", text="x{i}"), test=news(602, sum="s{i}", title="t{third}", text="x{third}"))
        case "HunSum2AbstractiveRetrieval":
            rows = news(3, uuid="u{i}", title="t{i}", article="a{third}", lead="l{i}")
            return default(train=rows[:1], test=rows + [{**rows[0], "lead": "again", "title": ""}])
        case "DanFeverRetrieval":
            told = [("c1", "e1", 1), ("c2", "e1", 0), ("c1", "e2", 2), ("e1", "c1", 1), ("c1", "e1", 0), ("c3", "e4", 1)]
            return default(train=[{"claim": c, "evidence_extract": e, "label": k, "verifiable": 1} for c, e, k in told])
        case "TV2Nordretrieval":
            return default(test=news(2050, summary="s{i}", text="t{third}"))
        case "SNLRetrieval":
            return default(train=news(4, headline="h{i}", article="a{third}"), test=news(9, 2, headline="h{i}", article="a{third}"))
        case "NorQuadRetrieval":
            return default(train=squad(6), validation=squad(3, 9), test=squad(1027, 4, kinds=40))
        case "TurHistQuadRetrieval":
            return default(train=squad(6, listed=False), test=squad(1026, 4, listed=False, kinds=40))
        case "VieQuADRetrieval":
            rows = squad(2052, 3, kinds=60)
            for row in rows[::700]:
                row["answers"] = {"text": []}
            return default(train=squad(5), validation=rows)
        case "CrossLingualSemanticDiscriminationWMT21":
            rows = [{"Source": f"source {i}", "Target": f"target {i}", **{f"TargetAdv{k}": f"target {i}" if (i, k) == (1, 3) else f"wrong {k}" for k in range(1, 5)}} for i in range(3)]
            return two({"wmt21.de.fr": {"test": rows}, "wmt21.fr.de": {"test": rows[1:]}})
        case "ColDeRReranking":
            rows = [{"query": f"ask {i}", "document_1": f"one {i}", "document_2": f"two {i // 2}"} for i in range(3)]
            return two({subset: {"test": rows} for subset in subsets[:2]})
        case "BrightRetrieval" | "BrightLongRetrieval":
            return two(bright(subsets[:2], name == "BrightLongRetrieval"))
        case _ if name.startswith("Bright"):
            # aops and its like leave documents out, the others leave none
            return one(bright([BRIGHT[name]], task.metadata.eval_splits == ["long"]))
        case "JuriFindITRetrieval":
            texts = [" one ", "<< file root node >>", "two", "one", "three", "\ntwo", " << file root node >> "]
            asked = [("a", [11, 13]), ("b", []), ("c", [15, 12, 14])]
            return one({
                "corpus": {"corpus": [{"id": 10 + i, "content": text} for i, text in enumerate(texts)]},
                "questions": {"validation": [{"question": q, "relevant_doc_ids": [i for i in ids if i != 11]} for q, ids in asked], "train": [{"question": q + "?", "relevant_doc_ids": [10]} for q, _ in asked[:2]]},
            })  # fmt: skip
        case "BelebeleRetrieval":
            configs = belebele("acm_Arab", "eng_Latn")
            return {path: configs}, ["acm_Arab-acm_Arab", "acm_Arab-eng_Latn", "eng_Latn-acm_Arab"]
        case _ if name.startswith("DAPFAM"):
            return one(dapfam())
        case "ToolRetrieval":
            data = standard(task)
            configs = data[path]
            for config, splits in configs.items():
                if config.endswith("-queries"):
                    configs[config] = {split: [{**row, "instruction": "use a tool"} for row in rows] for split, rows in splits.items()}
            return data, subsets[:2]
        case "mFollowIR" | "mFollowIRCrossLingual":
            return two(follow([subset.split("-")[-1] for subset in subsets]))
    kind = task.metadata.type
    return standard(task, instructions=kind != "Retrieval", candidates=kind.endswith("Reranking"), changed=kind == "InstructionReranking"), subsets[:2]


# class labels that a data set declares: repository → config → column → names
LABELS = {"strombergnlp/danfever": {"default": {"label": ["Refuted", "Supported", "NotEnoughInfo"]}}}

BRIGHT = {}

# ---------------------------------------------------------------- the data sets


def dataset(rows, labels):
    made = datasets.Dataset.from_list(rows)
    for column, names in labels.items():
        made = made.cast_column(column, datasets.ClassLabel(names=names))
    return made


def server(data):
    def load_dataset(path, name=None, *, split=None, data_dir=None, data_files=None, **_):
        if data_files is not None:
            name = Path(next(iter(data_files.values()))).stem
        configs = data[path]
        # configs and splits that are loaded without being asked for are those of others
        splits = configs.get(name or data_dir or "default") or next(iter(configs.values()))
        full = {own: dataset(rows, LABELS.get(path, {}).get(name or "default", {})) for own, rows in splits.items()}
        if split is None:
            return datasets.DatasetDict(full)
        if isinstance(split, list):
            return [full[one] for one in split]
        head = re.fullmatch(r"(\w+)\[:(\d+)\]", split)
        if head:
            own = full[head[1]]
            return own.select(range(min(int(head[2]), len(own))))
        return full.get(split) or next(iter(full.values()))

    return load_dataset


def serve(task, data):
    load = server(data)
    datasets.load_dataset = load
    module = sys.modules[type(task).__module__]
    for place in (module, retrieval_dataset_loaders):
        if hasattr(place, "load_dataset"):
            place.load_dataset = load
    retrieval_dataset_loaders.get_dataset_config_names = lambda path, *_: list(data[path])
    retrieval_dataset_loaders.get_dataset_split_names = lambda path, revision, config_name: list(data[path][config_name])


# ---------------------------------------------------------------- what is read of them


def outcome(split):
    judged, asked = _filter_queries_without_positives(split["relevant_docs"], split["queries"])
    documents = split["corpus"]
    out = {
        "corpus": [[str(i), text] for i, text in zip(documents["id"], _retrieval_texts(documents, PromptType.document), strict=True)],
        "queries": [[str(i), text] for i, text in zip(asked["id"], _retrieval_texts(asked, PromptType.query), strict=True)],
        "qrels": {str(q): {str(d): int(grade) for d, grade in own.items()} for q, own in judged.items()},
    }
    if split["top_ranked"]:
        out["top_ranked"] = {str(q): [str(d) for d in ids] for q, ids in split["top_ranked"].items()}
    return out


def written(value, depth):
    """JSON with a line a row: objects and lists above `depth` are spread out."""
    if depth == 0 or not value or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return "{\n" + ",\n".join(f"{json.dumps(k, ensure_ascii=False)}: {written(v, depth - 1)}" for k, v in value.items()) + "\n}"
    return "[\n" + ",\n".join(written(v, depth - 1) for v in value) + "\n]"


def record(name, folder):
    task = mteb.get_task(name)
    data, subsets = made(task)
    if subsets != ["default"]:
        task = mteb.get_task(name, hf_subsets=subsets)
    serve(task, data)
    task.load_data()
    task.convert_v1_dataset_format_to_v2(num_proc=None)
    asked = {"CUREv1": ["all", "genetics"], "LEMBNeedleRetrieval": ["test_256", "test_512"]}.get(name, task.metadata.eval_splits)
    out = {subset: {split: outcome(task.dataset[subset][split]) for split in asked} for subset in subsets}
    labels = {repo: columns for repo, columns in LABELS.items() if repo in data}
    parts = {
        "task": written(name, 0),
        "mteb": written("2.26.24", 0),
        "classLabels": written(labels, 0),
        "datasets": written(data, 4),
        "out": written(out, 4),
    }
    (folder / f"{name}.json").write_text("{\n" + ",\n".join(f'"{key}": {text}' for key, text in parts.items()) + "\n}\n")


def names():
    types = ["Retrieval", "Reranking", "InstructionRetrieval", "InstructionReranking"]
    own = []
    for task in mteb.get_tasks(task_types=types, exclude_superseded=False):
        kind = type(task)
        base = retrieval_class()
        if task.metadata.modalities != ["text"] or not isinstance(task, base):
            continue
        if any(getattr(kind, method) is not getattr(base, method) for method in ("load_data", "dataset_transform", "task_specific_scores")):
            own.append(task.metadata.name)
    return own


def retrieval_class():
    from mteb.abstasks.retrieval import AbsTaskRetrieval

    return AbsTaskRetrieval


def bright_domains():
    from mteb.tasks.retrieval.eng import bright_v1_1_retrieval as module

    for part in Path(module.__file__).read_text().split("\nclass ")[1:]:
        domain = re.search(r'domain="(\w+)"', part)
        if domain:
            BRIGHT[re.search(r'name="(\w+)"', part)[1]] = domain[1]


if __name__ == "__main__":
    bright_domains()
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    datasets.disable_progress_bars()
    for name in sys.argv[2:] or names():
        record(name, target)
