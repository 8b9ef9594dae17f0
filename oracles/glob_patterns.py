"""Which paths match which patterns, by Python's fnmatch.fnmatchcase with huggingface_hub's rule for patterns that end in "/".

    python oracles/glob_patterns.py > test/files/hub/golden/fnmatch.json
"""
import fnmatch
import itertools
import json
import platform
import random

paths = ["a.json", "a.JSON", "dir/a.json", "dir/sub/b.bin", "dir", "[x].txt", "x.txt", "]", "-", "^a", "a]b", "model-00001-of-00002.safetensors", "é.txt", "😀.txt", "a\nb", ".hidden", "a*b", "a?b", "a\\b", ""]
patterns = ["*", "*.json", "dir/*", "dir/", "d?r/*", "[x].txt", "[[]x].txt", "[!x].txt", "[a-c]*", "[!a-c]*", "[]]", "[]-a]", "[!]]*", "[", "[abc", "a[", "**", "**/*.json", "*/**", "model-0000[0-9]-of-*", "?.txt", "*.txt", "a?b", ".*", "[a^]*", "[^a]*", "[z-a]", "[!z-a]*", "[a-]*", "[-a]*", "a[*]b", "a[?]b", "a\\b", "(a|b)*", "a+", "{a,b}*", "", "*[", "[!]", "[!", "[\\]", "[a-c-e]*", "[a-cx-z]*"]
alphabet = "ab/.*?[]!-^"
rng = random.Random(5)
patterns += ["".join(rng.choice(alphabet) for _ in range(rng.randint(1, 7))) for _ in range(150)]
paths += ["".join(rng.choice("ab/.-^]!") for _ in range(rng.randint(1, 5))) for _ in range(30)]
full = lambda pattern: pattern + "*" if pattern.endswith("/") else pattern
matches = {pattern: [i for i, path in enumerate(paths) if fnmatch.fnmatchcase(path, full(pattern))] for pattern in patterns}
print(json.dumps({"source": f"fnmatch of Python {platform.python_version()}", "paths": paths, "matches": matches}, ensure_ascii=True))
