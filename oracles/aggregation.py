"""Reference answers for test/representation/aggregation: python oracles/aggregation.py > test/representation/aggregation/golden/aggregation.json   (numpy, scipy)

Quadratic programmes by scipy's SLSQP from several starts, refined on the support that it finds by solving the optimality conditions; clusters by scipy.cluster.hierarchy.
"""
import json
import numpy as np
import scipy
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.optimize import minimize
from scipy.spatial.distance import squareform


def data(n, seed):
    rs = np.random.RandomState(seed)
    X = rs.random_sample((40, n)) - 0.5 + 1.5 * (rs.random_sample((40, 1)) - 0.5)
    X = np.cumsum(X, axis=1)
    X /= np.linalg.norm(X, axis=0)
    return X.T @ X, 0.3 + 0.6 * rs.random_sample(n)


def optimum(q, A, lam):
    n = len(q)
    value = lambda w: -(q @ w) + lam * w @ A @ w
    best = None
    for start in (np.full(n, 1 / n), q / q.sum()):
        found = minimize(value, start, jac=lambda w: -q + 2 * lam * A @ w, bounds=[(0, 1)] * n, constraints={"type": "eq", "fun": lambda w: w.sum() - 1, "jac": lambda w: np.ones(n)},
                         method="SLSQP", options={"maxiter": 2000, "ftol": 1e-15})
        if best is None or found.fun < best.fun:
            best = found
    on = np.flatnonzero(best.x > 1e-6)
    m = len(on)
    system = np.zeros((m + 1, m + 1))
    system[:m, :m], system[:m, m], system[m, :m] = 2 * lam * A[np.ix_(on, on)], 1, 1
    w = np.zeros(n)
    w[on] = np.linalg.solve(system, np.append(q[on], 1))[:m]
    return w, float(-value(w))


out = {"made_with": {"numpy": np.__version__, "scipy": scipy.__version__}, "programmes": [], "clusters": []}
for n, seed in [(5, 1), (7, 2), (13, 3), (13, 4), (25, 5), (40, 6)]:
    S, q = data(n, seed)
    for lam in (0.1, 0.5, 1.0):
        w, objective = optimum(q, S, lam)
        A = (S + np.eye(n)) / 2
        v, other = optimum(q, A, lam)
        out["programmes"].append({"n": n, "seed": seed, "lambda": lam, "weighted": w.tolist(), "objective": objective, "weighted_greedy": v.tolist(), "greedy_objective": other})
    for most in (1, 2, 3, 4, 6):
        labels = fcluster(linkage(squareform(1 - S, checks=False), method="average"), most, criterion="maxclust")
        out["clusters"].append({"n": n, "seed": seed, "most": most, "clusters": [np.flatnonzero(labels == c).tolist() for c in range(1, labels.max() + 1)]})
# merges at the same height: fewer clusters than asked
tied = np.array([[1, .9, .5, .5], [.9, 1, .5, .5], [.5, .5, 1, .9], [.5, .5, .9, 1]])
for most in (1, 2, 3, 4):
    labels = fcluster(linkage(squareform(1 - tied), method="average"), most, criterion="maxclust")
    out["clusters"].append({"similarity": tied.ravel().tolist(), "n": 4, "most": most, "clusters": [np.flatnonzero(labels == c).tolist() for c in range(1, labels.max() + 1)]})
print(json.dumps(out))
