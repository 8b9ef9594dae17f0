"""
SciPy's linkage of seeded rows: test/platform/linalg/golden/linkage.json.

    pip install scipy numpy
    python oracles/linkage.py > test/platform/linalg/golden/linkage.json
"""
import json

import numpy as np
import scipy
from scipy.cluster.hierarchy import leaves_list, linkage

draw = np.random.default_rng(20261124)
cases = []
for rows, columns in [(2, 1), (3, 2), (6, 69), (15, 4), (40, 6)]:
    points = np.round(draw.standard_normal((rows, columns)) * draw.uniform(0.5, 3, columns), 6)
    for method in ["average", "ward"]:
        joints = linkage(points, method=method)
        cases.append({"method": method, "points": points.tolist(), "joints": joints.tolist(), "leaves": leaves_list(joints).tolist()})
print(json.dumps({"scipy": scipy.__version__, "cases": cases}))
