"""Runs mergekit-tokensurgeon: tokensurgeon_run.py JOBS.json; JOBS = [{"args": [MODEL, DONOR, OUT, flags …]}, …]. One line of JSON a job."""
import json, logging, os, sys, time, traceback, warnings
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TQDM_DISABLE", "1")
import torch
from mergekit.scripts.tokensurgeon import main

torch.set_num_threads(1)
warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
for job in json.loads(Path(sys.argv[1]).read_text()):
    started = time.perf_counter()
    row = {"out": job["args"][2]}
    try:
        torch.manual_seed(0)
        main.main(args=[*job["args"], "--clone-tensors"], standalone_mode=False)
        row["seconds"] = time.perf_counter() - started
    except BaseException as error:
        trace = traceback.extract_tb(error.__traceback__)[-1]
        row |= {"error": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}", "at": f"{Path(trace.filename).name}:{trace.lineno}"}
    print(json.dumps(row), flush=True)
