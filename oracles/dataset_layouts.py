"""What Hugging Face datasets 5.0.1 reads from small data-set folders: test/task/rows/golden/dataset-layouts.json. python oracles/dataset_layouts.py

Per case: the files (text, or base64 of bytes), and config -> {splits: {split: [row]}, classLabels: {column: [name]}}, with the config that is read when none
is named (`standard`), or `refused` where the package raises.
"""

import base64
import gzip
import io
import json
import tempfile
import zipfile
from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.parquet as pq

datasets.disable_progress_bars()
OUT = Path(__file__).resolve().parents[1] / "test" / "task" / "rows" / "golden" / "dataset-layouts.json"


def line(*values):
    return "".join(json.dumps({"a": value}) + "\n" for value in values)


def csv(*values):
    return "a\n" + "".join(f"{value}\n" for value in values)


def readme(head):
    return f"---\n{head}\n---\n# A data set\n"


def zipped(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name.replace("__SLASH__", "/")), text, compress_type=zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def archive(members):
    return zipped(**{name.replace("/", "__SLASH__"): text for name, text in members.items()})


def parquet(values, names=None):
    """A column a, its class labels declared in the schema's metadata as push_to_hub does."""
    buffer = io.BytesIO()
    own = datasets.Dataset.from_dict({"a": values})
    if names:
        own = own.cast_column("a", datasets.ClassLabel(names=names))
    own.to_parquet(buffer)
    return buffer.getvalue()


def bare_parquet(values):
    buffer = io.BytesIO()
    pq.write_table(pa.table({"a": values}), buffer)
    return buffer.getvalue()


