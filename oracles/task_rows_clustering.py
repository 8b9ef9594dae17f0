"""Rows in and rows out of the tasks of types Clustering and BitextMining that have code of their own, in test/task/rows/golden/rows/<Task>.json.

The reference task (mteb 2.26.24) runs its own load_data and dataset_transform over made-up rows: datasets.load_dataset is replaced by a function that
serves them. python oracles/task_rows_clustering.py [Task…]
"""

import importlib.metadata
import json
import random
import re
import sys
from pathlib import Path

import datasets
import mteb
from packed_rows import packed, unpacked

OUT = Path(__file__).resolve().parents[1] / "test" / "task" / "rows" / "golden" / "rows"
ORIGINAL = datasets.load_dataset
datasets.disable_progress_bars()


def serve(repos, class_labels):
    """A load_dataset over {repo: {config: {split: [row]}}}; class labels: {repo: {config: {column: [name]}}}."""

    def load_dataset(path, name=None, revision=None, split=None, **_):
        configs = repos[path]
        config = name or ("default" if "default" in configs else next(iter(configs)))
        labels = class_labels.get(path, {}).get(config, {})
        found = datasets.DatasetDict()
        for key, rows in configs[config].items():
            own = datasets.Dataset.from_list(rows)
            for column, names in labels.items():
                own = own.cast_column(column, datasets.ClassLabel(names=names))
            found[key] = own
        if split is None:
            return found
        whole, end = re.fullmatch(r"(\w+)(?:\[:(\d+)\])?", split).groups()
        return found[whole].select(range(min(int(end), len(found[whole])))) if end else found[whole]

    return load_dataset


def replace(function):
    """Every module that holds the original, or an earlier replacement, gets this one."""
    current = datasets.load_dataset
    for module in list(sys.modules.values()):
        if getattr(module, "load_dataset", None) in (ORIGINAL, current):
            module.load_dataset = function


def plain(value):
    return json.loads(json.dumps(value, ensure_ascii=False, default=lambda item: item.item()))


def clustering_rows(task, data):
    return plain(data.select_columns([task.input_column_name, task.label_column_name]).to_list())


def bitext_rows(task, data, subset):
    if task.parallel_subsets:
        first, second = subset.split("-")
        return plain([{"sentence1": a, "sentence2": b} for a, b in zip(data[first], data[second], strict=True)])
    if isinstance(data, dict):  # lists beside each other, and which belong together
        gold = [tuple(pair) for pair in data["gold"]]
        if gold == [(i, i) for i in range(len(data["sentence2"]))]:
            return plain([{"sentence1": a, "sentence2": b} for a, b in zip(data["sentence1"], data["sentence2"], strict=True)])
        return plain([{"sentence1": data["sentence1"], "sentence2": data["sentence2"], "gold": data["gold"]}])
    return plain(data.select_columns(["sentence1", "sentence2"]).to_list())


