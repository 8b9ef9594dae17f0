"""PyTorch's turn in `probes`: the trainer of Holmes (Waldis et al. 2024) on the vectors that Strata's probes were trained on, scored by scikit-learn.

    probes.py --folder vectors --seeds 0,1,2,3,4

`jobs.json` lists the probes: files of vectors and labels, rows of each split, profile. Prints scores, steps, seconds and CPU seconds as one line of JSON. One thread, as Holmes's own
workers have. Beside them a logistic regression of scikit-learn, which has no early stopping and no dropout.
"""
import argparse
import json
import os
import time

parser = argparse.ArgumentParser()
parser.add_argument("--folder", required=True)
parser.add_argument("--seeds", required=True)
options = parser.parse_args()

import numpy as np  # noqa: E402
import torch  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.metrics import f1_score  # noqa: E402

torch.set_num_threads(1)
entropy = torch.nn.functional.cross_entropy


def train(x, y, classes, rows, dev, double, seed, epochs=20, patience=5, batch=16):
    torch.manual_seed(seed)
    loss = (lambda out, t: entropy(torch.softmax(out, 1), t)) if double else entropy
    net = torch.nn.Sequential(torch.nn.Dropout(0.2), torch.nn.Linear(x.shape[1], classes))
    adam = torch.optim.Adam(net.parameters(), lr=1e-3)
    total = -(-len(rows) // batch) * epochs
    warm = 0.1 * total
    plan = torch.optim.lr_scheduler.LambdaLR(adam, lambda s: s / max(1, warm) if s < warm else max(0, (total - s) / max(1, total - warm)))
    best, kept, waited, steps = np.inf, None, 0, 0
    for _ in range(epochs):
        net.train()
        order = rows[torch.randperm(len(rows))]
        for at in range(0, len(order), batch):
            chosen = order[at : at + batch]
            adam.zero_grad()
            loss(net(x[chosen]), y[chosen]).backward()
            adam.step()
            plan.step()
            steps += 1
        net.eval()
        with torch.no_grad():
            value = float(loss(net(x[dev]), y[dev]))
        if value < best:
            best, waited, kept = value, 0, {k: v.clone() for k, v in net.state_dict().items()}
        else:
            waited += 1
        if waited >= patience:
            break
    net.load_state_dict(kept)
    return net.eval(), steps


def f1(answers, labels):
    return float(f1_score(labels, answers, average="macro", labels=sorted({*answers, *labels})))


jobs = json.load(open(os.path.join(options.folder, "jobs.json")))
report, steps = [], 0
started, used = time.perf_counter(), time.process_time()
regressions = 0.0
for job in jobs:
    raw = np.fromfile(os.path.join(options.folder, job["vectors"]), dtype=np.float32).reshape(-1, job["width"])
    labels = np.fromfile(os.path.join(options.folder, job["labels"]), dtype=np.float64).astype(np.int64)
    rows, dev, test = (np.array(job[split]) for split in ["train", "dev", "test"])
    values = raw
    if job["profile"] == "corrected":
        mean, deviation = raw[rows].astype(np.float64).mean(0), raw[rows].astype(np.float64).std(0)
        values = ((raw - mean) / np.where(deviation > 1e-6, deviation, np.inf)).astype(np.float32)
    x, y = torch.tensor(values), torch.tensor(labels)
    scores = []
    for seed in options.seeds.split(","):
        net, ran = train(x, y, job["classes"], torch.tensor(rows), torch.tensor(dev), job["profile"] == "holmes", int(seed))
        steps += ran
        with torch.no_grad():
            scores.append(f1(net(x[test]).argmax(1).numpy(), labels[test]))
    begun = time.process_time()
    regression = LogisticRegression(max_iter=1000).fit(values[rows], labels[rows])
    logistic = f1(regression.predict(values[test]), labels[test])
    regressions += time.process_time() - begun
    report.append({"name": job["name"], "scores": scores, "logistic": logistic})
print(json.dumps({"probes": report, "steps": steps, "seconds": time.perf_counter() - started, "cpuSeconds": time.process_time() - used - regressions, "version": torch.__version__}))
