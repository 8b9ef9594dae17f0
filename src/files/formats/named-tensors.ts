/** Which of the values in a pickle are tensors, and how they are called. */
import { fault, type Dtype } from '#core'
import {
  kindOf,
  ofKind,
  type Pickled,
  type PickledArray,
  type PickledDict,
  type PickledTensor,
} from './pickle-values.ts'
import { columnMajor, tensorView, type Region, type TensorView } from './tensor-view.ts'
import { memoryRegion } from './view-source.ts'

export type NamedTensor = readonly [name: string, value: PickledTensor | PickledArray]

/** Keys under which training programs keep the state dict; the first that holds tensors counts. */
const wrappers = ['state_dict', 'model_state_dict', 'model', 'module']
/** `{model: {state_dict: …}}`, and not much more. */
const DEEPEST_WRAPPER = 3

/**
 * The tensors of a state dict, of a dict that keeps one, or a single one, then named `array`. Other values (versions,
 * optimiser state) are passed over.
 * Faults: `format.pickle` if there is none.
 */
export function namedTensors(root: Pickled, place: string): NamedTensor[] {
  const single = ofKind(root, 'tensor') ?? ofKind(root, 'array')
  if (single) return [['array', single]]
  const dict = ofKind(root, 'dict')
  const found = dict && stateDict(dict, 0, place)
  if (!found)
    throw fault('format.pickle', {
      place,
      what: 'holds no tensors',
      seen: kindOf(root),
      wanted: 'a dict of names and tensors',
    })
  return found
}

function stateDict({ entries }: PickledDict, depth: number, place: string): NamedTensor[] | undefined {
  const own: NamedTensor[] = []
  for (const [key, value] of entries) {
    const tensor = ofKind(value, 'tensor') ?? ofKind(value, 'array')
    if (!tensor) continue
    if (typeof key !== 'string')
      throw fault('format.pickle', { place, what: 'a tensor whose key is not a string', seen: kindOf(key) })
    own.push([key, tensor])
  }
  if (own.length > 0) return own
  for (const key of depth < DEEPEST_WRAPPER ? wrappers : []) {
    const inner = ofKind(entries.get(key), 'dict')
    const found = inner && stateDict(inner, depth + 1, place)
    if (found) return found
  }
  return undefined
}

/** A numpy array as a view of its bytes. */
export function arrayView(name: string, { content }: PickledArray, place: string): TensorView {
  if (!content) throw fault('format.pickle', { place: `${place}: ${name}`, what: 'array without a state' })
  const { dtype, shape, fortran, bytes } = content
  if (dtype.dtype === undefined)
    throw fault('tensor.dtype', {
      place: `${place}: ${name}`,
      what: 'only arrays of numbers are read',
      seen: dtype.code,
    })
  const view = tensorView(
    {
      name,
      dtype: dtype.dtype,
      shape,
      region: bytes.region,
      bigEndian: dtype.bigEndian,
      ...(fortran ? { strides: columnMajor(shape) } : {}),
    },
    place,
  )
  if (view.info.byteLength !== bytes.region.byteLength) {
    throw fault('format.pickle', {
      place: `${place}: ${name}`,
      what: 'the size of the array does not match its bytes',
      seen: bytes.region.byteLength,
      wanted: view.info.byteLength,
    })
  }
  return view
}

/** A plain number as a tensor of no dimensions; undefined for other values. */
export function numberView(name: string, value: Pickled, place: string): TensorView | undefined {
  const float = ofKind(value, 'float')
  if (float) return scalarView(name, 'F64', new Uint8Array(Float64Array.of(float.value).buffer), place)
  if (typeof value === 'number')
    return scalarView(name, 'I64', new Uint8Array(BigInt64Array.of(BigInt(value)).buffer), place)
  return undefined
}

function scalarView(name: string, dtype: Dtype, bytes: Uint8Array, place: string): TensorView {
  const region: Region = memoryRegion(bytes)
  return tensorView({ name, dtype, shape: [], region }, place)
}
