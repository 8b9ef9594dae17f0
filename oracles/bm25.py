"""Golden data of BM25: Snowball's English stems, and scores of bm25s over the words that mteb gives it.

pip install bm25s==0.3.16 PyStemmer==3.1.0 mteb==2.26.24
python oracles/bm25.py            writes test/model/lexical/golden/stems.json, test/model/lexical/golden/bm25.json and, with nDCG@10 of
                                  XQuAD's languages, test/model/lexical/golden/bm25-languages.json
python oracles/bm25.py FOLDER     prints nDCG@10 of SciFact, whose corpus, queries and qrels/test (.jsonl or .jsonl.gz) are in FOLDER
"""

import gzip
import json
import math
import random
import sys
import time
from importlib.metadata import version
from pathlib import Path

import bm25s
import Stemmer
from mteb.models.model_implementations.bm25 import BM25Tokenizer

GOLDEN = Path(__file__).parent.parent / "test/model/lexical/golden"

# every ending of the algorithm, behind stems that its regions and exceptions tell apart
STEMS = (
    "gener commun arsen past univers later emerg organ inter b d v proc exc succ inn out cann herr earr even hop hopp fall ay y "
    "boy say add egg off log rat siz trubl pl cr abl relat nation bias skis sky die ow controll roll condition yy"
).split()
ENDINGS = (
    " s es ed eed eedly edly ing ingly ying ies ied sses us ss y ly li e ll tional enci anci abli entli izer ization ational ation ator "
    "alism aliti alli fulness ousli ousness iveness iviti biliti bli ogist ogi fulli lessli alize icate iciti ical ful ness ative al "
    "ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion tion sion 's"
).split(" ")
IRREGULAR = "skis skies idly gently ugly early only singly sky news howe atlas cosmos bias andes evening innings dying lying vying eying".split()
OTHER = ["naïve", "naïves", "straße", "ärzte", "μm", "α1", "2nd", "1990s", "co2", "_x_", "ﬁshing", "γs", "éing", "as", "is", "x", ""]

SENTENCES = {
    "eng-Latn": [
        "Retrieval of documents: the retrieved documents are ranked.",
        "A ranking of 10 relevant papers\nis generated, generally by generators",
        "Cats and dogs; dogs, cats, and more dogs!",
        "The the the of and",
        "",
        "Universities, universal organisations and the organs of the universe",
        "Naïve Bayes – naïvely applied in 1990s e-mail filters (spam_filter v2)",
        "NF-κB signalling; IL-6 and TNF-α in mice",
        "Dying cells: dyes, dying and dyed. Evening news.",
    ],
    "afr-Latn": [
        "die kat sit op die mat",
        "die hond en die kat",
        "die boek lê op die tafel",
        "die die die groot hond",
        "die voël sing",
        "die man lees die boek",
        "die son skyn op die see",
        "die see is blou",
        "die kind speel met die hond",
        "die reën val op die dak",
    ],
    "deu-Latn": [
        "Die Häuser der Stadt\nund das Haus am Hafen",
        "In großen Städten wohnen viele Menschen.",
        "Der Hafen, die Häfen und alle Schiffe",
        "Straßen führen durch die Stadt; jede Straße hat Bäume.",
        "und die der das",
    ],
    # every document has words with the stem "soru", which is a word whose own stem is "sor"
    "tur-Latn": [
        "sorulara cevap verdi",
        "sorunun sorulara etkisi büyük",
        "İstanbul'da sorulara bakıldı",
        "kitaplar ve sorulara ilişkin notlar",
    ],
    "hin-Deva": ["लड़कियों की किताबें", "लड़की किताब पढ़ती है", "नदी का पानी"],
    "zho-Hans": ["我们在北京的大学学习", "他的猫\n很喜欢吃鱼", "学习 ＡＢＣ", "大学里有许多学生学习"],
    "jpn-Jpan": ["猫が好きです", "犬も 好きです", "東京タワーへ行きました", "ＡＢＣは文字です", "雨が降っています"],
}
QUERIES = {
    "eng-Latn": ["document ranking", "dogs dogs cat", "the of", "unknownword", "naïve filters of the 1990s", "TNF α signals", ""],
    "afr-Latn": ["die hond op die mat", "boek boek", "niks"],
    "deu-Latn": ["Haus", "eine große Stadt mit Straße", "Schiff im Hafen", "und die"],
    "tur-Latn": ["soru", "sorun", "sorulara cevaplar", "kitap"],
    "hin-Deva": ["किताब", "लड़की", "पानी में"],
    "zho-Hans": ["学习的猫", "大学", "abc\n"],
    "jpn-Jpan": ["猫と犬", "ABC 文字", "好き"],
}


