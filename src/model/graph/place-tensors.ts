/**
 * Where a graph's tensors lie: in files, as they are; or read and widened, or made into integers, and then in memory or
 * in a file that the caller makes of them.
 */
import { elementCount, fault, type TensorLocation, type TensorSource } from '#core'
import type { InitializerMessage } from '#platform/onnx'
import type { Graph, GraphOptions } from './request.ts'
import { quantizeWeight, type QuantizedWeight } from './integer-weights.ts'
import type { GraphPlan } from './plan.ts'
import { bytesPerElement, engineTypes, type QuantizedTensor } from './weights.ts'

export interface PlacedTensors extends Pick<Graph, 'externals' | 'inline'> {
  readonly initializers: readonly InitializerMessage[]
}

/** A constant that lies under the name of its tensor, at an offset in it. */
type Unplaced = Omit<InitializerMessage, 'data'> & { readonly data: Exclude<InitializerMessage['data'], Uint8Array> }

/** Gate and up, down, and their biases. */
const mostParted = 4

/**
 * Gives every tensor among the constants its location, and reads those that lie in no file. Throws `tensor.dtype` for
 * types that need `readFloat32`.
 */
export async function placeTensors(
  planned: Pick<GraphPlan['builder'], 'initializers'> & Pick<GraphPlan, 'quantized'>,
  tensors: TensorSource,
  { readFloat32, putInFile }: GraphOptions,
): Promise<PlacedTensors> {
  const files = new Map<string, string>()
  const inline: { location: string; data: Uint8Array }[] = []

  // Tensors that hold several weights are asked for one after the other and in turn: the last few are kept.
  const parted = new Map<string, Promise<Uint8Array>>()
  const readParted = (tensor: string, read: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    const bytes = parted.get(tensor) ?? read()
    parted.delete(tensor)
    parted.set(tensor, bytes)
    for (const oldest of [...parted.keys()].slice(0, -mostParted)) parted.delete(oldest)
    return bytes
  }

  // Bytes and scales of one weight are made together and stand one behind the other.
  let last: { weight: string; made: QuantizedWeight } | undefined
  const quantized = async ({ tensor, part, weight, form, slice }: QuantizedTensor): Promise<Uint8Array> => {
    const key = `${tensor} ${slice?.index ?? 0}`
    if (last?.weight !== key) {
      const size = weight.in * weight.out
      const stored =
        slice === undefined
          ? await values(tensor)
          : floatsOf(await readParted(tensor, async () => bytesOf(await values(tensor)))).subarray(
              slice.index * size,
              (slice.index + 1) * size,
            )
      last = { weight: key, made: quantizeWeight(stored, weight, form) }
    }
    const { bytes, scales } = last.made
    return part === 'bytes' ? bytes : bytesOf(scales)
  }

  const place = async ({ name, type, dims, data }: Unplaced): Promise<InitializerMessage['data']> => {
    const made = planned.quantized.get(name)
    if (made !== undefined) return keep(await quantized(made))
    const { location: tensor, offset } = data
    const info = tensors.info(tensor)
    const isReadable = info !== undefined && engineTypes[info.dtype] !== undefined
    const range = isReadable ? tensors.locate(tensor) : undefined
    const byteLength = elementCount(dims) * bytesPerElement(type)
    if (range !== undefined) return inFile({ ...range, offset: range.offset + offset, byteLength })
    const read = async (): Promise<Uint8Array> => (isReadable ? tensors.read(tensor) : bytesOf(await values(tensor)))
    if (tensor === name) return keep(await read(), byteLength)
    return keep((await readParted(tensor, read)).subarray(offset, offset + byteLength), byteLength)
  }
  const inFile = ({ path, offset, byteLength }: TensorLocation): InitializerMessage['data'] => {
    const location = files.get(path) ?? `weights-${files.size}.bin`
    files.set(path, location)
    return { location, offset, byteLength }
  }
  const keep = async (data: Uint8Array, byteLength = data.byteLength): Promise<InitializerMessage['data']> => {
    const range = await putInFile?.(data)
    if (range !== undefined) return inFile({ ...range, byteLength })
    const location = `inline-${inline.length}.bin`
    inline.push({ location, data })
    return { location, offset: 0, byteLength }
  }

  const initializers: InitializerMessage[] = []
  for (const one of planned.initializers) {
    const { data } = one
    initializers.push(data instanceof Uint8Array ? one : { ...one, data: await place({ ...one, data }) })
  }
  return { initializers, externals: [...files].map(([path, location]) => ({ location, path })), inline }

  async function values(name: string): Promise<Float32Array> {
    if (readFloat32 === undefined) {
      throw fault('tensor.dtype', {
        place: `${tensors.name} › ${name}`,
        what: 'has a type the engine cannot read',
        seen: tensors.info(name)?.dtype,
        wanted: Object.keys(engineTypes).join(', '),
      })
    }
    return readFloat32(name)
  }
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}

function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
}
