"""SciPy's paired tests: python oracles/paired_tests.py > test/result/statistics/golden/paired-tests.json

Differences are drawn by RandomState(seed), rounded where they shall tie or be zero; the test draws them again.
"""
import json, sys
import numpy as np
from importlib.metadata import version
from scipy import stats

cases = []
for seed, n in enumerate((2, 3, 5, 8, 13, 26, 45, 48, 50, 51, 80, 300)):
    for digits in (None, 1):
        for shift in (0.4, 0.5, 0.7):
            drawn = np.random.RandomState(seed).random_sample(n) - shift
            values = drawn if digits is None else np.round(drawn, digits)
            if not values.any() or np.ptp(values) == 0:
                continue
            t = stats.ttest_1samp(values, 0)
            # method: SciPy 1.13 and later choose as before by "auto"; without zeros and ties up to 50 are exact
            rank = stats.wilcoxon(values)
            wins, losses = int((values > 0).sum()), int((values < 0).sum())
            cases.append({
                "seed": seed, "n": n, "shift": shift, "digits": digits, "t": float(t.statistic), "tP": float(t.pvalue),
                "statistic": float(rank.statistic), "wilcoxonP": float(rank.pvalue),
                "wins": wins, "losses": losses, "signP": float(stats.binomtest(wins, wins + losses).pvalue),
            })
normal = [[float(z), float(2 * stats.norm.sf(abs(z)))] for z in (0, 1e-9, 0.3, 1, 1.7, 1.74, 1.96, 3, 5.5, 12, 37)]
json.dump({"made_with": {name: version(name) for name in ("scipy", "numpy")}, "cases": cases, "normal": normal}, sys.stdout, separators=(",", ":"))
