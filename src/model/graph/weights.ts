/**
 * Tensors as constants of the graph: found by name and shape. Where they lie is asked when the graph is written
 * (`placeTensors`).
 */
import { elementCount, fault, type Dtype, type TensorInfo, type TensorSource } from '#core'
import type { ModelSpec, Part, Place, Slot } from '#model/architectures'
import type { ElementType } from '#platform/onnx'
import type { Builder, Value } from './builder.ts'
import type { IntegerWeight } from './integer-product.ts'
import type { IntegerWeights, StoredWeight } from './integer-weights.ts'
import { resolveNames } from './names.ts'

export interface Weights {
  /** Whether the source has the slot's weight. */
  has(slot: Slot, place?: Place): boolean
  /** A tensor of exactly these dims as float32. */
  tensor(slot: Slot, dims: readonly number[], place?: Place, part?: Part): Value
  /**
   * One of the equal parts that a tensor holds along its first axis, each of these dims: [of × dims], or the parts one
   * below the other.
   */
  slice(slot: Slot, dims: readonly number[], part: Slice, place?: Place): Value
  /** A table to gather rows from, in the type it is stored in: gathered rows are widened, not the table. */
  rows(slot: Slot, dims: readonly number[], ids: Value, place?: Place): Value
  /** A weight as bytes with a scale for each channel, made when the graph is written. */
  integers(slot: Slot, weight: StoredWeight, place: Place, form: IntegerWeights, slice?: Slice): IntegerWeight
  /** Tensors to be made, by the name of the constant: bytes or scales. */
  readonly quantized: ReadonlyMap<string, QuantizedTensor>
  /** Shape of the slot's weight, if it is there. */
  shape(slot: Slot, place?: Place): readonly number[] | undefined
  /** Tensors used so far, in the order of their first use. */
  readonly used: ReadonlyMap<string, UsedTensor>
  /** Tensors the family has no place for, as `Names` tells them apart. */
  unused(part: 'own' | 'other-towers'): readonly string[]
  /** Throws `tensor.missing` or `tensor.shape` for whatever did not fit. */
  check(): void
}

/**
 * How a tensor is in memory: as stored, for gathering rows, as float32, as bytes, or more than one of these (a
 * half-precision table that also is the head).
 */
export interface UsedTensor {
  readonly info: TensorInfo
  readonly stored: boolean
  readonly widened: boolean
  readonly quantized: boolean
}

/** Part `index` of `of` equal ones. */
export interface Slice {
  readonly index: number
  readonly of: number
}

/** A constant that is made from a tensor, or from one part of it. */
export interface QuantizedTensor {
  readonly tensor: string
  readonly part: 'bytes' | 'scales'
  readonly weight: StoredWeight
  readonly form: IntegerWeights
  readonly slice: Slice | undefined
}

/** Types the engine reads as they are; every other one is widened by the caller's `readFloat32`. */
export const engineTypes: Partial<Record<Dtype, ElementType>> = { F32: 'float32', F16: 'float16', BF16: 'bfloat16' }

export function createWeights(builder: Builder, spec: ModelSpec, tensors: TensorSource): Weights {
  const names = resolveNames(spec.tensors, tensors)
  const constant = createConstants(builder)
  const widened = new Map<string, Value>()
  const used = new Map<string, UsedTensor>()
  const quantized = new Map<string, QuantizedTensor>()
  const missing: string[] = []
  const misshapen: Misshapen[] = []

  const find = (slot: Slot, dims: readonly number[], place: Place, part: Part): TensorInfo | undefined => {
    const name = names.find(slot, place, part)
    const info = name === undefined ? undefined : tensors.info(name)
    if (info === undefined) {
      missing.push(names.usual(slot, place, part))
      // A config that asks for layers by the thousand is not wired to its end.
      if (missing.length >= mostMissing) throw missingFault(missing, tensors, names.prefix)
      return undefined
    }
    if (!sameDims(info.shape, dims)) {
      misshapen.push({ name: info.name, seen: info.shape, wanted: dims })
      return undefined
    }
    return info
  }

  const storedShape = (slot: Slot, place: Place): readonly number[] | undefined => {
    const name = names.find(slot, place, 'weight')
    return name === undefined ? undefined : tensors.info(name)?.shape
  }
  const use = (info: TensorInfo, way: 'stored' | 'widened' | 'quantized'): void => {
    const known = used.get(info.name) ?? { info, stored: false, widened: false, quantized: false }
    // Float32 is one and the same as stored.
    used.set(info.name, { ...known, [way === 'widened' && info.dtype === 'F32' ? 'stored' : way]: true })
  }

  const widen = (info: TensorInfo, dims?: readonly number[], part?: Slice): Value => {
    const { value, type } = constant(info, dims, part)
    const wide = widened.get(value) ?? (type === 'float32' ? value : builder.cast(value, 'float32'))
    widened.set(value, wide)
    use(info, 'widened')
    return wide
  }

  return {
    used,
    quantized,
    unused: (part) => names.unused(part),
    has: (slot, place = {}) => names.find(slot, place, 'weight') !== undefined,
    shape: (slot, place = {}) => storedShape(slot, place),
    tensor(slot, dims, place = {}, part = 'weight') {
      const info = find(slot, dims, place, part)
      return info === undefined ? absent : widen(info)
    },
    slice(slot, dims, part, place = {}) {
      const info = find(slot, stackedDims(storedShape(slot, place), dims, part), place, 'weight')
      return info === undefined ? absent : widen(info, dims, part)
    },
    rows(slot, dims, ids, place = {}) {
      const info = find(slot, dims, place, 'weight')
      if (info === undefined) return absent
      const { value, type } = constant(info)
      use(info, 'stored')
      const rows = builder.node('Gather', [value, ids])
      return type === 'float32' ? rows : builder.cast(rows, 'float32')
    },
    integers(slot, weight, place, form, slice) {
      const dims = weight.layout === 'out-in' ? [weight.out, weight.in] : [weight.in, weight.out]
      const stored = slice === undefined ? dims : stackedDims(storedShape(slot, place), dims, slice)
      const info = find(slot, stored, place, 'weight')
      if (info === undefined) return { bytes: absent, scales: absent }
      use(info, 'quantized')
      return integerConstants({ builder, quantized }, { tensor: info.name, weight, form, slice })
    },
    check() {
      if (missing.length > 0) throw missingFault(missing, tensors, names.prefix)
      checkShapes(misshapen, tensors)
    },
  }
}

