/**
 * Where a graph's tensors lie: in files, as they are; or read and widened, or made into integers, and then in memory or
 * in a file that the caller makes of them.
 */
import { elementCount, fault, type TensorLocation, type TensorSource } from '#core'
import type { InitializerMessage } from '#platform/onnx'
import type { Graph, GraphOptions } from './request.ts'
import { quantizeWeight, type QuantizedWeight } from './integer-weights.ts'
import type { GraphPlan } from './plan.ts'
import { engineTypes, type QuantizedTensor } from './weights.ts'

export interface PlacedTensors extends Pick<Graph, 'externals' | 'inline'> {
  readonly initializers: readonly InitializerMessage[]
}

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

  // Bytes and scales of one tensor are made together and stand one behind the other.
  let last: { tensor: string; made: QuantizedWeight } | undefined
  const quantized = async ({ tensor, part, weight, form }: QuantizedTensor): Promise<Uint8Array> => {
    if (last?.tensor !== tensor) last = { tensor, made: quantizeWeight(await values(tensor), weight, form) }
    const { bytes, scales } = last.made
    return part === 'bytes' ? bytes : bytesOf(scales)
  }

  const place = async ({ name, type, dims }: InitializerMessage): Promise<InitializerMessage['data']> => {
    const made = planned.quantized.get(name)
    if (made !== undefined) return keep(await quantized(made))
    const dtype = tensors.info(name)?.dtype
    const isReadable = dtype !== undefined && engineTypes[dtype] !== undefined
    const range = isReadable ? tensors.locate(name) : undefined
    if (range !== undefined) return inFile(range)
    return keep(
      isReadable ? await tensors.read(name) : bytesOf(await values(name)),
      elementCount(dims) * (type === 'float32' ? 4 : 2),
    )
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
  for (const one of planned.initializers)
    initializers.push(one.data instanceof Uint8Array ? one : { ...one, data: await place(one) })
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
