"""Layer similarities as the originals keep them: pickled arrays and dicts in every protocol, in base64, and pickles that are to be refused.

    python oracles/layer_matrix.py > test/experiment/similarity/golden/layer-matrix.json        (numpy 2.4.6)
"""
import base64
import json
import pickle

import numpy as np

matrix = np.array([[1, 0.5, 0.25], [0.5, 1, 0.75], [0.25, 0.75, 1]]) + np.triu(np.full((3, 3), 0.125), 1)
cache = {'mean': matrix, 'std': matrix / 10, 'metric': 'CKA', 'task_name': None, 'model_name': 'bert', 'pooling': 'mean'}
forms = {
    'array': matrix,
    'Fortran': np.asfortranarray(matrix),
    'float32': matrix.astype(np.float32),
    'matrix': {'matrix': matrix, 'note': 'x'},
    'cache': cache,
}


class Runs:
    def __reduce__(self):
        import os

        return os.system, ('touch ran',)


refused = {
    'runs': pickle.dumps(Runs(), protocol=4),
    'runs-inside': pickle.dumps({'matrix': matrix, 'more': Runs()}, protocol=2),
    'objects': pickle.dumps(matrix.astype(object), protocol=4),
    'oblong': pickle.dumps(matrix[:2], protocol=4),
    'cube': pickle.dumps(np.zeros((2, 2, 2)), protocol=4),
    'not-finite': pickle.dumps(np.where(matrix == 0.375, np.nan, matrix), protocol=4),
    'other-dict': pickle.dumps({'a': matrix, 'b': matrix}, protocol=4),
}


def text(data):
    return base64.b64encode(data).decode()


print(json.dumps({
    'made_with': {'numpy': np.__version__},
    'matrix': matrix.ravel().tolist(),
    'read': {f'{name} by protocol {p}': text(pickle.dumps(value, protocol=p)) for name, value in forms.items() for p in (2, 3, 4, 5)},
    'refused': {name: text(data) for name, data in refused.items()},
}, indent=1))
