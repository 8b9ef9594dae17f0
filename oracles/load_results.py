"""What mteb's own loader (2.26.24) makes of a folder of results: python oracles/load_results.py RESULTS [--write FILE] [--against RECORDED]

RESULTS is the output folder (`strata evaluate --results RESULTS`). Prints one line a (model, revision, experiment, task) with the main score that
mteb computes over every split and subset; failures lie where the loader does not look. --against compares with `strata results --json` of the same folder,
and exits 1 at the first score that differs; --write keeps the table (test/result/ledger/golden/mteb-loader.json).
"""
import argparse, json, logging, pathlib, shutil, sys, tempfile, warnings

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
import mteb
from mteb.cache import ResultCache

parser = argparse.ArgumentParser()
parser.add_argument("results", type=pathlib.Path)
parser.add_argument("--write", type=pathlib.Path)
parser.add_argument("--against", type=pathlib.Path)
args = parser.parse_args()
assert mteb.__version__ == "2.26.24", mteb.__version__

with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(args.results, pathlib.Path(folder) / "results")  # the cache keeps its results below `results`
    cache = ResultCache(cache_path=folder)
    loaded = cache.load_results(include_remote=False, load_experiments="match_name")
    rows = []
    for model in loaded.model_results:
        for task in model.task_results:
            rows.append({"model": model.model_name, "revision": model.model_revision, "experiment": (model.experiment_name or "default").removeprefix("representation_"),
                         "task": task.task_name, "score": round(task.get_score(), 6), "parts": sum(len(subsets) for subsets in task.scores.values())})

rows.sort(key=lambda row: (row["model"], str(row["experiment"]), row["task"]))
for row in rows:
    print(f'{row["model"]}  {row["revision"][:8]}  {row["experiment"]}  {row["task"]}  {100 * row["score"]:.4f}  {row["parts"]}')
print(len(rows), "results of", len({row["model"] for row in rows}), "models")
if args.write:
    args.write.write_text(json.dumps({"made_with": {"mteb": mteb.__version__}, "rows": rows}, indent=1) + "\n")
if args.against:
    ours = {}
    for line in args.against.read_text().splitlines():
        one = json.loads(line)
        if one.get("scores") and one.get("strata", {}).get("status", "ok") == "ok":
            values = [part["main_score"] for parts in one["scores"].values() for part in parts]
            ours[one["model"], one["revision"], one["representation"], one["task_name"]] = sum(values) / len(values)
    theirs = {(row["model"], row["revision"], row["experiment"], row["task"]): row["score"] for row in rows}
    different = [key for key in ours.keys() | theirs.keys() if abs(ours.get(key, -9) - theirs.get(key, 9)) > 1e-6]
    print(f"{len(ours)} of ours, {len(theirs)} of mteb's, {len(different)} differ", *different, sep="\n  ")
    sys.exit(1 if different else 0)