def record(name, repos, class_labels=None, subsets=None):
    class_labels = class_labels or {}
    replace(serve(repos, class_labels))
    task = mteb.get_task(name, hf_subsets=subsets) if subsets else mteb.get_task(name)
    task.load_data()
    out = {}
    for subset in task.hf_subsets:
        out[subset] = {}
        for split in task.eval_splits:
            if getattr(task, "parallel_subsets", False) or (subset not in task.dataset and subset == "default"):
                data = task.dataset[split]
            else:
                data = task.dataset[subset][split]
            out[subset][split] = bitext_rows(task, data, subset) if task.metadata.type == "BitextMining" else clustering_rows(task, data)
    document = {
        "task": name,
        "mteb": importlib.metadata.version("mteb"),
        "datasets": {path: {config: {split: packed(rows) for split, rows in splits.items()} for config, splits in configs.items()} for path, configs in repos.items()},
        "classLabels": class_labels,
        "out": {subset: {split: packed(rows) for split, rows in splits.items()} for subset, splits in out.items()},
    }
    assert all(unpacked(document["out"][subset][split]) == rows for subset, splits in out.items() for split, rows in splits.items())
    OUT.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    (OUT / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    print(name, {subset: {split: len(rows) for split, rows in splits.items()} for subset, splits in out.items()}, len(text))


def repo_of(name):
    return mteb.get_task(name).metadata.dataset["path"]


rng = random.Random(20)
NAMES = ["b", "a", "10", "9", "Z", "é", "ab", "_"]


def labelled(rows, names=NAMES, sentence="sentences", label="labels", tag="t", more=None):
    """Rows of uneven classes; every name occurs at least three times."""
    own = [names[i % len(names)] if i < 3 * len(names) else names[min(int(rng.expovariate(0.6)), len(names) - 1)] for i in range(rows)]
    rng.shuffle(own)
    return [{sentence: f"{tag}{i}", label: name, **(more(i) if more else {})} for i, name in enumerate(own)]


def gathered(rows, sizes):
    """Rows of lists, as older clustering data has them."""
    found, start = [], 0
    for size in sizes:
        own = rows[start : start + size]
        found.append({"sentences": [row["sentences"] for row in own], "labels": [row["labels"] for row in own]})
        start += size
    return found


def one(name, splits, config="default", **more):
    record(name, {repo_of(name): {config: splits}}, **more)


def clustering():
    # flattened, repetitions left out
    for name in ("BlurbsClusteringP2P.v2", "TenKGnadClusteringP2P.v2", "TenKGnadClusteringS2S.v2"):
        rows = labelled(40)
        rows[7]["sentences"] = rows[3]["sentences"]  # in another set, with another label
        rows[30]["sentences"] = rows[29]["sentences"]
        one(name, {"train": gathered(labelled(24, tag="r"), [24]), "test": gathered(rows, [5, 25, 0, 10])})
    # flattened
    for name in ("MedrxivClusteringP2P.v2", "MedrxivClusteringS2S.v2", "TwentyNewsgroupsClustering.v2"):
        rows = labelled(30, names=[2, 11, 0]) if name.startswith("Twenty") else labelled(30)
        one(name, {"test": gathered(rows, [12, 1, 17])})
    # flattened, single labels left out
    for name in ("RedditClusteringP2P.v2", "StackExchangeClusteringP2P.v2"):
        rows = labelled(30)
        for at, label in ((4, "alone"), (0, "sole"), (29, "ABC")):
            rows[at]["labels"] = label
        one(name, {"test": gathered(rows, [15, 15])})
    # flattened, sampled by label; a label of another split does not count
    for name in ("RedditClustering.v2", "StackExchangeClustering.v2", "EightTagsClustering.v2", "CLSClusteringS2S.v2", "ThuNewsClusteringP2P.v2", "ThuNewsClusteringS2S.v2"):
        names = [5, 10, 9, 0, 1] if name.startswith("Eight") else NAMES
        one(name, {"validation": gathered(labelled(20, names=["AA"], tag="v"), [20]), "test": gathered(labelled(2070, names=names), [1000, 1070])})
    rows = labelled(2075)
    rows[100]["labels"], rows[1500]["labels"] = "alone", "A-single"
    one("BlurbsClusteringS2S.v2", {"test": gathered(rows, [2000, 75])})
    # sampled by label; labels of all splits count
    for name in ("BigPatentClustering.v2", "BeytooteClustering", "SIDClustring"):
        one(name, {"train": labelled(20, names=["AA", "zz"], tag="r"), "test": labelled(2061)})
    one("NLPTwitterAnalysisClustering", {"train": labelled(9, names=["AA"], sentence="tweet", label="label"), "test": labelled(2060, sentence="tweet", label="label", more=lambda i: {"id": i})})
    repo = repo_of("RuSciBenchGRNTIClusteringP2P")
    record(
        "RuSciBenchGRNTIClusteringP2P",
        {repo: {"default": {"train": labelled(12, names=[0, 11], sentence="text", label="label"), "test": labelled(2064, names=list(range(12)), sentence="text", label="label")}}},
        class_labels={repo: {"default": {"label": [f"class {i}" for i in range(12)]}}},
    )
    one("RuSciBenchOECDClusteringP2P", {"test": labelled(2066, names=list(range(12)), sentence="text", label="label")})
    rows = labelled(2070)
    rows[0]["labels"], rows[2069]["labels"] = "!", "zzz"
    one("PlscClusteringS2S.v2", {"train": labelled(20, names=["AA"]), "test": rows})
    # hierarchies
    for name in ("ArXivHierarchicalClusteringP2P", "ArXivHierarchicalClusteringS2S"):
        one(name, {"test": gathered(labelled(2054, names=["cs.AI", "math", "cs.CL.x", "a..b", ".q"]), [54, 2000])})
    for name, column in (("VGHierarchicalClusteringP2P", "article"), ("VGHierarchicalClusteringS2S", "ingress")):
        one(name, {"test": labelled(2050, names=["a,b,c", "a", "x,y", ",z", "a, b"], sentence=column, label="classes", more=lambda i: {"title": f"h{i}"})})
    # legacy sets
    one("ArxivClusteringP2P.v2", {"train": gathered(labelled(30), [10, 20]), "test": gathered(labelled(2120), [2060, 5, 25, 30])})
    one("HALClusteringS2S", {"test": labelled(23, sentence="title", label="domain", more=lambda i: {"hal_id": f"hal-{i}"})})
    one("SNLClustering", {"train": labelled(8, sentence="ingress", label="category", more=lambda i: {"article": "x"}), "test": labelled(1030, names=["a,b,c,d", "a,b", "k", "a,b,x", ",,,"], sentence="ingress", label="category", more=lambda i: {"article": f"u{i}", "title": f"h{i}"})})
    one("VGClustering", {"test": labelled(300, names=["a,b", "c", ",d", "a"], sentence="ingress", label="classes", more=lambda i: {"article": f"u{i}", "title": f"h{i}"})})
    mlsum = repo_of("MLSUMClusteringP2P")

    def article(i):
        return {"title": f"Title {i} ", "summary": "s", "url": "u", "date": "d"}

    def language(sizes, tag, single=False):
        splits = {key: labelled(size, sentence="text", label="topic", tag=f"{tag}{key[0]}", more=article) for key, size in zip(("train", "validation", "test"), sizes, strict=True)}
        if single:
            splits["validation"][1]["topic"], splits["test"][2]["topic"] = "once", "once too"
        return splits

    for name in ("MLSUMClusteringP2P", "MLSUMClusteringS2S"):
        record(name, {mlsum: {"de": language((5, 24, 37), "d"), "fr": language((5, 10, 12), "f")}}, subsets=["de", "fr"])
    for name in ("MLSUMClusteringP2P.v2", "MLSUMClusteringS2S.v2"):
        record(name, {mlsum: {"ru": language((5, 60, 2062), "r", single=True), "es": language((5, 30, 40), "e", single=True)}}, subsets=["ru", "es"])
    # one split out of others
    one("HumanConceptsClustering", {"train": [{"item": f"i{i}", "category": f"c{i % 5}", "subdataset": sub} for i, sub in enumerate(["McCloskey1978", "Rosch1973", "other", "Rosch1975", "Rosch1973", "rosch1973"] * 4)]})
    sib = repo_of("SIB200ClusteringS2S")
    topics = ["sports", "Health", "science/technology", "geography"]
    record(
        "SIB200ClusteringS2S",
        {sib: {config: {split: labelled(size, names=topics[:size], sentence="text", label="category", tag=f"{config[0]}{split[0]}", more=lambda i: {"index_id": i}) for split, size in (("test", 14), ("train", 17), ("validation", 3))} for config in ("ace_Latn", "deu_Latn")}},
        subsets=["ace_Latn", "deu_Latn"],
    )
    farsi = [{"title": f"t{i}", "summary": None if i == 3 else f"s{i}", "tags": [row["labels"], "more"][: 1 + i % 2], "link": "l"} for i, row in enumerate(labelled(2063))]
    farsi[10]["tags"] = ["single"]
    farsi[11]["tags"] = ["", "second"]
    one("HamshahriClustring", {"hamshahri": farsi, "radiofarda": [{"title": "x", "summary": "y", "tags": ["AA"], "link": "l"}]})
    # other names, texts put together
    one("DutchNewsArticlesClusteringP2P", {"train": labelled(4, sentence="text", label="label", more=lambda i: {"title": "x"}), "test": labelled(9, sentence="text", label="label", more=lambda i: {"title": f"h{i}"})})
    one("DutchNewsArticlesClusteringS2S", {"test": labelled(9, sentence="title", label="label", more=lambda i: {"text": f"h{i}"})})
    one("IconclassClusteringS2S", {"test": [{"text": f"t{i}", "label": [f"c{i % 3}", "d"] if i % 2 else [f"c{i % 3}"]} for i in range(9)]})
    one("OpenTenderClusteringP2P", {"test": labelled(9, sentence="text", label="label")})
    works = [{"title": f"t{i}", "abstract": None if i == 2 else f"a\n{i} ", "org_discipline": [f"o{i % 3}", "p"], "label": i} for i in range(9)]
    one("VABBClusteringP2P", {"test": works})
    one("VABBClusteringS2S", {"test": [{**row, "org_discipline": f"o{i % 3}"} for i, row in enumerate(works)]})
    for name, column in (("PravdaSKTagClustering", "assigned_label"), ("PravdaSKURLClustering", "url_category")):
        one(name, {"test": [{"title": f" \u00a0t{i}", "summary": None if i == 4 else "" if i == 5 else f"s{i}\x1c\n", column: f"c{i % 4}", "url": "u"} for i in range(12)]})
    one("SMESumCategoryClustering", {"test": [{"title": f" t{i}", "introduction": None if i == 6 else f"i{i} ", "category": [None, "none", "sport", "None", "domov", ""][i % 6]} for i in range(15)]})
    for name in ("BiorxivClusteringP2P.v2", "BiorxivClusteringS2S.v2"):
        one(name, {"test": labelled(60, more=lambda i: {"id": i})})


def bitext():
    chemicals = [{"title": f"t{i}", "description": f"d{i}", "isomeric_smiles": f"C[C@H]{i}", "canonical_smiles": f"CC{i}", "CID": i} for i in range(6)]
    record("PubChemSMILESBitextMining", {repo_of("PubChemSMILESBitextMining"): {subset: {"test": chemicals[:n]} for subset, n in (("iso-title", 6), ("iso-desc", 5), ("canon-title", 4), ("canon-desc", 3))}})
    for name in ("SAMSumFa", "SynPerChatbotRAGSumSRetrieval", "SynPerChatbotSumSRetrieval"):
        one(name, {"train": [{"id": "r", "text": "x", "summary": "y"}], "test": [{"id": str(i), "text": f"t{i}", "summary": f"s{i % 3}"} for i in range(7)]})
    one("TbilisiCityHallBitextMining", {"test": [{"ka": f"k{i}", "en": f"e{i}", "url": "u"} for i in range(6)]})
    one("RomaTalesBitextMining", {"test": [{"romani": f"r{i}", "hungarian": f"h{i}"} for i in range(5)]})
    one("OpusSlovakEnglishBitextMining", {"train": [{"translation": {"en": "x", "sk": "y"}}], "test": [{"translation": {"en": f"e{i}", "sk": f"s{i}"}} for i in range(5)]}, config="en-sk")
    bible = repo_of("BibleNLPBitextMining")
    verses = [{"eng": f"e{i}", "aai": f"a{i}"} for i in range(260)]
    record(
        "BibleNLPBitextMining",
        {bible: {"eng-aai": {"train": verses, "test": verses[:3]}, "eng-arb": {"train": [{"arb": f"b{i}", "eng": f"e{i}"} for i in range(5)]}}},
        subsets=["eng_Latn-aai_Latn", "aai_Latn-eng_Latn", "arb_Arab-eng_Latn"],
    )
    for name, languages, split in (
        ("FloresBitextMining", ["ace_Arab", "bam_Latn", "dzo_Tibt"], "devtest"),
        ("IN22ConvBitextMining", ["asm_Beng", "ben_Beng", "eng_Latn"], "test"),
        ("IN22GenBitextMining", ["asm_Beng", "ben_Beng", "eng_Latn"], "test"),
        ("NTREXBitextMining", ["afr_Latn", "dan_Latn", "deu_Latn"], "test"),
    ):
        pairs = [f"{a}-{b}" for a in languages for b in languages if a != b]
        record(name, {repo_of(name): {"default": {split: [{"id": i, **{language: f"{language}{i}" for language in languages}} for i in range(5)]}}}, subsets=pairs)
    record(
        "BUCC",
        {repo_of("BUCC"): {lang: {"test": [{"sentence1": [f"{lang}{i}" for i in range(7)], "sentence2": [f"en{i}" for i in range(9)], "gold": [[3, 9], [1, 1], [7, 4], [2, 4]]}]} for lang in ("de-en", "ru-en")}},
        subsets=["de-en", "ru-en"],
    )
    faqs = [{"question1": f"q{i}", "answer1": f"a{i} ", "question2": f"p{i}", "answer2": "" if i == 2 else f"b{i}", "origin": "o", "labse_similarity": 0.9} for i in range(6)]
    for name in ("WebFAQBitextMiningQuestions", "WebFAQBitextMiningQAs"):
        record(name, {repo_of(name): {"ara-fas": {"default": faqs}, "jpn-kor": {"default": faqs[:3]}}}, subsets=["ara-fas", "jpn-kor"])


if __name__ == "__main__":
    wanted = set(sys.argv[1:])
    if wanted:
        keep = record

        def record(name, *rest, **more):  # noqa: F811
            if name in wanted:
                keep(name, *rest, **more)

    clustering()
    bitext()
