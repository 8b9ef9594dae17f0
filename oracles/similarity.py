"""Reference similarities for test/representation/similarity: python oracles/similarity.py > test/representation/similarity/golden/similarity.json   (numpy, scipy)

Written from the definitions in their plainest, [texts x texts] form, so that no shortcut is shared with what is tested. Data are drawn by RandomState, which the test draws again.
"""
import json
import numpy as np
import scipy
from scipy import stats
from scipy.spatial.distance import pdist, squareform


def data(n, widths, seed):
    rs = np.random.RandomState(seed)
    base = (rs.random_sample((n, 6)) - 0.5)
    layers = []
    for width in widths:
        mix, noise = rs.random_sample((6, width)) - 0.5, rs.random_sample((n, width)) - 0.5
        layers.append((base @ mix + 0.7 * noise + 3.0 * (rs.random_sample(width) - 0.5)).astype(np.float32))
    return [layer.astype(np.float64) for layer in layers]


def hsic(K, L):
    n = len(K)
    H = np.eye(n) - 1 / n
    return np.trace(H @ K @ H @ L)


def cka_of(K, L):
    return hsic(K, L) / np.sqrt(hsic(K, K) * hsic(L, L))


def hsic_unbiased(K, L):
    n = len(K)
    K, L = K - np.diag(np.diag(K)), L - np.diag(np.diag(L))
    one = np.ones(n)
    return (np.trace(K @ L) + (one @ K @ one) * (one @ L @ one) / ((n - 1) * (n - 2)) - 2 / (n - 2) * (one @ K @ L @ one)) / (n * (n - 3))


def rbf(X):
    D = squareform(pdist(X, "sqeuclidean"))
    return np.exp(-D / (2 * np.median(D)))


def double_centred(D):
    return D - D.mean(0) - D.mean(1)[:, None] + D.mean()


def dcor(X, Y):
    A, B = (double_centred(squareform(pdist(Z))) for Z in (X, Y))
    cov = lambda P, Q: np.sqrt((P * Q).mean())
    return cov(A, B) / np.sqrt(cov(A, A) * cov(B, B))


def jaccard(X, Y):
    k = max(1, min(100, X.shape[1] // 10))
    top = lambda row: set(np.argsort(-row, kind="stable")[:k])
    return np.mean([len(top(a) & top(b)) / len(top(a) | top(b)) for a, b in zip(X, Y)])


def centred(X):
    return X - X.mean(0)


def directions(X, share):
    U, s, _ = np.linalg.svd(centred(X), full_matrices=False)
    keep = s > max(X.shape) * np.finfo(float).eps * s[0]
    U, s = U[:, keep], s[keep]
    if share < 1:
        count = int(np.searchsorted(np.cumsum(s**2) / (s**2).sum(), share) + 1)
        U = U[:, :count]
    return U


def svcca(X, Y):
    U, V = directions(X, 0.99), directions(Y, 0.99)
    return np.linalg.svd(U.T @ V, compute_uv=False).mean()


def pwcca(X, Y):
    U, V = directions(X, 1), directions(Y, 1)
    A, s, _ = np.linalg.svd(U.T @ V, full_matrices=False)
    weights = np.abs((U @ A).T @ centred(X)).sum(1)
    return (weights * s).sum() / weights.sum()


def procrustes(X, Y):
    X, Y = (centred(Z) / np.linalg.norm(centred(Z)) for Z in (X, Y))
    return np.linalg.norm(X.T @ Y, "nuc")


def mutual_knn(X, Y, k=10):
    def near(Z):
        Z = Z / np.linalg.norm(Z, axis=1, keepdims=True)
        C = Z @ Z.T
        np.fill_diagonal(C, -np.inf)
        return [set(np.argsort(-row, kind="stable")[:k]) for row in C]
    return np.mean([len(a & b) / k for a, b in zip(near(X), near(Y))])


rows = lambda measure: lambda X, Y: float(np.mean([measure(a, b) for a, b in zip(X, Y)]))
metrics = {
    "cka": lambda X, Y: cka_of(X @ X.T, Y @ Y.T),
    "cka_debiased": lambda X, Y: hsic_unbiased(X @ X.T, Y @ Y.T) / np.sqrt(hsic_unbiased(X @ X.T, X @ X.T) * hsic_unbiased(Y @ Y.T, Y @ Y.T)),
    "cka_rbf": lambda X, Y: cka_of(rbf(X), rbf(Y)),
    "rsa": lambda X, Y: stats.spearmanr(pdist(X, "correlation"), pdist(Y, "correlation")).statistic,
    "jaccard": jaccard,
    "distance_correlation": dcor,
    "correlation": rows(lambda a, b: np.corrcoef(a, b)[0, 1]),
    "cosine": rows(lambda a, b: a @ b / np.linalg.norm(a) / np.linalg.norm(b)),
    "svcca": svcca,
    "pwcca": pwcca,
    "procrustes": procrustes,
    "mutual_knn": mutual_knn,
}
equal_widths = {"jaccard", "correlation", "cosine"}
cases = [dict(n=60, widths=[12, 12, 12], seed=1), dict(n=40, widths=[20, 31], seed=2), dict(n=24, widths=[48, 48], seed=3)]
out = {"made_with": {"numpy": np.__version__, "scipy": scipy.__version__}, "cases": []}
for case in cases:
    layers = data(**case)
    same = len(set(case["widths"])) == 1
    # where two spaces meet (20 + 31 directions of 39) the directions of correlation 1, and with them the weights of pwcca, are not determined
    wanted = [name for name in metrics if same or name not in {*equal_widths, "pwcca"}]
    values = {name: [[float(metrics[name](X, Y)) for Y in layers] for X in layers] for name in wanted}
    out["cases"].append({"data": case, "values": values})
print(json.dumps(out))
