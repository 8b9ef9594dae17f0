"""Reference metrics for test/representation/metrics: python oracles/metrics.py > test/representation/metrics/golden/metrics.json   (numpy, scipy)

Plain forms of the definitions; data are drawn by RandomState, which the test draws again.
"""
import json
import numpy as np
import scipy
from scipy.spatial.distance import cdist, pdist


def data(n, width, seed):
    rs = np.random.RandomState(seed)
    X = (rs.random_sample((n, 5)) - 0.5) @ (rs.random_sample((5, width)) - 0.5) + 0.3 * (rs.random_sample((n, width)) - 0.5) + 0.4 * rs.random_sample(width)
    return X, X + 0.2 * (rs.random_sample((n, width)) - 0.5)


def entropy(p):
    p = p[p > 0] / p[p > 0].sum()
    return float(-(p * np.log(p)).sum())


def unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def z(X):
    return unit(X - X.mean(0))


def histogram_entropy(values):
    counts = np.histogram(values, bins=50)[0] + 1e-10
    return entropy(counts)


def twonn(X):
    D = np.sort(cdist(X, X), axis=1)
    mu = np.sort(D[:, 2] / D[:, 1])
    n = len(mu)
    use = int(np.floor(0.9 * n))
    x, y = np.log(mu[:use]), -np.log(1 - np.arange(1, use + 1) / n)
    return float(x @ y / (x @ x))


def knn(X):
    n, k = len(X), min(10, len(X) - 1)
    order = np.argsort(cdist(X, X) + np.diag(np.full(n, np.inf)), axis=1, kind="stable")[:, :k]
    ratios = []
    for i in range(min(100, n)):
        O = X[order[i]] - X[i]
        O = O - O.mean(0)
        values = np.linalg.eigvalsh(O @ O.T / (k - 1))[::-1]
        kept = values[values > 1e-6 * values[0]]
        if len(kept) >= 2:
            ratios.append(kept[0] / (kept[-1] + 1e-10))
    return {"log10_of_mean": float(np.log10(np.mean(ratios))), "mean_of_log10": float(np.mean(np.log10(ratios)))}


def rankme(X):
    s = np.linalg.svd(X, compute_uv=False)
    p = s / s.sum() + 1e-7
    return float(np.exp(-(p * np.log(p)).sum()))


def alpha(X):
    v = np.linalg.eigvalsh(np.cov(X.T))[::-1]
    v = v[v > 1e-12 * v[0]]
    return float(-np.polyfit(np.log(np.arange(1, len(v) + 1)), np.log(v), 1)[0])


def isoscore(X):
    v = np.linalg.eigvalsh(np.cov(X.T)).clip(0)
    n = len(v)
    defect = np.linalg.norm(np.sqrt(n) * v / np.linalg.norm(v) - 1) / np.sqrt(2 * (n - np.sqrt(n)))
    phi = (n - defect**2 * (n - np.sqrt(n))) ** 2 / n**2
    return float((n * phi - 1) / (n - 1))


def lidar(views):
    x = np.stack(views, 1)
    n, q, d = x.shape
    mu = x.mean(1)
    grand = mu.mean(0)
    Sb = (mu - grand).T @ (mu - grand) / n
    R = (x - mu[:, None]).reshape(-1, d)
    Sw = R.T @ R / (n * q) + 1e-4 * np.eye(d)
    values, vectors = np.linalg.eigh(Sw)
    W = vectors / np.sqrt(values) @ vectors.T
    h = entropy(np.linalg.eigvalsh(W @ Sb @ W).clip(0))
    return {"entropy": h, "exp": float(np.exp(h))}


def joint(K):
    return entropy(np.linalg.eigvalsh(K).clip(0))


def dime(A, B):
    Ka, Kb = A @ A.T, B @ B.T
    n = len(A)
    raw = np.mean([joint(Ka * Kb[p][:, p]) - joint(Ka * Kb) for p in (np.random.RandomState(42 + k).permutation(n) for k in range(10))])
    return {"raw": float(raw), "logNlogD": float(raw / np.log(n) / np.log(A.shape[1]))}