interface Constant {
  readonly value: Value
  readonly type: ElementType
}

/** Tensors, or parts of them with dims of their own, as constants: each once. */
function createConstants(builder: Builder): (info: TensorInfo, dims?: readonly number[], part?: Slice) => Constant {
  const constants = new Map<string, Constant>()
  return (info, dims = info.shape, { index } = whole) => {
    const name = dims === info.shape ? info.name : partName(info.name, index)
    const known = constants.get(name)
    if (known !== undefined) return known
    const type = engineTypes[info.dtype] ?? 'float32'
    // Until it is placed, a tensor lies under its own name.
    const byteLength = dims === info.shape ? info.byteLength : elementCount(dims) * bytesPerElement(type)
    const data = { location: info.name, offset: index * byteLength, byteLength }
    const value = builder.initializer({ name, type, dims, data })
    const entry = { value, type }
    constants.set(name, entry)
    return entry
  }
}

/** The way in which parts lie in the file, one of two. */
function stackedDims(stored: readonly number[] | undefined, dims: readonly number[], { of }: Slice): readonly number[] {
  return stored?.length === dims.length ? [of * (dims[0] ?? 0), ...dims.slice(1)] : [of, ...dims]
}

/** Bytes and scales, made when they are placed. */
function integerConstants(
  { builder, quantized }: { readonly builder: Builder; readonly quantized: Map<string, QuantizedTensor> },
  made: Omit<QuantizedTensor, 'part'>,
): { bytes: Value; scales: Value } {
  const { weight, form, slice } = made
  const base = slice === undefined ? made.tensor : partName(made.tensor, slice.index)
  const put = (part: QuantizedTensor['part'], type: ElementType, dims: readonly number[]): Value => {
    const name = `${base} ${part}`
    if (quantized.has(name)) return name
    quantized.set(name, { ...made, part })
    return builder.initializer({ name, type, dims, data: { location: name, offset: 0, byteLength: 0 } })
  }
  return { bytes: put('bytes', form, [weight.in, weight.out]), scales: put('scales', 'float32', [weight.out]) }
}

const whole: Slice = { index: 0, of: 1 }

function partName(tensor: string, index: number): string {
  return `${tensor}[${index}]`
}

/** Bytes that a number of the engine's takes. */
export function bytesPerElement(type: ElementType): number {
  return type === 'float32' ? 4 : 2
}

interface Misshapen {
  readonly name: string
  readonly seen: readonly number[]
  readonly wanted: readonly number[]
}

function checkShapes(misshapen: readonly Misshapen[], tensors: TensorSource): void {
  const [first] = misshapen
  if (first === undefined) return
  throw fault('tensor.shape', {
    place: `${tensors.name} › ${first.name}`,
    what:
      misshapen.length === 1
        ? 'shape does not fit the config'
        : `shape does not fit the config, as do ${misshapen.length - 1} more`,
    seen: first.seen,
    wanted: first.wanted,
  })
}

/** Maximum number of missing tensors that a fault lists. */
const mostMissing = 500

/** Placeholder while the list of missing tensors is completed; never reaches a model. */
const absent: Value = 'absent'

function sameDims(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((size, axis) => size === b[axis])
}

/** Missing tensors by name; when there are many, what the file does hold explains a wrong family or prefix. */
function missingFault(missing: readonly string[], tensors: TensorSource, prefix: string): Error {
  const unique = [...new Set(missing)]
  const present = tensors.names()
  const sample = present.slice(0, 4).join(', ')
  return fault('tensor.missing', {
    place: tensors.name,
    what:
      unique.length === 1
        ? `has no tensor ${unique[0] ?? ''}`
        : `lacks ${unique.length}${missing.length >= mostMissing ? ' or more' : ''} tensors: ${unique.slice(0, 6).join(', ')}${unique.length > 6 ? ', …' : ''}`,
    hint: `the file holds ${present.length} tensors${sample === '' ? '' : `, as ${sample}`}; looked under prefix "${prefix}"${unique.length > 3 ? '; if the family is wrong, name it with --architecture' : ''}`,
  })
}
