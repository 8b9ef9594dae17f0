"""Files written by numpy: small arrays in every form that the readers must know, in base64.

    python oracles/formats.py > test/files/formats/golden/numpy.json        (numpy 2.4.6)
"""
import base64
import io
import json
import pickle

import numpy as np

matrix = np.arange(6, dtype=np.float64).reshape(2, 3)
variants = {f'pickle_protocol_{p}': pickle.dumps(matrix, protocol=p) for p in (2, 3, 4, 5)}
variants |= {
    'pickle_fortran_2': pickle.dumps(np.asfortranarray(matrix), protocol=2),
    'pickle_fortran_5': pickle.dumps(np.asfortranarray(matrix), protocol=5),
    'pickle_big_endian': pickle.dumps(matrix.astype('>f4'), protocol=4),
    'pickle_readonly': pickle.dumps(np.frombuffer(matrix.tobytes()).reshape(2, 3), protocol=5),
    'pickle_scalar': pickle.dumps(np.float32(1.5), protocol=4),
    'pickle_negative': pickle.dumps(np.array([-1.5, np.nan, -0.0]), protocol=2),
    'pickle_dict': pickle.dumps(
        {'mean': matrix, 'std': matrix / 10, 'matrix': matrix.astype(np.float32), 'count': 7, 'scale': 0.25, 'best': np.float64(0.5), 'metric': 'CKA', 'pooling': None}, protocol=4
    ),
    'pickle_objects': pickle.dumps(np.array([1, 'a', None], dtype=object), protocol=4),
    'pickle_record': pickle.dumps(np.zeros(2, dtype=[('a', 'f4'), ('b', 'i4')]), protocol=4),
    'pickle_strings': pickle.dumps(np.array(['ab', 'c']), protocol=4),
}


def saved(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


variants |= {f'npy_{dtype}': saved(matrix.astype(dtype)) for dtype in ('f2', 'f4', 'f8', 'i1', 'u2', 'i8', 'bool')}
variants |= {
    'npy_big_endian': saved(matrix.astype('>i4')),
    'npy_fortran': saved(np.asfortranarray(matrix)),
    'npy_scalar': saved(np.float32(2.5)),
    'npy_empty': saved(np.zeros((0, 4), dtype=np.float32)),
    'npy_complex': saved(matrix.astype(np.complex64)),
}
for name, save in (('npz_stored', np.savez), ('npz_deflated', np.savez_compressed)):
    out = io.BytesIO()
    save(out, matrix=matrix, half=matrix.astype(np.float16), column=np.asfortranarray(matrix))
    variants[name] = out.getvalue()

files = ',\n'.join(f'{json.dumps(name)}: "{base64.b64encode(data).decode()}"' for name, data in variants.items())
print('{"made_with": {"numpy": "%s"}, "files": {\n%s\n}}' % (np.__version__, files))