CASES = {
    "file names": {"train.jsonl": line("t"), "validation.jsonl": line("v"), "test.jsonl": line("e")},
    "other words for the splits": {"training-1.jsonl": line("t"), "dev.jsonl": line("v"), "x_eval_2.jsonl": line("e"), "contest.jsonl": line("no")},
    "a name with two words counts twice": {"test-eval.jsonl": line("e"), "test.jsonl": line("f")},
    "a name with words of two splits": {"train-test.jsonl": line("b"), "test.jsonl": line("e")},
    "folder names": {"train/a.jsonl": line("t1"), "train/deep/b.jsonl": line("t2"), "test/train.jsonl": line("e")},
    "nested folder names": {"en/my-train/a.jsonl": line("t"), "en/testing/a.jsonl": line("e"), "en/other/a.jsonl": line("o")},
    "folders before file names": {"part/train.jsonl": line("t"), "dev/a.jsonl": line("v")},
    "no telling names": {"b.jsonl": line("b"), "a.jsonl": line("a"), "c/d.jsonl": line("d"), "C.jsonl": line("C")},
    "exported shards": {
        "data/test-00001-of-00002.jsonl": line("e1"),
        "data/test-00000-of-00002.jsonl": line("e0"),
        "data/extra-00000-of-00001-0123abcd.jsonl": line("x"),
        "data/train-00000-of-00001.jsonl": line("t"),
        "data/loose.jsonl": line("no"),
    },
    "a split with a dot": {"data/rev.2-00000-of-00001.jsonl": line("r"), "data/another.one-00000-of-00001.jsonl": line("o")},
    "shards elsewhere": {"en/train-00000-of-00002.jsonl": line("t0"), "en/train-00001-of-00002.jsonl": line("t1"), "de/test-00000-of-00001.jsonl": line("e")},
    "hidden files and special folders": {
        "a.jsonl": line("a"),
        ".hidden.jsonl": line("no"),
        ".git/b.jsonl": line("no"),
        "__pycache__/c.jsonl": line("no"),
        "__d.jsonl": line("d"),
        "x/.y/e.jsonl": line("no"),
    },
    "files that describe": {"a.json": line("a"), "config.json": "{}", "dataset_dict.json": "{}", "x/config.json": "{}", "metadata.json": line("m"), "script.py": "", "LICENSE": ""},
    "one format of several: the more frequent": {"a.csv": csv("c"), "b.csv": csv("d"), "c.jsonl": line("no")},
    "one format of several: a draw": {"train.csv": csv("c"), "train.jsonl": line("j")},
    "one format of several: parquet in a draw": {"train.csv": csv("c"), "train.jsonl": line("j"), "train.parquet": parquet(["p"])},
    "texts beside tables": {"train.txt": "hello\n", "train.jsonl": line("j"), "test.jsonl": line("e")},
    "packed": {"train.jsonl.gz": gzip.compress(line("t").encode(), mtime=0), "test.csv.gz": gzip.compress(csv("no").encode(), mtime=0)},
    "packed, one format": {"train.jsonl.gz": gzip.compress(line("t").encode(), mtime=0), "test.jsonl.gz": gzip.compress(line("e").encode(), mtime=0)},
    "an archive": {"data.zip": archive({"b.jsonl": line("b"), "a.jsonl": line("a"), "z/c.jsonl": line("c"), "m/d.jsonl": line("d"), ".h.jsonl": line("no"), "__MACOSX/a.jsonl": line("no")})},
    "archives by split": {"train.zip": archive({"x.csv": csv("t")}), "test.zip": archive({"train.csv": csv("e")})},
    "an archive named in the head": {"README.md": readme("configs:\n- config_name: default\n  data_files:\n  - split: test\n    path: packed/part.zip"), "packed/part.zip": archive({"in/a.jsonl": line("a")})},
    "a packed file in an archive": {"data.zip": archive({"a.jsonl": line("a"), "b.jsonl": line("b")})},
    "paths": {"README.md": readme("configs:\n- config_name: one\n  data_files: x/a.jsonl\n- config_name: two\n  data_files:\n  - x/b.jsonl\n  - x/a.jsonl"), "x/a.jsonl": line("a"), "x/b.jsonl": line("b")},
    "splits and lists": {
        "README.md": readme("configs:\n- config_name: main\n  data_files:\n  - split: test\n    path: [b.jsonl, a.jsonl]\n  - split: train\n    path: c.jsonl"),
        "a.jsonl": line("a"),
        "b.jsonl": line("b"),
        "c.jsonl": line("c"),
    },
    "globs": {
        "README.md": readme('configs:\n- config_name: star\n  data_files: "*.jsonl"\n- config_name: deep\n  data_files: "**/*.jsonl"\n- config_name: one\n  data_files: "x/?.jsonl"\n- config_name: class\n  data_files: "[a-b]*.jsonl"\n- config_name: all\n  data_files: "x/**"\n- config_name: none\n  data_files:\n  - "nothing/*"\n  - a.jsonl'),
        "a.jsonl": line("a"),
        "b2.jsonl": line("b2"),
        "c.jsonl": line("c"),
        "x/d.jsonl": line("d"),
        "x/ee.jsonl": line("ee"),
        "x/y/f.jsonl": line("f"),
        "x/.g.jsonl": line("no"),
    },
    "globs that name what is hidden": {"README.md": readme('configs:\n- config_name: h\n  data_files: ".h/*.jsonl"\n- config_name: s\n  data_files: "__s/*"'), ".h/a.jsonl": line("a"), "__s/b.jsonl": line("b"), "c.jsonl": line("c")},
    "a file matched twice": {"README.md": readme('configs:\n- config_name: default\n  data_files:\n  - a.jsonl\n  - "*.jsonl"'), "a.jsonl": line("a"), "b.jsonl": line("b")},
    "a folder for each config": {"README.md": readme("configs:\n- config_name: en\n  data_dir: en\n- config_name: de\n  data_dir: de/data"), "en/train.jsonl": line("t"), "en/test.jsonl": line("e"), "de/data/x.jsonl": line("x")},
    "a folder and files in it": {"README.md": readme('configs:\n- config_name: en\n  data_dir: en\n  data_files:\n  - split: test\n    path: "*.jsonl"'), "en/a.jsonl": line("a"), "b.jsonl": line("no")},
    "a marked config": {"README.md": readme("configs:\n- config_name: x\n  data_files: a.jsonl\n- config_name: y\n  default: true\n  data_files: b.jsonl"), "a.jsonl": line("a"), "b.jsonl": line("b")},
    "a config called default": {"README.md": readme("configs:\n- config_name: x\n  data_files: a.jsonl\n- config_name: default\n  data_files: b.jsonl"), "a.jsonl": line("a"), "b.jsonl": line("b")},
    "a field of a document": {"README.md": readme("configs:\n- config_name: default\n  data_files: a.json\n  field: data"), "a.json": json.dumps({"version": 1, "data": [{"a": "x"}, {"a": "y"}]})},
    "documents": {"train.json": json.dumps([{"a": "x"}, {"a": "y"}], indent=2), "test.json": line("l")},
    "lines that are an array": {"train.jsonl": json.dumps([{"a": "x"}, {"a": "y"}])},
    "texts without a name": {"train.json": json.dumps(["x", "y"])},
    "another separator": {"README.md": readme('configs:\n- config_name: default\n  data_files: a.csv\n  sep: ";"'), "a.csv": 'a;b\nx,1;"p;q"\ny;z\n'},
    "a delimiter": {"README.md": readme('configs:\n- config_name: default\n  data_files: a.csv\n  delimiter: "|"'), "a.csv": "a|b\nx|p\n"},
    "tabs in a csv": {"README.md": readme('configs:\n- config_name: default\n  data_files: a.csv\n  sep: "\\t"'), "a.csv": "a\tb\nx\tp\n"},
    "named columns": {"README.md": readme("configs:\n- config_name: default\n  data_files: a.csv\n  names: [a, b]"), "a.csv": "x,p\ny,q\n"},
    "named columns instead of the header": {"README.md": readme("configs:\n- config_name: default\n  data_files: a.csv\n  column_names: [a, b]\n  header: 0"), "a.csv": "old,older\ny,q\n"},
    "lines to pass over": {"README.md": readme("configs:\n- config_name: default\n  data_files: a.csv\n  skiprows: 2"), "a.csv": "about\n\na,b\nx,p\n"},
    "single quotes": {"README.md": readme("configs:\n- config_name: default\n  data_files: a.csv\n  quotechar: \"'\""), "a.csv": "a,b\n'x,y',\"p\"\n"},
    "no quotes": {"README.md": readme("configs:\n- config_name: default\n  data_files: a.tsv\n  quoting: 3"), "a.tsv": 'a\tb\n"x\tp"q\n'},
    "tabs": {"train.tsv": 'a\tb\nx,y\t"p\tq"\n'},
    "line ends within quotes": {"train.csv": 'a,b\r\n"x\ny","p ""q"""\r\n\r\nz,w\r\n'},
    "a byte order mark": {"train.csv": "\ufeffa,b\nx,p\n", "test.csv": "a,b\ny,q\n"},
    "class labels in the head": {
        "README.md": readme("dataset_info:\n  features:\n  - name: a\n    dtype:\n      class_label:\n        names:\n          '0': \"no\"\n          '1': \"yes\"\n          '2': maybe"),
        "train.jsonl": line("maybe", "no"),
        "test.jsonl": line(1, 2),
    },
    "class labels of configs": {
        "README.md": readme("configs:\n- config_name: x\n  data_files: a.jsonl\n- config_name: y\n  data_files: b.jsonl\ndataset_info:\n- config_name: x\n  features:\n  - name: a\n    dtype: string\n- config_name: y\n  features:\n  - name: a\n    dtype:\n      class_label:\n        names: {'0': p, '1': q}"),
        "a.jsonl": line("q"),
        "b.jsonl": line("q", "p"),
    },
    "class labels in a parquet file": {"data/train-00000-of-00001.parquet": parquet([1, 0], ["z", "y"]), "data/test-00000-of-00001.parquet": parquet([0], ["z", "y"])},
    "parquet shards": {"data/train-00001-of-00002.parquet": bare_parquet(["b"]), "data/train-00000-of-00002.parquet": bare_parquet(["a"])},
    "class labels in dataset_infos.json": {
        "dataset_infos.json": json.dumps({"some--name": {"features": {"a": {"num_classes": 2, "names": ["m", "f"], "_type": "ClassLabel"}}}}),
        "train.jsonl": line("f", "m"),
    },
    "a head in a file of its own": {".huggingface.yaml": "configs:\n- config_name: own\n  data_files: b.jsonl\n", "a.jsonl": line("a"), "b.jsonl": line("b")},
    "a named file that is not there": {"README.md": readme("configs:\n- config_name: default\n  data_files: gone.jsonl"), "a.jsonl": line("a")},
    "only a script": {"README.md": readme("license: mit"), "name.py": "import datasets\n"},
    "two files of one split, two formats": {"README.md": readme("configs:\n- config_name: default\n  data_files:\n  - a.jsonl\n  - b.jsonl"), "a.jsonl": line("a"), "b.jsonl": line("b"), "c.csv": csv("c")},
}


