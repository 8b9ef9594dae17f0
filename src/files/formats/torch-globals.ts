/**
 * What torch.save writes into pickles: tensors, parameters, storages, element types (torch/_utils.py,
 * torch/serialization.py).
 */
import type { Dtype } from '#core'
import { named, numpyGlobals } from './numpy-globals.ts'
import {
  countsOf,
  isCount,
  kindOf,
  ofKind,
  textOf,
  type Pickled,
  type PickledGlobal,
  type PickledStorage,
  type PickledTensor,
  type Scene,
} from './pickle-values.ts'

const storageTypes: Record<string, Dtype> = {
  FloatStorage: 'F32',
  DoubleStorage: 'F64',
  HalfStorage: 'F16',
  BFloat16Storage: 'BF16',
  LongStorage: 'I64',
  IntStorage: 'I32',
  ShortStorage: 'I16',
  CharStorage: 'I8',
  ByteStorage: 'U8',
  BoolStorage: 'BOOL',
  UntypedStorage: 'U8',
}

const elementTypes: Record<string, Dtype> = {
  float32: 'F32',
  float: 'F32',
  float64: 'F64',
  double: 'F64',
  float16: 'F16',
  half: 'F16',
  bfloat16: 'BF16',
  int64: 'I64',
  long: 'I64',
  int32: 'I32',
  int: 'I32',
  int16: 'I16',
  short: 'I16',
  int8: 'I8',
  uint8: 'U8',
  uint16: 'U16',
  uint32: 'U32',
  uint64: 'U64',
  bool: 'BOOL',
  float8_e4m3fn: 'F8_E4M3',
  float8_e5m2: 'F8_E5M2',
}

export const torchGlobals: ReadonlyMap<string, PickledGlobal> = new Map([
  ...numpyGlobals,
  ...[
    named('torch._utils', '_rebuild_tensor', rebuildTensor),
    named('torch._utils', '_rebuild_tensor_v2', rebuildTensor),
    named('torch._utils', '_rebuild_tensor_v3', rebuildTensorOfType),
    named('torch._utils', '_rebuild_parameter', rebuildParameter),
    named('torch._utils', '_rebuild_parameter_with_state', rebuildParameter),
    named('torch._tensor', '_rebuild_from_type_v2', rebuildFromType),
    named('torch.nn.parameter', 'Parameter'),
    named('torch', 'Tensor'),
    named('torch', 'Size', size),
    named('torch', 'device', () => ({ kind: 'opaque' })),
    ...Object.entries(storageTypes).map(([name, dtype]) => ({ ...named('torch', name), dtype })),
    ...['UntypedStorage', '_UntypedStorage'].map((name) => ({ ...named('torch.storage', name), dtype: 'U8' as const })),
    ...Object.entries(elementTypes).map(([name, dtype]) => ({ ...named('torch', name), dtype })),
  ].map((global) => [global.key, global] as const),
])

/**
 * `('storage', type, key, location, count)`; older files add a view `(key, offset, size)` into that storage, or None.
 */
export function storageReference(id: Pickled, { fail }: Scene): PickledStorage {
  const [word, type, key, , count, view = null] = ofKind(id, 'tuple')?.items ?? []
  const [dtype, name] = [ofKind(type, 'global')?.dtype, textOf(key)]
  if (textOf(word) !== 'storage' || dtype === undefined || name === undefined || !isCount(count))
    throw fail('persistent id is not a storage', kindOf(id))
  if (view === null) return { kind: 'storage', key: name, dtype, count, start: 0 }
  const [, start, size] = ofKind(view, 'tuple')?.items ?? []
  if (!isCount(start) || !isCount(size) || start + size > count) throw fail('storage view reaches past its storage')
  return { kind: 'storage', key: name, dtype, count, start }
}

/** `(storage, offset, size, stride, requires_grad, backward_hooks, metadata)`. */
function rebuildTensor(args: readonly Pickled[], scene: Scene): PickledTensor {
  return tensorRecord(args, ofKind(args[0], 'storage')?.dtype, args[6], scene)
}

/** The same with the element type before the metadata: for types without a storage class of their own. */
function rebuildTensorOfType(args: readonly Pickled[], scene: Scene): PickledTensor {
  return tensorRecord(args, ofKind(args[6], 'global')?.dtype, args[7], scene)
}

function tensorRecord(
  [data, start, size, stride]: readonly Pickled[],
  dtype: Dtype | undefined,
  metadata: Pickled = null,
  { fail }: Scene,
): PickledTensor {
  const [storage, shape, strides] = [ofKind(data, 'storage'), countsOf(size), countsOf(stride)]
  if (!storage || dtype === undefined) throw fail('tensor without a storage')
  if (!isCount(start)) throw fail('storage offset is not a count', start)
  if (!shape || !strides || shape.length !== strides.length)
    throw fail('size and stride are not counts, one of each a dimension')
  // Bits such as `conj` and `neg` change what the stored numbers mean.
  if (metadata !== null && ofKind(metadata, 'dict')?.entries.size !== 0) throw fail('tensor with metadata')
  return { kind: 'tensor', storage, dtype, start, shape, strides }
}

/** `(tensor, requires_grad, backward_hooks[, state])`. */
function rebuildParameter([data]: readonly Pickled[], { fail }: Scene): PickledTensor {
  const tensor = ofKind(data, 'tensor')
  if (!tensor) throw fail('parameter without a tensor', kindOf(data))
  return tensor
}

/** `(function, type, arguments, state)`: tensors with Python attributes. Only the functions above may stand there. */
async function rebuildFromType([target, , args]: readonly Pickled[], scene: Scene): Promise<Pickled> {
  const call = ofKind(target, 'global')?.call
  const items = ofKind(args, 'tuple')?.items
  if (!items || (call !== rebuildTensor && call !== rebuildTensorOfType && call !== rebuildParameter))
    throw scene.fail('rebuilds something that is not a tensor')
  return call(items, scene)
}

/** `torch.Size((2, 3))` is that tuple. */
function size([items]: readonly Pickled[], { fail }: Scene): Pickled {
  const tuple = ofKind(items, 'tuple')
  if (!tuple) throw fail('Size needs a tuple', kindOf(items))
  return tuple
}
