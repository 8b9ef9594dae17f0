"""Every template of lm-evaluation-harness's task files, on seeded rows, by Jinja2 as lm_eval sets it up.

templates.py TASKS OUT [--rows 60]: writes {templates: [{template, tasks, rows: [{row, text} or {row, error}]}], versions}. Floats of rows stand as
{"kind": "float", "value": 1.0}, so that a reader in JavaScript can tell 1.0 from 1.

Rows suit a template as far as its syntax tree tells: what is indexed is a list or a dict, what is compared with constants is one of them, and so on.
Most suit, two have values of any kind, one lacks a name, one has a None.
"""

import argparse
import hashlib
import json
import random
import zlib
from pathlib import Path

import jinja2
import lm_eval
import yaml
from jinja2 import nodes
from lm_eval.utils import apply_template, env

RENDERED = {
    "doc_to_text",
    "doc_to_target",
    "doc_to_choice",
    "doc_to_image",
    "doc_to_audio",
    "doc_to_decontamination_query",
    "description",
    "gen_prefix",
}


class Function(str):
    """What `!function` names."""


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    pass


Loader.add_constructor("!function", lambda loader, node: Function(loader.construct_scalar(node)))


def load(path, known):
    if path not in known:
        own = yaml.load(path.read_text(encoding="utf-8"), Loader)
        if isinstance(own, dict) and "include" in own:
            include = own.pop("include")
            merged = {}
            for name in include if isinstance(include, list) else [include]:
                merged.update(load((path.parent / name).resolve(), known))
            own = {**merged, **own}
        known[path] = own
    return known[path]


def strings(config, found):
    """Values of rendered keys at any depth: groups and `fewshot_config` have them too."""
    if isinstance(config, list):
        for value in config:
            strings(value, found)
    if not isinstance(config, dict):
        return
    for key, value in config.items():
        if key in RENDERED:
            listed = value if isinstance(value, list) and key in ("doc_to_image", "doc_to_audio") else [value]
            found.update(one for one in listed if isinstance(one, str) and not isinstance(one, Function) and one != "")
        elif key not in ("samples", "metadata"):
            strings(value, found)


def gather(folder):
    known, uses = {}, {}
    for path in sorted(folder.rglob("*.yaml")):
        if not {"__pycache__", ".ipynb_checkpoints"}.isdisjoint(path.parts):
            continue
        config = load(path.resolve(), known)
        if not isinstance(config, dict) or not {"task", "group", "class"} & config.keys() or "class" in config:
            continue
        found = set()
        strings(config, found)
        for template in found:
            uses[template] = uses.get(template, 0) + 1
    return uses


# ---- what a name must be like ----------------------------------------------------------------------------------------------------------------------


class Shape:
    """What a template's syntax tells of a value."""

    def __init__(self):
        self.hints = set()
        self.fields = {}
        self.item = None
        self.least = 0
        self.constants = []

    def field(self, name):
        self.hints.add("dict")
        return self.fields.setdefault(name, Shape())

    def element(self, least=0):
        self.hints.add("list")
        self.least = max(self.least, least)
        if self.item is None:
            self.item = Shape()
        return self.item


TEXT_FILTERS = {"lower", "upper", "trim", "replace", "regex_replace", "capitalize", "title", "wordcount", "striptags", "escape", "e"}
LIST_FILTERS = {"join", "list", "sort", "first", "last", "map", "select", "reject", "selectattr", "random", "unique", "batch", "max", "min", "sum"}
NUMBER_FILTERS = {"int", "float", "round", "abs"}
DICT_METHODS = {"items", "keys", "values", "get"}