def infonce(A, B):
    logits = A @ B.T / 0.1
    n = len(A)
    loss = float(np.mean(np.log(np.exp(logits).sum(1)) - np.diag(logits)))
    both = np.concatenate([A, B])
    S = both @ both.T / 0.1
    np.fill_diagonal(S, -np.inf)
    partner = np.arange(2 * n)
    partner = (partner + n) % (2 * n)
    return {"raw": loss, "mi-lower-bound": 1 - loss / np.log(n), "simclr": float(np.mean(np.log(np.exp(S).sum(1)) - S[np.arange(2 * n), partner]))}


def curvature(X):
    def mean(R, f=lambda c: c):
        c = (R[:-1] * R[1:]).sum(1) / np.linalg.norm(R[:-1], axis=1) / np.linalg.norm(R[1:], axis=1)
        return float(np.arccos(np.clip(f(c), -1, 1)).mean())
    return {"signed": mean(np.diff(z(X), axis=0)), "absolute_cosine": mean(np.diff(z(X), axis=0), np.abs), "signed_on_raw_states": mean(np.diff(X, axis=0)), "old_between_neighbours": mean(z(X))}


def sentence(X):
    n, d = X.shape
    Z = z(X)
    K = Z @ Z.T if n <= d else Z.T @ Z
    h = entropy(np.linalg.eigvalsh(K).clip(0))
    return {"raw": h, "maxEntropy": h / min(np.log(n), np.log(d)), "logN": h / np.log(n), "logD": h / np.log(d), "logNlogD": h / np.log(n) / np.log(d), "length": h / n,
            "raw_with_clamp": entropy(np.linalg.eigvalsh(K.clip(0)).clip(0))}


def all_of(X, Y):
    n, d = X.shape
    C = np.cov(X.T)
    values = np.linalg.eigvalsh(C)[::-1]
    s = np.linalg.svd(X - X.mean(0), compute_uv=False)
    p = s / s.sum()
    p = p[p > 1e-10]
    first = np.linalg.svd(X - X.mean(0), full_matrices=False)[2][0]
    d_entropy = entropy(np.linalg.eigvalsh(z(X) @ z(X).T).clip(0))
    U = unit(X)
    return {
        "effective_rank": float(np.exp(-(p * np.log(p)).sum())),
        "hist_prompt_entropy": [histogram_entropy((X - X.mean(0)) @ first), histogram_entropy(-(X - X.mean(0)) @ first)],
        "hist_dataset_entropy": histogram_entropy(pdist(X, "cosine")),
        "knn_curvature": knn(X),
        "logdet_covariance": float(np.linalg.slogdet(C + 1e-10 * np.eye(d))[1]),
        "anisotropy": float(values.std() / (values.mean() + 1e-10)),
        "spectral_norm": float(values[0]),
        "mean_pairwise_cosine": float(1 - pdist(X[:500], "cosine").mean()),
        "sentence_entropy": sentence(X),
        "dataset_entropy": {"raw": d_entropy, "maxEntropy": d_entropy / min(np.log(n), np.log(d)), "logNlogD": d_entropy / np.log(n) / np.log(d)},
        "curvature": curvature(X),
        "intrinsic_dimension": twonn(X),
        "uniformity": float(np.log(np.exp(-2 * pdist(U, "sqeuclidean")).mean())),
        "rankme": rankme(X),
        "alpha_req": alpha(X),
        "isoscore": isoscore(X),
        "lidar": {form.__name__ if form is unit else "centred": lidar([form(X), form(Y)]) for form in (unit, z)},
        "dime": {form.__name__ if form is unit else "centred": dime(form(X), form(Y)) for form in (unit, z)},
        "infonce": {form.__name__ if form is unit else "centred": infonce(form(X), form(Y)) for form in (unit, z)},
        "alignment": float((np.linalg.norm(unit(X) - unit(Y), axis=1) ** 2).mean()),
    }


cases = [dict(n=60, width=12, seed=1), dict(n=150, width=24, seed=2), dict(n=30, width=40, seed=3)]
print(json.dumps({"made_with": {"numpy": np.__version__, "scipy": scipy.__version__}, "cases": [{"data": case, "values": all_of(*data(**case))} for case in cases]}))
