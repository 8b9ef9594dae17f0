/** Tensors that no file holds: routers made from prompts, biases of zeros. */
import { dtypeBytes, elementCount, fault, fingerprint, sha256, type TensorInfo, type TensorSource } from '#core'

export interface MemoryTensor {
  readonly name: string
  readonly shape: readonly number[]
  /** Undefined: known only by its size so far. */
  readonly values: Float32Array | undefined
}

/** Float32 tensors in memory as a source. Reading one whose values are not there is a defect of the caller. */
export function memorySource(name: string, tensors: readonly MemoryTensor[]): TensorSource {
  const held = new Map(tensors.map((tensor) => [tensor.name, tensor]))
  const bytesOf = ({ name: tensor, values }: MemoryTensor): Uint8Array => {
    if (values === undefined)
      throw fault('internal', { place: `${name} › ${tensor}`, what: 'the tensor was planned and not made' })
    return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  }
  return {
    name,
    names: () => [...held.keys()],
    info(tensor): TensorInfo | undefined {
      const shape = held.get(tensor)?.shape
      return shape === undefined
        ? undefined
        : { name: tensor, dtype: 'F32', shape, byteLength: elementCount(shape) * dtypeBytes('F32') }
    },
    read(tensor) {
      const found = held.get(tensor)
      if (found === undefined)
        return Promise.reject(fault('tensor.missing', { place: name, what: `no tensor ${tensor}` }))
      return Promise.resolve(bytesOf(found).slice())
    },
    locate: () => undefined,
    identity: () =>
      Promise.resolve(
        fingerprint([...held.values()].map((tensor) => [tensor.name, tensor.shape, sha256(bytesOf(tensor))])),
      ),
    close: () => Promise.resolve(),
  }
}
