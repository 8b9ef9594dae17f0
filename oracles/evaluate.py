"""Scores of the reference implementations for test/task/protocols: python oracles/evaluate.py MTEB_FOLDER > test/task/protocols/golden/evaluate.json

MTEB_FOLDER is the unpacked package mteb 2.26.24; of it only _evaluators/retrieval_metrics.py is loaded (with pytrec_eval-terrier). The rest is
scikit-learn and scipy called as mteb calls them. Vectors are drawn by RandomState, which the test draws again; only answers are stored.
"""
import importlib.util, json, math, sys, types
import numpy as np, pytrec_eval, scipy, sklearn
from collections import namedtuple
from scipy.stats import pearsonr, spearmanr
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, average_precision_score, f1_score, precision_score, recall_score
from sklearn.metrics.pairwise import paired_cosine_distances, paired_euclidean_distances, paired_manhattan_distances

out = {"made_with": {"numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__, "mteb": "2.26.24", "pytrec_eval-terrier": "0.5.11"}}
plain = lambda x: None if x is None or (isinstance(x, float) and math.isnan(x)) else float(x)

def unit(X):
    return X / np.maximum(np.sqrt((X * X).sum(1, keepdims=True)), np.float32(1e-12))

def sts(seed, n, d, zero):
    rs = np.random.RandomState(seed)
    A = (rs.random_sample((n, d)) - 0.5).astype(np.float32)
    B = (A + 0.8 * (rs.random_sample((n, d)) - 0.5)).astype(np.float32)
    gold = np.round(rs.random_sample(n) * 10) / 2
    if zero: A[3] = 0; A[5] = 0; B[5] = 0; B[7] = A[7]; B[8] = A[8]
    corr = lambda v: (pearsonr(gold, v)[0], spearmanr(gold, v)[0])
    scores = {}
    for name, v in (("", (unit(A) * unit(B)).sum(1)), ("cosine_", 1 - paired_cosine_distances(A, B)), ("manhattan_", -paired_manhattan_distances(A, B)), ("euclidean_", -paired_euclidean_distances(A, B)), ("dot:", (A * B).sum(1))):
        scores[name + "pearson"], scores[name + "spearman"] = map(float, corr(v.tolist()))
    return {"seed": seed, "n": n, "d": d, "zero": zero, "scores": scores}
out["sts"] = [sts(1, 80, 12, False), sts(2, 60, 7, True)]

def classification(seed, n, m, d, names, per_label, experiments, noise, missing=None):
    rs = np.random.RandomState(seed)
    K = len(names)
    C = rs.random_sample((K, d)) - 0.5
    draw = lambda k: (lambda y: ((C[y] + noise * (rs.random_sample((k, d)) - 0.5)).astype(np.float32), [names[i] for i in y]))(rs.randint(0, K, k))
    X, y = draw(n)
    Z, t = draw(m)
    if missing is not None: t = [missing if i % 9 == 0 else v for i, v in enumerate(t)]
    order = list(range(n)); rows = []
    for e in range(experiments):
        np.random.RandomState(42).shuffle(order)
        count, pick = {}, []
        for i in order:
            if count.get(y[i], 0) < per_label: pick.append(i); count[y[i]] = count.get(y[i], 0) + 1
        model = LogisticRegression(random_state=42, max_iter=100).fit(X[pick].astype(np.float64), [y[i] for i in pick])
        p = model.predict(Z.astype(np.float64))
        s = {"accuracy": accuracy_score(t, p), "f1": f1_score(t, p, average="macro"), "f1_weighted": f1_score(t, p, average="weighted"), "precision": precision_score(t, p, average="macro", zero_division=0), "precision_weighted": precision_score(t, p, average="weighted", zero_division=0),
             "recall": recall_score(t, p, average="macro", zero_division=0), "recall_weighted": recall_score(t, p, average="weighted", zero_division=0), "ap": None, "ap_weighted": None}
        if len(set(t)) == 2 and not isinstance(t[0], str):
            s["ap"] = average_precision_score(t, p, average="macro"); s["ap_weighted"] = average_precision_score(t, p, average="weighted")
        rows.append({k: plain(v) for k, v in s.items()})
    mean = {k: (float(np.mean([r[k] for r in rows if r[k] is not None])) if any(r[k] is not None for r in rows) else None) for k in rows[0]}
    return {"seed": seed, "n": n, "m": m, "d": d, "names": names, "per_label": per_label, "experiments": experiments, "noise": noise, "missing": missing, "scores_per_experiment": rows, "mean": mean}
out["classification"] = [classification(3, 150, 120, 10, [0, 1, 2, 3, 4], 8, 10, 2.5), classification(4, 90, 100, 8, [0, 1], 8, 10, 3.0), classification(5, 120, 90, 6, ["b", "a", "ä", "Z"], 4, 4, 2.0, "unseen"), classification(6, 60, 70, 5, [1, 2], 16, 3, 3.0), classification(7, 50, 60, 5, [3, -1, 10], 5, 3, 2.5)]

sys.modules["mteb"] = types.ModuleType("mteb")
sys.modules["mteb.types"] = types.ModuleType("mteb.types")
sys.modules["mteb.types"].RetrievalEvaluationResult = namedtuple("R", "all_scores ndcg map recall precision naucs mrr naucs_mrr hit_rate")
spec = importlib.util.spec_from_file_location("retrieval_metrics", sys.argv[1] + "/_evaluators/retrieval_metrics.py")
metrics = importlib.util.module_from_spec(spec); spec.loader.exec_module(metrics)

def retrieval(seed, Q, N, d, integers, same_ids, ks, top_k, candidates):
    rs = np.random.RandomState(seed)
    draw = lambda n: (rs.randint(-2, 3, n * d).reshape(n, d) if integers else rs.random_sample((n, d)) - 0.5).astype(np.float32)
    queries, docs = draw(Q), draw(N)
    qids = [f"d{i}" if same_ids else f"q{i}" for i in range(Q)]
    dids = [f"d{i}" if i % 3 else ("\U0001F600" if i % 2 else "\uff5e") + str(i) for i in range(N)]
    qrels = {}
    for q in range(Q):
        picks = rs.randint(0, N, 6); grades = rs.randint(-1, 4, 6)
        qrels[qids[q]] = {dids[j]: int(g) for j, g in zip(picks, grades)}
    qrels[qids[2]] = {dids[0]: 0}
    S = queries @ docs.T if integers else unit(queries) @ unit(docs).T
    asked = [sorted(set(rs.randint(0, N, 15).tolist())) if candidates else range(N) for q in range(Q)]
    results = {qids[q]: dict((dids[j], s) for s, _, j in sorted(((float(S[q, j]), dids[j], j) for j in asked[q]), reverse=True)[:top_k]) for q in range(Q)}
    if same_ids:
        for q, run in results.items(): run.pop(q, None)
    r = metrics.calculate_retrieval_scores(results, qrels, ks)
    scores = metrics.make_score_dict(ndcg=r.ndcg, _map=r.map, recall=r.recall, precision=r.precision, mrr=r.mrr, naucs=r.naucs, naucs_mrr=r.naucs_mrr, hit_rate=r.hit_rate, task_scores={})
    return {"seed": seed, "Q": Q, "N": N, "d": d, "integers": integers, "same_ids": same_ids, "ks": ks, "candidates": candidates, "scores": {k: plain(v) for k, v in scores.items()}}
ks = [1, 3, 5, 10, 20, 100, 1000]
out["retrieval"] = [retrieval(8, 33, 250, 4, True, False, ks, 1000, False), retrieval(9, 40, 120, 16, False, True, ks, 1000, False), retrieval(10, 25, 300, 3, True, False, [1, 5, 20], 20, False), retrieval(11, 21, 200, 8, False, False, ks, 1000, True)]
json.dump(out, sys.stdout, separators=(",", ":"))
