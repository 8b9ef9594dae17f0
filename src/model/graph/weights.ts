/** Tensors as constants of the graph, left where they lie. What cannot be located is read once the whole graph is known to fit. */
import { elementCount, fault, type Dtype, type TensorInfo, type TensorSource } from '#core'
import type { ModelSpec, Part, Place, Slot } from '#model/architectures'
import type { Builder, Value } from './builder.ts'
import { resolveNames } from './names.ts'
import type { ElementType } from './onnx.ts'
import type { GraphOptions } from './request.ts'

export interface Weights {
  /** Whether the source has the slot's weight. */
  has(slot: Slot, place?: Place): boolean
  /** A tensor of exactly these dims as float32. */
  tensor(slot: Slot, dims: readonly number[], place?: Place, part?: Part): Value
  /** A table to gather rows from, in the type it is stored in: gathered rows are widened, not the table. */
  rows(slot: Slot, dims: readonly number[], ids: Value): Value
  /** Shape of the slot's weight, if it is there. */
  shape(slot: Slot, place?: Place): readonly number[] | undefined
  /** Tensors used so far. */
  readonly used: ReadonlyMap<string, LoadedTensor>
  /** Tensors the family has no place for. */
  unused(): readonly string[]
  /** Throws `tensor.missing` or `tensor.shape` for whatever did not fit. */
  check(): void
  /** Reads what lies in no file. */
  collect(): Promise<{ externals: { location: string; path: string }[]; inline: { location: string; data: Uint8Array }[] }>
}

/** How a tensor is in memory: as stored, for gathering rows, or as float32, or both (a half-precision table that also is the head). */
export interface LoadedTensor {
  readonly info: TensorInfo
  readonly stored: boolean
  readonly widened: boolean
}

/** Types the engine reads as they are; every other one is widened by the caller's `readFloat32`. */
const engineTypes: Partial<Record<Dtype, ElementType>> = { F32: 'float32', F16: 'float16', BF16: 'bfloat16' }

export function createWeights(builder: Builder, spec: ModelSpec, tensors: TensorSource, { readFloat32 }: GraphOptions): Weights {
  const names = resolveNames(spec.tensors, tensors)
  const constants = new Map<string, { value: Value; type: ElementType }>()
  const widened = new Map<string, Value>()
  const used = new Map<string, LoadedTensor>()
  const locations = new Map<string, string>()
  const pending: { location: string; name: string; widen: boolean }[] = []
  const missing: string[] = []
  const misshapen: { name: string; seen: readonly number[]; wanted: readonly number[] }[] = []

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

  const constant = (info: TensorInfo): { value: Value; type: ElementType } => {
    const known = constants.get(info.name)
    if (known !== undefined) return known
    const type = engineTypes[info.dtype] ?? 'float32'
    const place = engineTypes[info.dtype] === undefined ? undefined : tensors.locate(info.name)
    const data =
      place === undefined
        ? { location: inlineLocation(info), offset: 0, byteLength: elementCount(info.shape) * (type === 'float32' ? 4 : 2) }
        : { location: fileLocation(place.path), offset: place.offset, byteLength: place.byteLength }
    const value = builder.initializer({ name: info.name, type, dims: info.shape, data })
    const entry = { value, type }
    constants.set(info.name, entry)
    return entry
  }
  const use = (info: TensorInfo, way: 'stored' | 'widened'): void => {
    const known = used.get(info.name) ?? { info, stored: false, widened: false }
    // Float32 is one and the same either way.
    used.set(info.name, { ...known, [info.dtype === 'F32' ? 'stored' : way]: true })
  }
  const fileLocation = (path: string): string => {
    const location = locations.get(path) ?? `weights-${locations.size}.bin`
    locations.set(path, location)
    return location
  }
  const inlineLocation = (info: TensorInfo): string => {
    const location = `inline-${pending.length}.bin`
    pending.push({ location, name: info.name, widen: engineTypes[info.dtype] === undefined })
    return location
  }

  return {
    used,
    unused: () => names.unused(),
    has: (slot, place = {}) => names.find(slot, place, 'weight') !== undefined,
    shape(slot, place = {}) {
      const name = names.find(slot, place, 'weight')
      return name === undefined ? undefined : tensors.info(name)?.shape
    },
    tensor(slot, dims, place = {}, part = 'weight') {
      const info = find(slot, dims, place, part)
      if (info === undefined) return absent
      const known = widened.get(info.name)
      if (known !== undefined) return known
      const { value, type } = constant(info)
      const wide = type === 'float32' ? value : builder.cast(value, 'float32')
      widened.set(info.name, wide)
      use(info, 'widened')
      return wide
    },
    rows(slot, dims, ids) {
      const info = find(slot, dims, {}, 'weight')
      if (info === undefined) return absent
      const { value, type } = constant(info)
      use(info, 'stored')
      const rows = builder.node('Gather', [value, ids])
      return type === 'float32' ? rows : builder.cast(rows, 'float32')
    },
    check() {
      if (missing.length > 0) throw missingFault(missing, tensors, names.prefix)
      const [first] = misshapen
      if (first !== undefined) {
        throw fault('tensor.shape', {
          place: `${tensors.name} › ${first.name}`,
          what: misshapen.length === 1 ? 'shape does not fit the config' : `shape does not fit the config, as do ${misshapen.length - 1} more`,
          seen: first.seen,
          wanted: first.wanted,
        })
      }
    },
    async collect() {
      const inline: { location: string; data: Uint8Array }[] = []
      for (const { location, name, widen } of pending) inline.push({ location, data: widen ? await widenBytes(name) : await tensors.read(name) })
      return { externals: [...locations].map(([path, location]) => ({ location, path })), inline }
    },
  }

  async function widenBytes(name: string): Promise<Uint8Array> {
    if (readFloat32 === undefined) {
      throw fault('tensor.dtype', {
        place: `${tensors.name} › ${name}`,
        what: 'has a type the engine cannot read',
        seen: tensors.info(name)?.dtype,
        wanted: Object.keys(engineTypes).join(', '),
      })
    }
    const values = await readFloat32(name)
    return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  }
}

/** Missing tensors that are enough to tell. */
const mostMissing = 500

/** Stands in while the list of what is missing is completed; never reaches a model. */
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
