"""Golden data of BM25: Snowball's English stems, and scores of bm25s as mteb asks for them.

pip install bm25s==0.3.16 PyStemmer==3.1.0
python oracles/bm25.py            writes test/model/lexical/golden/stems.json and test/model/lexical/golden/bm25.json
python oracles/bm25.py FOLDER     prints nDCG@10 of SciFact, whose corpus, queries and qrels/test (.jsonl or .jsonl.gz) are in FOLDER
"""

import gzip
import json
import math
import random
import re
import sys
import time
import unicodedata
from importlib.metadata import version
from pathlib import Path

import bm25s
import Stemmer
from bm25s.stopwords import STOPWORDS_EN
from bm25s.tokenization import Tokenized

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
    "jpn-Jpan": ["猫が好きです", "犬も 好きです", "東京タワーへ行きました", "ＡＢＣは文字です", "雨が降っています"],
}
QUERIES = {
    "eng-Latn": ["document ranking", "dogs dogs cat", "the of", "unknownword", "naïve filters of the 1990s", "TNF α signals", ""],
    "afr-Latn": ["die hond op die mat", "boek boek", "niks"],
    "jpn-Jpan": ["猫と犬", "ABC 文字", "好き"],
}


def tokenized(lists):
    vocabulary = {}
    return Tokenized(ids=[[vocabulary.setdefault(t, len(vocabulary)) for t in one] for one in lists], vocab=vocabulary)


def common(lists):
    """mteb: words of at least 90 % of the documents, where a language has no list."""
    counts = {}
    for one in lists:
        for token in set(one):
            counts[token] = counts.get(token, 0) + 1
    return {token for token, count in counts.items() if count / len(lists) >= 0.9}


def searched(language, documents, queries, **settings):
    """[queries × documents]"""
    if language == "eng-Latn":
        stemmer = Stemmer.Stemmer("english")

        def words(texts):
            return bm25s.tokenize(texts, stopwords=list(STOPWORDS_EN), stemmer=stemmer, show_progress=False)

        corpus, asked = words(documents), words(queries)
    else:
        if language == "jpn-Jpan":

            def split(text):
                return list(unicodedata.normalize("NFKC", text).lower().replace(" ", ""))

            # title and text are joined by a line break
            documents = ["\n" + text for text in documents]
        else:

            def split(text):
                return re.findall(r"(?u)\b\w\w+\b", text.lower())

        stops = common([split(text) for text in documents])

        def words(texts):
            return tokenized([[token for token in split(text) if token not in stops] for text in texts])

        corpus, asked = words(documents), words(queries)
    retriever = bm25s.BM25(**settings)
    retriever.index(corpus, show_progress=False)
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
    made = {name: version(name) for name in ("bm25s", "PyStemmer")}
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


def scifact(folder):
    """nDCG@10 as pytrec_eval counts it: equal scores by id, the larger first."""
    corpus, queries = rows_of(folder, "corpus"), rows_of(folder, "queries")
    qrels = {}
    for row in rows_of(folder, "qrels/test"):
        qrels.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    queries = [query for query in queries if query["_id"] in qrels]
    stemmer = Stemmer.Stemmer("english")
    start = time.perf_counter()
    texts = ["\n".join([row.get("title", ""), row["text"]]) for row in corpus]
    retriever = bm25s.BM25()
    retriever.index(bm25s.tokenize(texts, stopwords=list(STOPWORDS_EN), stemmer=stemmer, show_progress=False), show_progress=False)
    asked = bm25s.tokenize([q["text"] for q in queries], stopwords=list(STOPWORDS_EN), stemmer=stemmer, show_progress=False)
    found, scores = retriever.retrieve(asked, k=1000, show_progress=False)
    seconds = time.perf_counter() - start
    total = 0.0
    for query, documents, values in zip(queries, found, scores):
        grades = qrels[query["_id"]]
        ranked = sorted(((float(v), corpus[d]["_id"]) for d, v in zip(documents, values)), reverse=True)[:10]
        gain = sum(grades.get(name, 0) / math.log2(rank + 2) for rank, (_, name) in enumerate(ranked))
        best = sum(g / math.log2(rank + 2) for rank, g in enumerate(sorted(grades.values(), reverse=True)[:10]))
        total += gain / best
    print(f"nDCG@10 {total / len(queries):.5f} of {len(queries)} queries in {seconds:.2f} s")


if __name__ == "__main__":
    scifact(Path(sys.argv[1])) if len(sys.argv) > 1 else golden()
