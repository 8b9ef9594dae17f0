/** Float32 tensors in memory as a source. */
import { fault, sha256, type TensorInfo, type TensorSource } from '#core'

export type MemoryTensors = Readonly<Record<string, { shape: readonly number[]; values: readonly number[] }>>

export function memorySource(name: string, tensors: MemoryTensors): TensorSource {
  const info = (tensor: string): TensorInfo | undefined => {
    const found = tensors[tensor]
    return found && { name: tensor, dtype: 'F32', shape: found.shape, byteLength: found.values.length * 4 }
  }
  return {
    name,
    names: () => Object.keys(tensors),
    info,
    async read(tensor) {
      const found = tensors[tensor]
      if (!found) throw fault('tensor.missing', { place: name, what: tensor })
      return new Uint8Array(Float32Array.from(found.values).buffer)
    },
    locate: (tensor) => (tensors[tensor] ? { path: name, offset: 0, byteLength: 1 } : undefined),
    identity: async () => sha256(JSON.stringify(tensors)),
    close: async () => undefined,
  }
}
