"""Stemmers and stop words that bm25 has by language, and golden stems of each stemmer.

git clone --branch v3.1.0 https://github.com/snowballstem/snowball
pip install bm25s==0.3.16 PyStemmer==3.1.0
python oracles/stemmers.py snowball       writes src/model/lexical/stemmers.json, src/model/lexical/stopwords.json and
                                          test/model/lexical/golden/stemmers.json
"""

import gzip
import json
import random
import re
import sys
from importlib.metadata import version
from pathlib import Path

import Stemmer
from bm25s import tokenization

ROOT = Path(__file__).parent.parent
ROOM = ROOT / "src/model/lexical"
GOLDEN = ROOT / "test/model/lexical/golden"

# those of mteb 2.26.24, _ISO3_TO_LANG
STEMMERS = (
    "arabic armenian basque catalan danish dutch english esperanto estonian finnish french german greek hindi hungarian indonesian "
    "irish italian lithuanian nepali norwegian portuguese romanian russian serbian spanish swedish tamil turkish yiddish"
).split()
STOPWORDS = {
    "english": "EN",
    **{name: name.upper() for name in "german dutch french spanish portuguese italian russian swedish norwegian chinese".split()},
}
# languages of XQuAD
FOUND = {"arabic": "ar", "german": "de", "greek": "el", "english": "en", "spanish": "es", "hindi": "hi", "romanian": "ro", "russian": "ru", "turkish": "tr"}
STRING = r"'((?:\{[^}]*\}|[^'{])*)'"


def without_comments(source):
    """One blank for every run of comments and blank space outside strings."""
    kept = re.sub(rf"({STRING})|stringdef\s+\S+|(?:/\*.*?\*/|//[^\n]*|\s)+", lambda m: m[0] if m[1] or m[0].startswith("stringdef") else " ", source, flags=re.S)
    return kept.strip()


def strings(source):
    """Those of a program without its definitions, sorted."""
    named = {}

    def read(text):
        return re.sub(r"\{([^}]*)\}", lambda m: named.get(m[1]) or (chr(int(m[1][2:], 16)) if m[1].startswith("U+") else m[1]), text)

    definition = rf"stringdef\s+(\S+)\s+{STRING}"
    for name, text in re.findall(definition, source):
        named[name] = read(text)
    return sorted({read(text) for text in re.findall(STRING, re.sub(definition, " ", source))} - {""})


def found_words(name):
    """Words of the questions of XQuAD, or stop words of the language."""
    if name in FOUND:
        files = sorted((ROOT / "assets/hub/datasets--mteb--XQuADRetrieval").glob(f"snapshots/*/{FOUND[name]}/queries.jsonl.gz"))
        rows = [json.loads(line) for file in files for line in gzip.open(file, "rt")]
        text = " ".join(row["text"] for row in rows)
    else:
        text = " ".join(getattr(tokenization, f"STOPWORDS_{STOPWORDS[name]}", ())) if name in STOPWORDS else ""
    return sorted(set(re.findall(r"(?u)\b[^\W\d_]{2,}\b", text.lower())))


def words_of(name, source, draw):
    """100 words that occur, where there are any, and others made of the program's own strings behind letters."""
    found = found_words(name)
    words = set(draw.sample(found, min(100, len(found))))
    endings = [text for text in strings(source) if len(text) <= 8]
    letters = sorted({letter for text in endings for letter in text if letter.isalpha()})
    while len(words) < 200:
        begun = "".join(draw.choice(letters) for _ in range(draw.randint(0, 5)))
        words.add(begun + "".join(draw.choice(endings) for _ in range(draw.randint(1, 3))))
    # letters of two UTF-16 units, and none of the language
    return sorted(words | {"𐐨𐐨" + draw.choice(endings), "a𐐨" + draw.choice(endings) + "𐑀", "x1é"})


def written(path, value):
    rows = ",\n".join(f"{json.dumps(key, ensure_ascii=False)}:{json.dumps(one, ensure_ascii=False, separators=(',', ':'))}" for key, one in value.items())
    path.write_text("{\n" + rows + "\n}\n")


def main(folder):
    sources = {name: (folder / "algorithms" / f"{name}.sbl").read_text() for name in STEMMERS}
    programs = {name: without_comments(source) for name, source in sources.items()}
    written(ROOM / "stemmers.json", programs)
    lists = {name: getattr(tokenization, f"STOPWORDS_{key}") for name, key in STOPWORDS.items()}
    # Chinese texts are taken letter by letter
    written(ROOM / "stopwords.json", {name: " ".join(sorted(w for w in words if name != "chinese" or len(w) == 1)) for name, words in lists.items()})
    draw = random.Random(33)
    golden = {"with": {"PyStemmer": version("PyStemmer")}}
    for name in STEMMERS:
        words = words_of(name, programs[name], draw)
        stems = Stemmer.Stemmer(name).stemWords(words)
        golden[name] = " ".join(f"{word} {stem}" for word, stem in zip(words, stems) if stem != "")
    written(GOLDEN / "stemmers.json", golden)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
