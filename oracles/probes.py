"""Probes trained by PyTorch for test/platform/linalg and test/task/probing: python oracles/probes.py test/task/probing/golden/probes.json

`steps`: weights, order of rows and data drawn by RandomState, which the test draws again, and no dropout: the outputs after some epochs are comparable number for number. `probes`: the
trainer of Holmes (Waldis et al. 2024) as its settings say, five seeds, scored by torchmetrics 0.6.1. `f1`: macro-F1 of torchmetrics where classes are absent.
"""
import json, sys
import numpy as np, torch, torchmetrics
from torchmetrics import F1
torch.set_num_threads(1)

def data(n, d, K, seed, noise):
    rs = np.random.RandomState(seed)
    W = rs.random_sample((K, d)) - 0.5
    X = (rs.random_sample((n, d)) - 0.5).astype(np.float32)
    scores = X.astype(np.float64) @ W.T + noise * (rs.random_sample((n, K)) - 0.5)
    return X, (scores[:, 0] if K == 1 else scores.argmax(1))

def linear(rs, inputs, outputs):
    layer = torch.nn.Linear(inputs, outputs)
    values = (2 * rs.random_sample((outputs, inputs + 1)) - 1) / np.sqrt(inputs)
    layer.weight.data = torch.tensor(values[:, :-1].astype(np.float32)); layer.bias.data = torch.tensor(values[:, -1].astype(np.float32))
    return layer

def network(widths, dropout, rs=None):
    layers = [torch.nn.Dropout(dropout)]
    for i, (a, b) in enumerate(zip(widths, widths[1:])):
        layers.append(torch.nn.Linear(a, b) if rs is None else linear(rs, a, b))
        if i + 2 < len(widths): layers += [torch.nn.LeakyReLU(), torch.nn.Dropout(dropout)]
    return torch.nn.Sequential(*layers)

def loss_of(kind):
    entropy = torch.nn.functional.cross_entropy
    if kind == "smooth-l1": return lambda out, y: torch.nn.functional.smooth_l1_loss(out[:, 0], y)
    if kind == "double-softmax": return lambda out, y: entropy(torch.softmax(out, 1), y)
    return entropy

def train(X, y, rows, dev, K, loss, *, hidden=(), dropout=0.2, epochs=20, patience=5, clip=None, batch=16, rs=None, order=None):
    net = network([X.shape[1], *hidden, K], dropout, rs)
    adam = torch.optim.Adam(net.parameters(), lr=1e-3)
    total = -(-len(rows) // batch) * epochs; warm = 0.1 * total
    plan = torch.optim.lr_scheduler.LambdaLR(adam, lambda s: s / max(1, warm) if s < warm else max(0, (total - s) / max(1, total - warm)))
    best, kept, waited, ran = np.inf, None, 0, 0
    x, t = torch.tensor(X), torch.tensor(np.asarray(y), dtype=torch.float32 if K == 1 else torch.long)
    rows = np.array(rows, dtype=np.int32)
    for _ in range(epochs):
        net.train()
        if order is None: rows = rows[torch.randperm(len(rows)).numpy()]
        else: order.shuffle(rows)
        for at in range(0, len(rows), batch):
            chosen = rows[at : at + batch]
            adam.zero_grad(); loss(net(x[chosen]), t[chosen]).backward()
            if clip: torch.nn.utils.clip_grad_norm_(net.parameters(), clip)
            adam.step(); plan.step()
        net.eval(); ran += 1
        with torch.no_grad(): value = float(loss(net(x[dev]), t[dev]))
        if value < best: best, waited, kept = value, 0, {k: v.clone() for k, v in net.state_dict().items()}
        else: waited += 1
        if waited >= patience: break
    net.load_state_dict(kept); net.eval()
    return net, ran

steps = []
for case in [
    dict(data=dict(n=90, d=7, K=3, seed=1, noise=0.2), loss="cross-entropy", hidden=[], epochs=4),
    dict(data=dict(n=90, d=7, K=3, seed=2, noise=0.2), loss="double-softmax", hidden=[], epochs=4),
    dict(data=dict(n=90, d=20, K=1, seed=3, noise=0.2), loss="smooth-l1", hidden=[], epochs=4),
    dict(data=dict(n=90, d=20, K=4, seed=4, noise=0.2), loss="cross-entropy", hidden=[18], epochs=4),
    dict(data=dict(n=90, d=20, K=4, seed=5, noise=0.2), loss="double-softmax", hidden=[18, 5], epochs=4, clip=0.1),
]:
    X, y = data(**case["data"])
    net, ran = train(X, y, np.arange(60), np.arange(60, 90), case["data"]["K"], loss_of(case["loss"]), hidden=case["hidden"], dropout=0, epochs=case["epochs"],
                     clip=case.get("clip"), rs=np.random.RandomState(9), order=np.random.RandomState(9))
    with torch.no_grad(): steps.append({**case, "epochs_run": ran, "outputs": net(torch.tensor(X[60:])).double().numpy().round(7).tolist()})

probes = []
for case in [
    dict(data=dict(n=6000, d=24, K=2, seed=21, noise=0.8)),
    dict(data=dict(n=6000, d=24, K=5, seed=22, noise=0.5)),
    dict(data=dict(n=3000, d=24, K=3, seed=23, noise=0.5), hidden=[1000]),
    dict(data=dict(n=3000, d=24, K=1, seed=24, noise=1.0)),
]:
    X, y = data(**case["data"]); n, K = len(X), case["data"]["K"]
    cut, cut2 = n * 7 // 10, n * 8 // 10
    for profile in ["corrected", "holmes"]:
        Z = X
        if profile == "corrected":
            m, s = X[:cut].astype(np.float64).mean(0), X[:cut].astype(np.float64).std(0)
            Z = ((X - m) / s).astype(np.float32)
        loss = loss_of("smooth-l1" if K == 1 else "double-softmax" if profile == "holmes" else "cross-entropy")
        scores = []
        for seed in range(5):
            torch.manual_seed(seed)
            net, _ = train(Z, y, np.arange(cut), np.arange(cut, cut2), K, loss, hidden=case.get("hidden", []))
            with torch.no_grad(): out = net(torch.tensor(Z[cut2:]))
            truth = torch.tensor(y[cut2:])
            scores.append(float(np.corrcoef(out[:, 0].numpy(), y[cut2:])[0, 1]) if K == 1 else float(F1(average="macro", num_classes=K)(torch.softmax(out, 1), truth)))
        probes.append({**case, "profile": profile, "scores": scores})
        print(case, profile, np.mean(scores), scores)

f1 = []
for seed in range(12):
    rs = np.random.RandomState(seed); K = int(rs.randint(2, 9)); n = int(rs.randint(3, 20))
    a, b = rs.randint(0, K, n), rs.randint(0, K, n)
    f1.append({"classes": K, "answers": a.tolist(), "labels": b.tolist(), "macro_f1": float(F1(average="macro", num_classes=K)(torch.tensor(a), torch.tensor(b)))})

json.dump({"made_with": {"torch": torch.__version__.split("+")[0], "torchmetrics": torchmetrics.__version__, "numpy": np.__version__}, "steps": steps, "probes": probes, "f1": f1}, open(sys.argv[1], "w"), separators=(",", ":"))
