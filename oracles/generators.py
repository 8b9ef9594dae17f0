"""Draws of NumPy, Python and datasets for test/platform/random: python oracles/generators.py > test/platform/random/golden/random.json

Needs numpy and datasets.
"""
import json, platform, random, sys
import datasets, numpy as np

out = {"made_with": {"python": platform.python_version(), "numpy": np.__version__, "datasets": datasets.__version__}}
seeds = [0, 1, 42, 2**32 - 1]

def legacy(seed):
    rs = lambda: np.random.RandomState(seed)
    p = np.arange(1, 21) / np.arange(1, 21).sum()
    return {"permutation": rs().permutation(50).tolist(), "shuffle": (lambda a, r: (r.shuffle(a), a)[1])(list(range(33)), rs()), "randint": rs().randint(-5, 1000, 20).tolist(),
            "randint_wide": rs().randint(0, 2**31 + 5, 10).tolist(), "random_sample": rs().random_sample(700).tolist()[-5:], "choice": rs().choice(37, 9).tolist(),
            "choice_p": rs().choice(20, 30, p=p).tolist(), "choice_no_replace": rs().choice(100, 12, replace=False).tolist()}

def python(seed):
    r = lambda: random.Random(seed)
    mixed = r()
    return {"random": [mixed.random() for _ in range(5)], "sample_pool": r().sample(range(30), 10), "sample_set": r().sample(range(100000), 40), "sample_small": r().sample(range(1000), 5),
            "choices": r().choices(range(17), k=20), "choices_weights": r().choices(range(5), [1, 2, 3, 4, 0.5], k=20), "shuffle": (lambda a, g: (g.shuffle(a), a)[1])(list(range(40)), r()),
            "below": (lambda g: [g._randbelow(n) for n in (1, 2, 3, 1000, 2**31, 2**32 - 1, 2**32, 7)])(r())}

def modern(seed):
    g = lambda: np.random.default_rng(seed)
    p = np.arange(1, 21) / np.arange(1, 21).sum()
    return {"word64": [str(int(x)) for x in g().bit_generator.random_raw(6)], "random": g().random(6).tolist(), "integers": g().integers(-3, 1000, 21).tolist(), "integers_wide": g().integers(0, 2**32, 5).tolist(),
            "integers_odd": g().integers(0, 3 * 2**30, 12).tolist(), "permutation": g().permutation(50).tolist(), "permutation_list": g().permutation([9, 3, 5, 7, 1, 0]).tolist(), "shuffle": (lambda a, r: (r.shuffle(a), a)[1])(list(range(33)), g()),
            "choice": g().choice(37, 9).tolist(), "choice_p": g().choice(20, 30, p=p).tolist(), "choice_floyd": g().choice(1000, 30, replace=False).tolist(), "choice_tail": g().choice(10001, 201, replace=False).tolist(),
            "mixed": (lambda r: [r.integers(0, 10, 3).tolist(), r.random(2).tolist(), r.permutation(7).tolist(), r.integers(0, 10, 2).tolist()])(g())}

for name, draw in (("randomState", legacy), ("python", python), ("defaultRng", modern)):
    out[name] = {str(s): draw(s) for s in seeds}
out["python"]["-42"] = python(-42)
out["python"][str(2**40 + 7)] = python(2**40 + 7)
out["defaultRng"][str(2**40 + 7)] = modern(2**40 + 7)

def split(n, classes, class_seed, **options):
    y = np.random.RandomState(class_seed).randint(0, classes, n).tolist() if classes else None
    ds = datasets.Dataset.from_dict({"i": list(range(n)), **({"label": y} if classes else {})})
    if classes:
        ds = ds.cast_column("label", datasets.ClassLabel(names=[str(k) for k in range(classes)]))
        options["stratify_by_column"] = "label"
    parts = ds.train_test_split(**options)
    options.pop("stratify_by_column", None)
    return {"rows": n, "classes": y, "options": options, "train": parts["train"]["i"][:], "test": parts["test"]["i"][:]}

out["splits"] = [split(100, 0, 0, test_size=20, seed=42), split(101, 0, 0, test_size=0.2, seed=7), split(60, 0, 0, test_size=10, train_size=20, seed=1), split(97, 0, 0, test_size=0.33, train_size=0.21, seed=3),
                 split(120, 4, 5, test_size=30, seed=42), split(200, 7, 9, test_size=0.17, seed=1), split(90, 3, 2, test_size=20, train_size=30, seed=42), split(64, 8, 3, test_size=16, seed=11)]
json.dump(out, sys.stdout, separators=(",", ":"))