class Reader:
    def __init__(self):
        self.free = {}

    def read(self, node, scope):
        """Walks a statement or expression; gives the shape of an expression that stands for a part of a row."""
        method = getattr(self, f"read_{type(node).__name__.lower()}", None)
        if method is not None:
            return method(node, scope)
        for child in node.iter_child_nodes():
            self.read(child, scope)
        return None

    def hint(self, node, scope, *hints):
        shape = self.read(node, scope)
        if shape is not None:
            shape.hints.update(hints)
        return shape

    def read_name(self, node, scope):
        if node.ctx != "load" or node.name in env.globals:
            return None
        if node.name in scope:
            return scope[node.name]
        return self.free.setdefault(node.name, Shape())

    def read_getattr(self, node, scope):
        shape = self.read(node.node, scope)
        return None if shape is None else shape.field(node.attr)

    def read_getitem(self, node, scope):
        shape = self.read(node.node, scope)
        if isinstance(node.arg, nodes.Slice):
            for part in (node.arg.start, node.arg.stop, node.arg.step):
                if part is not None:
                    self.hint(part, scope, "index")
            if shape is not None:
                shape.hints.add("slice")
            return shape
        if isinstance(node.arg, nodes.Const):
            if shape is None:
                return None
            if isinstance(node.arg.value, str):
                return shape.field(node.arg.value)
            at = node.arg.value if isinstance(node.arg.value, int) else 0
            return shape.element(at + 1 if at >= 0 else -at)
        index = self.read(node.arg, scope)
        if index is not None:
            keys = keys_of(node.node)
            if keys:
                index.constants += keys
            else:
                index.hints.add("index")
        return None if shape is None else shape.element(1)

    def read_call(self, node, scope):
        if isinstance(node.node, nodes.Getattr):
            owner, name = node.node.node, node.node.attr
            if name in DICT_METHODS:
                shape = self.hint(owner, scope, "dict")
                keys = [arg.value for arg in node.args if isinstance(arg, nodes.Const)][:1]
                return shape.field(keys[0]) if name == "get" and shape is not None and keys and isinstance(keys[0], str) else None
            if name == "index" and keys_of(owner) is not None:
                for arg in node.args:
                    shape = self.read(arg, scope)
                    if shape is not None:
                        shape.constants += constants_of(owner)
                    elif isinstance(arg, nodes.Add) and isinstance(arg.left, nodes.Const) and isinstance(arg.right, nodes.Name):
                        rest = [one.removeprefix(arg.left.value) for one in constants_of(owner) if isinstance(one, str)]
                        self.read(arg.right, scope).constants += rest
                self.read(owner, scope)
                return None
            self.hint(owner, scope, "list" if name in ("index", "append", "pop") else "text")
            for arg in node.args:
                self.hint(arg, scope, *(["list"] if name == "join" else []))
            return None
        called = node.node.name if isinstance(node.node, nodes.Name) else ""
        for arg in node.args:
            self.hint(arg, scope, *(["whole"] if called == "range" else []))
        self.read(node.node, scope)
        return None

    def read_filter(self, node, scope):
        for arg in [*node.args, *node.kwargs]:
            self.read(arg, scope)
        shape = None if node.node is None else self.read(node.node, scope)
        if shape is None:
            return None
        if node.name in TEXT_FILTERS:
            shape.hints.add("text")
        elif node.name in NUMBER_FILTERS:
            shape.hints.add("number")
        elif node.name in LIST_FILTERS:
            item = shape.element()
            return item if node.name in ("first", "last", "random", "max", "min") else shape
        elif node.name in ("length", "count"):
            shape.hints.add("slice")
            return None
        return shape if node.name in ("default", "d") else None

    def read_for(self, node, scope):
        shape = self.read(node.iter, scope)
        inside = dict(scope)
        item = None if shape is None else shape.element()
        for name in node.target.find_all(nodes.Name) if isinstance(node.target, nodes.Tuple) else [node.target]:
            inside[name.name] = item if isinstance(node.target, nodes.Name) else None
        inside["loop"] = None
        for child in [*([node.test] if node.test is not None else []), *node.body, *node.else_]:
            self.read(child, inside)

    def read_assign(self, node, scope):
        shape = self.read(node.node, scope)
        for name in node.target.find_all(nodes.Name) if isinstance(node.target, nodes.Tuple) else [node.target]:
            if isinstance(name, nodes.Name):
                scope[name.name] = shape

    def read_compare(self, node, scope):
        shape = self.read(node.expr, scope)
        for operand in node.ops:
            other = self.read(operand.expr, scope)
            for one, against in ((shape, operand.expr), (other, node.expr)):
                if one is None:
                    continue
                if operand.op in ("in", "notin"):
                    if one is shape:
                        one.constants += constants_of(against)
                    else:
                        one.hints.add("slice")
                elif isinstance(against, nodes.Const):
                    one.constants.append(against.value)
                    if operand.op not in ("eq", "ne"):
                        one.hints.add("number")

    def read_add(self, node, scope):
        sides = [node.left, node.right]
        shapes = [self.read(side, scope) for side in sides]
        for shape, other in zip(shapes, reversed(sides)):
            if shape is None:
                continue
            if isinstance(other, nodes.Const):
                shape.hints.add("text" if isinstance(other.value, str) else "number")
            elif isinstance(other, nodes.List):
                shape.hints.add("list")
            elif isinstance(other, nodes.Filter) and other.name in ("length", "count", "int"):
                shape.hints.add("index")
            else:
                shape.hints.add("text")

    def read_arithmetic(self, node, scope):
        for side in (node.left, node.right):
            self.hint(side, scope, "number")

    read_sub = read_mul = read_div = read_floordiv = read_pow = read_arithmetic

    def read_mod(self, node, scope):
        if isinstance(node.left, nodes.Const) and isinstance(node.left.value, str):
            self.read(node.right, scope)
        else:
            self.read_arithmetic(node, scope)


def keys_of(node):
    """What a literal can be indexed by; None when it is no literal."""
    if isinstance(node, nodes.List | nodes.Tuple):
        return list(range(len(node.items)))
    if isinstance(node, nodes.Dict):
        return [pair.key.value for pair in node.items if isinstance(pair.key, nodes.Const)]
    return None


def constants_of(node):
    if isinstance(node, nodes.List | nodes.Tuple):
        return [item.value for item in node.items if isinstance(item, nodes.Const)]
    if isinstance(node, nodes.Dict):
        return keys_of(node)
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        return list(node.value)
    return []


# ---- values ----------------------------------------------------------------------------------------------------------------------------------------

