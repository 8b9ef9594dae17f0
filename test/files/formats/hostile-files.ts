/** What comes of the files in models/pico/hostile. */

/** The code, and what the message says of place and reason. */
export type Refusal = readonly [code: string, reason: string]

/** Every file that holds tensors or claims to: its refusal, or the values of its first tensor. */
export const hostileFiles: Readonly<Record<string, Refusal | { readonly read: readonly number[] }>> = {
  'safetensors/deep-json.safetensors': [
    'format.safetensors',
    'header:1:273: nested too deep – wanted at most 256 levels',
  ],
  'safetensors/dtype-mismatch.safetensors': [
    'format.safetensors',
    'a: shape does not match bytes – 24 bytes, wanted 48 for F64 [2, 3]',
  ],
  'safetensors/duplicate-keys.safetensors': ['format.safetensors', 'header:1:55: key "a" occurs twice'],
  'safetensors/fractional-offset.safetensors': [
    'format.safetensors',
    'a: data_offsets must be [begin, end] – [0.5, 24.5]',
  ],
  'safetensors/git-lfs-pointer.safetensors': ['format.lfs', 'a Git LFS pointer, not the file itself'],
  'safetensors/header-2-60.safetensors': [
    'format.safetensors',
    'header is longer than the file – 1152921504606846976, wanted at most 89',
  ],
  'safetensors/header-2-64-minus-1.safetensors': [
    'format.safetensors',
    'header is longer than the file – 18446744073709551615, wanted at most 89',
  ],
  'safetensors/header-beyond-file.safetensors': [
    'format.safetensors',
    'header is longer than the file – 4096, wanted at most 89',
  ],
  'safetensors/header-zero.safetensors': ['format.safetensors', 'header is empty'],
  'safetensors/hole.safetensors': ['format.safetensors', 'b: bytes that no tensor covers – offset 8, wanted 4'],
  'safetensors/html.safetensors': ['format.lfs', 'a web page, not the file itself'],
  'safetensors/huge-offset.safetensors': [
    'format.safetensors',
    'a: data_offsets must be [begin, end] – [18446744073709551592, 18446744073709551616]',
  ],
  'safetensors/huge-rank.safetensors': ['format.limit', 'a: too many dimensions – 5000, wanted at most 64'],
  'safetensors/huge-shape.safetensors': ['format.safetensors', 'a: shape product overflows – [4294967296, 4294967296]'],
  'safetensors/metadata-not-strings.safetensors': ['format.safetensors', '__metadata__: must be an object of strings'],
  'safetensors/negative-offset.safetensors': ['format.safetensors', 'a: data_offsets must be [begin, end] – [-24, 0]'],
  'safetensors/negative-shape.safetensors': ['format.safetensors', 'a: shape must be an array of counts – [-2, -3]'],
  'safetensors/not-json.safetensors': ['format.safetensors', 'header:1:1: not a JSON value'],
  'safetensors/not-object.safetensors': ['format.safetensors', 'header is not a JSON object'],
  'safetensors/not-utf8.safetensors': ['format.safetensors', 'header: not UTF-8 text'],
  'safetensors/ok-empty-tensor.safetensors': { read: [] },
  'safetensors/ok-padded-header.safetensors': { read: [0, 0, 0, 0, 0, 0] },
  'safetensors/ok.safetensors': { read: [0, 1, 2, 3, 4, 5] },
  'safetensors/overlap.safetensors': ['format.safetensors', 'b: tensors overlap – offset 4, wanted 8'],
  'safetensors/past-end.safetensors': ['format.safetensors', 'a: tensor ends past the file – 4000, wanted at most 24'],
  'safetensors/proto-key.safetensors': { read: [0] },
  'safetensors/reversed-offsets.safetensors': ['format.safetensors', 'a: data_offsets must be [begin, end] – [24, 0]'],
  'safetensors/seven-bytes.safetensors': ['format.safetensors', 'file is too short for a header – 7 bytes'],
  'safetensors/size-mismatch.safetensors': [
    'format.safetensors',
    'a: shape does not match bytes – 24 bytes, wanted 32 for F32 [2, 4]',
  ],
  'safetensors/trailing-bytes.safetensors': ['format.safetensors', 'bytes after the last tensor – 29, wanted 24'],
  'safetensors/truncated.safetensors': ['format.safetensors', 'a: tensor ends past the file – 24, wanted at most 19'],
  'safetensors/unknown-dtype.safetensors': ['tensor.dtype', 'a: unknown dtype – F31'],
  'safetensors/wrong-types.safetensors': ['tensor.dtype', 'a: unknown dtype – 5'],
  'safetensors/zero-length.safetensors': ['format.safetensors', 'file is too short for a header – 0 bytes'],
  'pickle/big-int-memo.bin': ['format.pickle', 'holds no tensors – None'],
  'pickle/binunicode8.bin': [
    'format.pickle',
    'byte 57: value runs past the end – 4611686018427387904, wanted at most 4 bytes',
  ],
  'pickle/build-setstate.bin': ['format.pickle', 'byte 109: global is not on the list – os.system'],
  'pickle/builtins-eval.bin': ['format.pickle', 'byte 71: global is not on the list – builtins.eval'],
  'pickle/dotted-name.bin': ['format.pickle', 'byte 76: global is not on the list – torch.serialization.load'],
  'pickle/ext-opcode.bin': ['format.pickle', 'byte 49: opcode is not on the list – 0x82'],
  'pickle/inst-opcode.bin': ['format.pickle', 'byte 79: global is not on the list – posix.system'],
  'pickle/long-string-length.bin': [
    'format.pickle',
    'byte 53: value runs past the end – 2147483647, wanted at most 4 bytes',
  ],
  'pickle/memo-bomb.bin': ['format.pickle', 'holds no tensors – list'],
  'pickle/nested-marks.bin': ['format.pickle', 'byte 100049: stack is empty'],
  'pickle/nested-tuples.bin': ['format.pickle', 'holds no tensors – tuple'],
  'pickle/newobj.bin': ['format.pickle', 'byte 66: global is not on the list – subprocess.Popen'],
  'pickle/no-stop.bin': ['format.pickle', 'byte 49: pickle ends inside a value'],
  'pickle/not-on-list.bin': ['format.pickle', 'byte 228: global is not on the list – numpy.random.rand'],
  'pickle/obj-opcode.bin': ['format.pickle', 'byte 63: global is not on the list – posix.system'],
  'pickle/ok.bin': { read: [0, 1, 2, 3, 4, 5] },
  'pickle/os-system-legacy.pkl': ['format.pickle', 'byte 16: global is not on the list – posix.system'],
  'pickle/os-system-magic-legacy.bin': ['format.pickle', 'byte 119: global is not on the list – posix.system'],
  'pickle/os-system.bin': ['format.pickle', 'byte 220: global is not on the list – os.system'],
  'pickle/persistent-id-odd.bin': ['format.pickle', 'byte 79: persistent id is not a storage – string'],
  'pickle/prefix-lookalike.bin': [
    'format.pickle',
    'byte 94: global is not on the list – torch._utils._rebuild_tensor_v2_evil',
  ],
  'pickle/self-reference.bin': ['format.pickle', 'holds no tensors – dict'],
  'pickle/stack-global.bin': ['format.pickle', 'byte 64: global is not on the list – posix.system'],
  'pickle/stack-underflow.bin': ['format.pickle', 'byte 49: stack is empty'],
  'pickle/storage-key-traversal.bin': [
    'format.pickle',
    'storage ../../../../etc/passwd: storage is not in the archive',
  ],
  'pickle/storage-missing.bin': ['format.pickle', 'storage 7: storage is not in the archive'],
  'pickle/storage-size-lies.bin': ['format.pickle', 'storage 0: storage is shorter than declared – 24, wanted 2400'],
  'pickle/stride-zero-bomb.bin': [
    'format.limit',
    'a: expanded view is too large – 40000000000 bytes, wanted at most 67108864',
  ],
  'pickle/tensor-negative-offset.bin': ['format.pickle', 'byte 203: storage offset is not a count – -1'],
  'pickle/tensor-negative-stride.bin': [
    'format.pickle',
    'byte 203: size and stride are not counts, one of each a dimension',
  ],
  'pickle/tensor-past-storage.bin': [
    'tensor.shape',
    'a: tensor reaches past its stored bytes – 240000 bytes, wanted at most 24',
  ],
  'pickle/truncated.bin': ['format.zip', 'no central directory'],
  'pickle/zero-length.bin': ['format.pickle', 'file is empty'],
  'zip/bomb-50mb.bin': ['format.zip', 'archive/data.pkl: compressed entry in a torch archive'],
  'zip/bomb-50mb.npz': [
    'format.limit',
    'a.npy: entry grows too much when inflated – 52428800, wanted at most 16777216 bytes',
  ],
  'zip/count-lies.bin': ['format.zip', 'end record of an archive in several parts – {"disk":0,"here":4,"count":65000}'],
  'zip/duplicate-entries.bin': ['format.zip', 'archive/data.pkl: two entries have this name'],
  'zip/offset-lies.bin': [
    'format.zip',
    'archive/version: entry runs past the file or into the next – {"offset":326,"size":2}, wanted end before 373',
  ],
  'zip/path-traversal.bin': { read: [0, 1, 2, 3, 4, 5] },
  'zip/size-lies.bin': [
    'format.zip',
    'archive/data.pkl: entry runs past the file or into the next – {"offset":0,"size":2147483632}, wanted end before 205',
  ],
  'npy/header-code.npy': ['format.npy', 'header: not a header'],
  'npy/huge-shape.npy': ['format.npy', 'fewer bytes than the shape needs – 0, wanted 73786976294838206464'],
  'npy/object-array.npy': ['tensor.dtype', 'only arrays of numbers are read – |O'],
  'npy/ok.npy': { read: [0, 1, 2, 3, 4, 5] },
  'npy/short.npy': ['format.npy', 'fewer bytes than the shape needs – 24, wanted 240000'],
}

/** Every index of shards. */
export const hostileIndexes: Readonly<Record<string, Refusal>> = {
  'index/etc-passwd/model.safetensors.index.json': [
    'file.outside',
    'weight_map: shard is not a file inside the folder – ../../etc/passwd',
  ],
  'index/absolute/model.safetensors.index.json': [
    'file.outside',
    'weight_map: shard is not a file inside the folder – /etc/passwd',
  ],
  'index/url/model.safetensors.index.json': [
    'file.outside',
    'weight_map: shard is not a file inside the folder – http://127.0.0.1:9/x.safetensors',
  ],
  'index/missing-shard/model.safetensors.index.json': [
    'file.missing',
    'shard model-00001-of-00002.safetensors is not there',
  ],
  'index/tensor-not-in-shard/model.safetensors.index.json': ['tensor.missing', 'shard x.safetensors has no tensor zz'],
  'index/wrong-types/model.safetensors.index.json': [
    'format.json',
    'weight_map must be an object of shard names – an array',
  ],
}
