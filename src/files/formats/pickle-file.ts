/** A file that is one pickle (numpy arrays), or torch.save's stream of pickles and raw storages from before 1.6. */
import { dtypeBytes, fault, type TensorSource } from '#core'
import type { ByteFile } from './byte-file.ts'
import { arrayView, namedTensors, numberView } from './named-tensors.ts'
import { numpyGlobals } from './numpy-globals.ts'
import { pickleInput, type PickleInput } from './pickle-input.ts'
import { isCount, kindOf, ofKind, textOf, type Pickled, type PickledStorage } from './pickle-values.ts'
import { tensorView, type TensorView } from './tensor-view.ts'
import { storageReference, torchGlobals } from './torch-globals.ts'
import { unpickle, type PickleRules } from './unpickle.ts'
import { fileRegion, viewSource } from './view-source.ts'

/** Faults: `format.pickle`, `tensor.shape`, `tensor.dtype`. */
export async function openPickle(file: ByteFile): Promise<TensorSource> {
  const input = pickleInput(file, 0, file.size)
  const first = await unpickle(input, { globals: numpyGlobals })
  return viewSource(file, first === TORCH_MAGIC ? await legacyViews(file, input) : numpyViews(file, input, first))
}

/** The number that opens torch's older streams, and the version after it. */
const TORCH_MAGIC = 0x1950a86a20f9469cfc6cn
const TORCH_PROTOCOL = 1001

/** An array, or a dict of arrays and numbers; text in the dict is passed over. */
function numpyViews(file: ByteFile, input: PickleInput, root: Pickled): TensorView[] {
  if (input.position() !== file.size) throw input.fail('bytes after the pickle')
  const dict = ofKind(root, 'dict')
  if (!dict) return namedTensors(root, file.path).map(([name, value]) => viewOf(file, name, value))
  const views: TensorView[] = []
  for (const [name, value] of dict.entries) {
    if (typeof name !== 'string') continue
    const view = ofKind(value, 'array') ? viewOf(file, name, value) : numberView(name, value, file.path)
    if (view) views.push(view)
  }
  if (views.length === 0)
    throw fault('format.pickle', {
      place: file.path,
      what: 'holds no arrays',
      wanted: 'a numpy array, or a dict of them',
    })
  return views
}

function viewOf(file: ByteFile, name: string, value: Pickled): TensorView {
  const array = ofKind(value, 'array')
  if (!array)
    throw fault('format.pickle', { place: `${file.path}: ${name}`, what: 'not a numpy array', seen: kindOf(value) })
  return arrayView(name, array, file.path)
}

/**
 * magic, version, system, the object, the storages' keys, then every storage: count (i64) and bytes, in the order of
 * the keys.
 */
async function legacyViews(file: ByteFile, input: PickleInput): Promise<TensorView[]> {
  const plain: PickleRules = { globals: torchGlobals }
  const version = await unpickle(input, plain)
  if (version !== TORCH_PROTOCOL) throw input.fail('unknown version of the torch stream', version, TORCH_PROTOCOL)
  const system = ofKind(await unpickle(input, plain), 'dict')
  if (system?.entries.get('little_endian') !== true) throw input.fail('torch stream is not little-endian')
  const declared = new Map<string, PickledStorage>()
  const root = await unpickle(input, {
    globals: torchGlobals,
    persistent(id, scene) {
      const storage = storageReference(id, scene)
      const before = declared.get(storage.key)
      if (before && (before.dtype !== storage.dtype || before.count !== storage.count))
        throw scene.fail('one storage, declared in two ways', storage.key)
      declared.set(storage.key, storage)
      return storage
    },
  })
  const keys = ofKind(await unpickle(input, plain), 'list')?.items
  if (!keys) throw input.fail('list of storages is missing')
  const offsets = await legacyOffsets(file, input, keys, declared)
  return namedTensors(root, file.path).map(([name, value]) => {
    if (value.kind === 'array') return arrayView(name, value, file.path)
    const { storage, dtype, start, shape, strides } = value
    const offset = offsets.get(storage.key)
    if (offset === undefined)
      throw fault('format.pickle', {
        place: `${file.path}: storage ${storage.key}`,
        what: 'storage is not in the file',
      })
    const size = dtypeBytes(storage.dtype)
    const region = fileRegion(file, offset + storage.start * size, (storage.count - storage.start) * size)
    return tensorView({ name, dtype, shape, strides, start, region }, file.path)
  })
}

/** File offset of every storage's first element. */
async function legacyOffsets(
  file: ByteFile,
  input: PickleInput,
  keys: readonly Pickled[],
  declared: ReadonlyMap<string, PickledStorage>,
): Promise<Map<string, number>> {
  const offsets = new Map<string, number>()
  for (const key of keys) {
    const name = textOf(key)
    const storage = name === undefined ? undefined : declared.get(name)
    if (name === undefined || !storage || offsets.has(name))
      throw input.fail('storage that nothing refers to', name ?? kindOf(key))
    await input.refill()
    const count = Number(input.u64())
    if (!isCount(count) || count !== storage.count)
      throw input.fail('storage of another size than declared', count, storage.count)
    offsets.set(name, input.position())
    input.skip(count * dtypeBytes(storage.dtype))
  }
  if (input.position() !== file.size) throw input.fail('bytes after the last storage')
  return offsets
}
