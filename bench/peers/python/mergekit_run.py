"""Runs mergekit on a list of jobs: mergekit_run.py JOBS.json [THREADS]; JOBS = [{"config": file, "out": folder}, …]; "parts": a folder for named documents. One line of JSON a job."""
import json, logging, os, subprocess, sys, time, traceback
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
import torch
import yaml
from mergekit.config import MergeConfiguration
from mergekit.merge import run_merge
from mergekit.options import MergeOptions

if len(sys.argv) > 2:
    torch.set_num_threads(int(sys.argv[2]))
logging.disable(logging.CRITICAL)
for job in json.loads(Path(sys.argv[1]).read_text()):
    started = time.perf_counter()
    try:
        text = Path(job["config"]).read_text()
        if "parts" in job:
            command = [sys.executable, "-m", "mergekit.scripts.multimerge", job["config"], "--out-path", job["out"], "--intermediate-dir", job["parts"], "--clone-tensors", "--quiet"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(done.stderr.strip().splitlines()[-1])
            print(json.dumps({"out": job["out"], "seconds": time.perf_counter() - started}), flush=True)
            continue
        config = MergeConfiguration.model_validate(yaml.safe_load(text))
        run_merge(config, job["out"], options=MergeOptions(quiet=True, random_seed=0, lora_merge_cache=job.get("cache"), clone_tensors=True), config_source=text)
        print(json.dumps({"out": job["out"], "seconds": time.perf_counter() - started}), flush=True)
    except BaseException as error:
        trace = traceback.extract_tb(error.__traceback__)[-1]
        print(json.dumps({"out": job["out"], "error": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}", "at": f"{Path(trace.filename).name}:{trace.lineno}"}), flush=True)
