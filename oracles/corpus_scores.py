"""Corpus scores for test/task/harness/scores: python oracles/corpus_scores.py > test/task/harness/golden/corpus-scores.json

Needs sacrebleu, and lm_eval 0.4.13 on the path for the errors.
"""
import json, os, platform, random, sys
import sacrebleu
os.environ["DISABLE_MULTIPROC"] = "1"

words = "the a cat dog sat on mat, runs (fast) 3.5 1,000 isn't well-known end. $5 50% é naïve 你好 世界 “quoted” x &amp; ! ? it's u.s. no-".split()

def sentence(draw, length):
    return " ".join(draw.choice(words) for _ in range(length)) + draw.choice(["", ".", " ", "!", "\n"])

def near(draw, text):
    own = text.split(" ")
    for _ in range(draw.randint(0, 4)):
        at = draw.randrange(len(own)) if own else 0
        kind = draw.randrange(4)
        if kind == 0: own.insert(at, draw.choice(words))
        elif kind == 1 and own: own.pop(at)
        elif kind == 2 and own: own[at] = draw.choice(words)
        else:
            cut = draw.randrange(len(own) + 1)
            own = own[cut:] + own[:cut]
    return " ".join(own)

def case(seed):
    draw = random.Random(seed)
    predictions, references = [], []
    for _ in range(draw.choice([1, 3, 12])):
        first = sentence(draw, draw.choice([0, 1, 3, 9, 30, 70]))
        references.append([near(draw, first) for _ in range(1 if seed % 2 else 2)])
        predictions.append(near(draw, first))
    streams = list(zip(*references))
    scores = {"chrf": sacrebleu.corpus_chrf(predictions, streams).score, "chrf++": sacrebleu.corpus_chrf(predictions, streams, word_order=2).score, "ter": sacrebleu.corpus_ter(predictions, streams).score}
    for name in ("13a", "intl", "zh", "char", "none"):
        scores["bleu " + name] = sacrebleu.corpus_bleu(predictions, streams, tokenize=name).score
    scores["bleu effective"] = sacrebleu.corpus_bleu(predictions, streams, use_effective_order=True).score
    return {"predictions": predictions, "references": references, "scores": scores}

cases = [case(seed) for seed in range(60)]
stdout, sys.stdout = sys.stdout, sys.stderr
from lm_eval.api import metrics
errors = []
for seed in (2, 4, 5, 7, 11):
    items = [([*r], p) for r, p in zip(cases[seed]["references"], cases[seed]["predictions"])]
    if len(items) > 1:
        errors.append({"case": seed, **{name: metrics.stderr_for_metric(f, 100)(items) for name, f in (("bleu", metrics.bleu), ("chrf", metrics.chrf), ("chrf++", metrics.chrfpp), ("ter", metrics.ter))}})
sys.stdout = stdout
print(json.dumps({"made_with": {"python": platform.python_version(), "sacrebleu": sacrebleu.__version__, "lm_eval": "0.4.13"}, "cases": cases, "errors": errors}, ensure_ascii=False, separators=(",", ":")))