def read(files):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "repo"
        for path, content in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content if isinstance(content, bytes) else content.encode())
        configs = {}
        cache = str(Path(folder) / "cache")
        try:
            names = datasets.get_dataset_config_names(str(root))
            standard = datasets.get_dataset_default_config_name(str(root))
            for name in names:
                found = datasets.load_dataset(str(root), name, cache_dir=cache)
                first = next(iter(found.values()))
                labels = {column: feature.names for column, feature in first.features.items() if isinstance(feature, datasets.ClassLabel)}
                configs[name] = {"splits": {split: rows.to_list() for split, rows in found.items()}, "classLabels": labels}
        except Exception as error:  # noqa: BLE001
            return {"refused": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}".replace(str(folder), "")[:160]}
        return {"standard": standard, "configs": configs}


def stored(content):
    return {"base64": base64.b64encode(content).decode()} if isinstance(content, bytes) else content


if __name__ == "__main__":
    cases = {name: {"files": {path: stored(content) for path, content in files.items()}, **read(files)} for name, files in CASES.items()}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(case, ensure_ascii=False, separators=(',', ':'))}" for name, case in cases.items())
    OUT.write_text(f'{{"datasets": "{datasets.__version__}", "cases": {{\n{lines}\n}}}}\n', encoding="utf-8")
    for name, case in cases.items():
        print(f"{name}: {case.get('refused') or json.dumps({k: c['splits'] for k, c in case['configs'].items()}, ensure_ascii=False)} {case.get('standard')}")
