"""Comparison of locales by pandas and SciPy: python oracles/locale_table.py > test/experiment/locales/golden/comparison.json

Of test/experiment/locales/golden/recorded.csv, accuracies that merginguriel recorded on 2025-09-17.
"""
import io, json, sys
from importlib.metadata import version
from pathlib import Path
import pandas as pd
from scipy import stats

root = Path(__file__).resolve().parent.parent
table = pd.read_csv(root / "test/experiment/locales/golden/recorded.csv")
types = ["baseline", "similarity", "average"]
for name in types[1:]:
    table[f"{name}_improvement"] = table[name] - table["baseline"]
text = io.StringIO()
table.to_csv(text, index=False)
summary = {
    name: {
        "count": int(table[name].count()), "mean_accuracy": float(table[name].mean()), "std_accuracy": float(table[name].std()),
        "min_accuracy": float(table[name].min()), "max_accuracy": float(table[name].max()),
    }
    for name in types
}
pairs = []
for over, rows in (("shared", table), ("complete", table.dropna(subset=types))):
    for first, second in (("similarity", "average"), ("similarity", "baseline"), ("average", "baseline")):
        both = rows.dropna(subset=[first, second])
        if over == "complete" and len(both) == len(table.dropna(subset=[first, second])):
            continue
        difference = both[first] - both[second]
        test = stats.ttest_rel(both[first], both[second])
        wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
        pairs.append({
            "first": first, "second": second, "over": over, "locales": len(both), "wins": wins, "losses": losses,
            "ties": len(both) - wins - losses, "difference": float(difference.mean()), "t": float(test.statistic),
            "tP": float(test.pvalue), "signP": float(stats.binomtest(wins, wins + losses).pvalue),
            "wilcoxonP": float(stats.wilcoxon(difference).pvalue),
        })
made = {name: version(name) for name in ("pandas", "scipy", "numpy")}
json.dump({"made_with": made, "csv": text.getvalue(), "summary": summary, "pairs": pairs}, sys.stdout, separators=(",", ":"))
