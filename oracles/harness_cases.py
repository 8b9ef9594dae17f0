"""
How a function of lm-evaluation-harness 0.4.13 is run on rows, and what it made of them recorded: for harness_ports.py and harness_worded_ports.py.

A case: {"key", "kind", "rows" | "doc" + "answers" | "items" | "responses" + "options", "result"}; "failed" in the place of a result where the function raises.
"""
import importlib.util
import json
import math
import os
import random
import subprocess
import sys

import datasets
import lm_eval
import numpy as np

datasets.disable_progress_bars()
tasks = os.path.join(os.path.dirname(lm_eval.__file__), "tasks")
draw = random.Random(20261123)
cases = []

words = ["the", "a", "Cat", "sat", "on", "mat", "café", "naïve", "it's", "U.S.", "42", "3.5", "1,000", "don't", "—", "state-of-the-art", "\u4e2d\u6587", "x\u00a0y", "(b)", "!"]


def text(most=9, ends=("", ".", "?", " ", "\n")):
    return " ".join(draw.choice(words) for _ in range(draw.randint(1, most))) + draw.choice(ends)


def function(key):
    file, name = key.split("#")
    spec = importlib.util.spec_from_file_location("own", os.path.join(tasks, file))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def plain(value):
    if isinstance(value, (np.generic,)):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    if isinstance(value, dict):
        return {key: plain(own) for key, own in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(own) for own in value]
    return value


def case(key, kind, about, run):
    try:
        cases.append({"key": key, "kind": kind, **about, "result": plain(run())})
    except Exception as error:
        cases.append({"key": key, "kind": kind, **about, "failed": type(error).__name__})


def docs(key, rows):
    case(key, "docs", {"rows": rows}, lambda: list(function(key)(datasets.Dataset.from_list(rows))))


def fields(keys, rows):
    for key in keys:
        for doc in rows:
            case(key, "field", {"doc": doc}, lambda: function(key)(json.loads(json.dumps(doc))))


def results(key, pairs):
    for doc, answers in pairs:
        case(key, "results", {"doc": doc, "answers": answers}, lambda: function(key)(json.loads(json.dumps(doc)), [tuple(one) if isinstance(one, list) else one for one in answers]))


def aggregation(key, lists):
    for items in lists:
        case(key, "aggregation", {"items": items}, lambda: function(key)([tuple(item) for item in items]))


def filters(key, options, responses, rows):
    case(key, "filter", {"options": options, "responses": responses, "rows": rows}, lambda: function(key)(**options).apply(responses, rows))


def likelihoods(count):
    return [[-draw.random() * 40, draw.random() < 0.3] for _ in range(count)]




def wordings(keys):
    """Fingerprints of the functions' files and their literals in order, as Strata reads them (npm run build first), and the folder's name."""
    dist = os.path.join(os.path.dirname(__file__), "..", "dist", "task", "harness", "ports", "find-port.js")
    script = (
        f"const {{ wordingInFile }} = await import({json.dumps(os.path.abspath(dist))});"
        "const own = ([root, ...keys]) => Object.fromEntries(keys.map((key) => { const [path, name] = key.split('#'); const file = root + '/' + path;"
        "return [key, { ...wordingInFile({ file, name }), folder: path.split('/').at(-2) }] }));"
        "console.log(JSON.stringify(own(JSON.parse(process.argv[1]))))"
    )
    done = subprocess.run(["node", "--input-type=module", "-e", script, json.dumps([tasks, *keys])], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def write(wording_of=()):
    print(json.dumps({"lm_eval": "0.4.13", **({"wordings": wordings(wording_of)} if wording_of else {}), "cases": cases}, ensure_ascii=False))
    print(len(cases), sum("failed" in one for one in cases), file=sys.stderr)
