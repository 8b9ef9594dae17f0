/** Where a graph's tensors lie: in files, as they are, or in memory, read and widened. */
import { elementCount, fault, type TensorSource } from '#core'
import type { InitializerMessage } from '#platform/onnx'
import type { Graph, GraphOptions } from './request.ts'
import { engineTypes } from './weights.ts'

export interface PlacedTensors extends Pick<Graph, 'externals' | 'inline'> {
  readonly initializers: readonly InitializerMessage[]
}

/** Gives every tensor among the constants its location, and reads what lies in no file. Throws `tensor.dtype` for types that need `readFloat32`. */
export async function placeTensors(planned: readonly InitializerMessage[], tensors: TensorSource, { readFloat32 }: GraphOptions): Promise<PlacedTensors> {
  const files = new Map<string, string>()
  const inline: { location: string; data: Uint8Array }[] = []

  const place = async ({ name, type, dims }: InitializerMessage): Promise<InitializerMessage['data']> => {
    const dtype = tensors.info(name)?.dtype
    const isReadable = dtype !== undefined && engineTypes[dtype] !== undefined
    const range = isReadable ? tensors.locate(name) : undefined
    if (range !== undefined) {
      const location = files.get(range.path) ?? `weights-${files.size}.bin`
      files.set(range.path, location)
      return { location, offset: range.offset, byteLength: range.byteLength }
    }
    const location = `inline-${inline.length}.bin`
    inline.push({ location, data: isReadable ? await tensors.read(name) : await widened(name) })
    return { location, offset: 0, byteLength: elementCount(dims) * (type === 'float32' ? 4 : 2) }
  }

  const initializers: InitializerMessage[] = []
  for (const one of planned) initializers.push(one.data instanceof Uint8Array ? one : { ...one, data: await place(one) })
  return { initializers, externals: [...files].map(([path, location]) => ({ location, path })), inline }

  async function widened(name: string): Promise<Uint8Array> {
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