def searched(language, documents, queries, **settings):
    """[queries × documents]"""
    tokenizer = BM25Tokenizer(language.split("-")[0])
    retriever = bm25s.BM25(**settings)
    # title and text are joined by a line break
    retriever.index(tokenizer.fit_transform(["\n" + text for text in documents]), show_progress=False)
    asked = tokenizer.transform(queries)
    names = {number: token for token, number in asked.vocab.items()}
    rows = []
    for ids in asked.ids:
        tokens = [names[i] for i in ids]
        rows.append(retriever.get_scores(tokens).tolist() if tokens else [0.0] * len(documents))
    return rows


def golden():
    GOLDEN.mkdir(parents=True, exist_ok=True)
    stemmer = Stemmer.Stemmer("english")
    words = sorted({stem + ending for stem in STEMS for ending in ENDINGS} | set(IRREGULAR) | set(OTHER))
    changed = {word: stem for word in words if (stem := stemmer.stemWord(word)) != word}
    same = [word for word in words if word not in changed]
    (GOLDEN / "stems.json").write_text(json.dumps({"with": {"PyStemmer": version("PyStemmer")}, "changed": changed, "same": same}, ensure_ascii=False, separators=(",", ":")) + "\n")
    made = {name: version(name) for name in ("bm25s", "PyStemmer", "mteb")}
    cases = []
    for language, documents in SENTENCES.items():
        for settings in ({}, {"k1": 0.9, "b": 0.4}):
            scores = searched(language, documents, QUERIES[language], **settings)
            cases.append(
                {"language": language, "settings": settings, "documents": documents, "queries": QUERIES[language], "scores": scores}
            )
    (GOLDEN / "bm25.json").write_text(json.dumps({"with": made, "cases": cases}, ensure_ascii=False, indent=1) + "\n")


def rows_of(folder, name):
    path = folder / f"{name}.jsonl"
    opened = gzip.open(f"{path}.gz", "rt") if not path.exists() else path.open()
    with opened as file:
        return [json.loads(line) for line in file]


def ndcg(language, corpus, queries, qrels):
    """nDCG@10 as pytrec_eval counts it: equal scores by id, the larger first; and the number of queries."""
    grades = {}
    for row in qrels:
        grades.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    queries = [query for query in queries if query["_id"] in grades]
    tokenizer = BM25Tokenizer(language)
    retriever = bm25s.BM25()
    retriever.index(tokenizer.fit_transform(["\n".join([row.get("title", ""), row["text"]]) for row in corpus]), show_progress=False)
    asked = tokenizer.transform([query["text"] for query in queries])
    found, scores = retriever.retrieve(asked, k=min(1000, len(corpus)), show_progress=False)
    total = 0.0
    for query, documents, values in zip(queries, found, scores):
        own = grades[query["_id"]]
        ranked = sorted(((float(v), corpus[d]["_id"]) for d, v in zip(documents, values)), reverse=True)[:10]
        gain = sum(own.get(name, 0) / math.log2(rank + 2) for rank, (_, name) in enumerate(ranked))
        best = sum(g / math.log2(rank + 2) for rank, g in enumerate(sorted(own.values(), reverse=True)[:10]))
        total += gain / best
    return total / len(queries), len(queries)


def xquad():
    codes = {"ar": "arb", "de": "deu", "el": "ell", "en": "eng", "es": "spa", "hi": "hin", "ro": "ron", "ru": "rus", "th": "tha", "tr": "tur", "vi": "vie", "zh": "zho"}
    (folder,) = (GOLDEN.parents[3] / "assets/hub/datasets--mteb--XQuADRetrieval/snapshots").iterdir()
    figures = {}
    for subset, code in codes.items():
        figures[subset], _ = ndcg(code, *(rows_of(folder / subset, name) for name in ("corpus", "queries", "qrels")))
    made = {name: version(name) for name in ("bm25s", "PyStemmer", "mteb")}
    (GOLDEN / "bm25-languages.json").write_text(json.dumps({"with": made, "ndcg_at_10": figures}) + "\n")


def scifact(folder):
    start = time.perf_counter()
    figure, queries = ndcg("eng", rows_of(folder, "corpus"), rows_of(folder, "queries"), rows_of(folder, "qrels/test"))
    print(f"nDCG@10 {figure:.5f} of {queries} queries in {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        scifact(Path(sys.argv[1]))
    else:
        golden()
        xquad()