TEXTS = [
    "The quick brown fox",
    " leading and trailing \t ",
    "line one\nline two\r\nline three\n",
    "it's \"quoted\" and 'quoted'",
    "naïve café — ÅNGSTRÖM Straße",
    "İstanbul ﬁne Σίσυφος ǆ",
    "日本語のテキスト、漢字。",
    "emoji 👩\u200d👩\u200d👧 𝒳𝒴 end",
    "\u00a0no-break\u2003em\u3000ideographic\ufeff",
    "odd\u0085next\u2028line\x1cfile\x0bv",
    "{{ not }} a {% template %}",
    "back\\slash \\n \\u0041 $1 \\1",
    "a, b; c: d | e",
    "A. first B. second (C) third",
    "<b>&amp; ]]></b>",
    "42",
    "3.50",
    "",
    " ",
    "A",
    "b",
    "they're o'neill's — mother-in-law [x]",
    "Ends with a stop.",
    "مرحبا بالعالم",
    "हिन्दी में पाठ",
    "x" * 70,
    "True",
    "['list', 'like']",
    "a  b   c",
    "50% of %s and %d",
]
WHOLES = [0, 1, 2, 3, 7, 10, -1, 12345, 1000000]
FLOATS = [0.0, 1.0, 0.5, -2.25, 1e-7, 1e16, 3.141592653589793, 100.0, 123456789.125]


def made(shape, rng, suits=True):
    if not suits:
        return anything(rng)
    if shape.constants and rng.random() < 0.85:
        return rng.choice(shape.constants)
    hints = shape.hints
    if "dict" in hints or shape.fields:
        value = {name: made(field, rng) for name, field in shape.fields.items()}
        if not value or rng.random() < 0.3:
            value[rng.choice(["a", "B", "ключ", "it's"])] = anything(rng)
        return value
    if "list" in hints:
        length = max(shape.least, rng.choice([3, 4, 4, 5]))
        return [made(shape.item or Shape(), rng) for _ in range(length)]
    if "index" in hints:
        return rng.choice([0, 1, 2])
    if "text" in hints:
        return rng.choice(TEXTS)
    if "whole" in hints:
        return rng.choice([0, 1, 2, 3, 5])
    if "number" in hints:
        return rng.choice(WHOLES + FLOATS)
    if "slice" in hints:
        return rng.choice(TEXTS) if rng.random() < 0.7 else [rng.choice(TEXTS) for _ in range(rng.randrange(5))]
    return rng.choice(TEXTS) if rng.random() < 0.75 else anything(rng)


def anything(rng):
    return rng.choice(
        [
            lambda: rng.choice(TEXTS),
            lambda: rng.choice(WHOLES),
            lambda: rng.choice(FLOATS),
            lambda: [rng.choice(TEXTS) for _ in range(rng.randrange(5))],
            lambda: [rng.choice(WHOLES), rng.choice(FLOATS), rng.choice(TEXTS), None, True],
            lambda: {rng.choice(TEXTS): rng.choice(TEXTS), "text": [rng.choice(TEXTS)], "label": [rng.choice(WHOLES)]},
            lambda: [{"text": rng.choice(TEXTS), "label": rng.choice(WHOLES)}, {}],
            lambda: rng.choice([True, False]),
            lambda: None,
        ]
    )()


def rows_of(template, count):
    try:
        tree = env.parse(template)
    except jinja2.TemplateSyntaxError:
        return [{}]
    reader = Reader()
    reader.read(tree, {})
    names = sorted(reader.free)
    if not names:
        return [{}]
    rng = random.Random(zlib.crc32(template.encode()))
    rows = []
    for at in range(count):
        kind = ("suits", "any", "missing", "none")[0 if at < count - 4 else (1 if at < count - 2 else at - count + 4)]
        row = {name: made(reader.free[name], rng, kind != "any") for name in names}
        odd = rng.choice(names)
        if kind == "missing":
            del row[odd]
        elif kind == "none":
            row[odd] = None
        rows.append(row)
    return rows


def outcome(template, row):
    try:
        return {"row": tagged(row), "text": apply_template(template, row)}
    except Exception as error:  # whatever goes wrong is an outcome
        return {"row": tagged(row), "error": f"{type(error).__name__}: {error}"[:300]}


def tagged(value):
    if isinstance(value, float):
        return {"kind": "float", "value": value}
    if isinstance(value, list):
        return [tagged(one) for one in value]
    return {key: tagged(one) for key, one in value.items()} if isinstance(value, dict) else value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tasks", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rows", type=int, default=60)
    args = parser.parse_args()
    uses = gather(args.tasks)
    # rows are made anew for the rendering: a template may change a list that it is given
    rendered = [
        {"template": template, "tasks": uses[template], "rows": [outcome(template, row) for row in rows_of(template, args.rows)]}
        for template in sorted(uses, key=lambda text: hashlib.sha256(text.encode()).hexdigest())
    ]
    versions = {"lm_eval": lm_eval.__version__, "jinja2": jinja2.__version__}
    args.out.write_text(json.dumps({"templates": rendered, "versions": versions}, ensure_ascii=True), encoding="utf-8")


if __name__ == "__main__":
    main()
