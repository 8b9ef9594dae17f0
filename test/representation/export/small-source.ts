/** A few tensors in memory. */
import { dtypeBytes, elementCount, fingerprint, type TensorInfo, type TensorSource } from '#core'
import { missingTensor, narrow } from '#files/formats'

export interface SmallTensor extends Pick<TensorInfo, 'dtype' | 'shape'> {
  readonly values: readonly number[]
}

export function smallSource(tensors: Readonly<Record<string, SmallTensor>>): TensorSource {
  const bytesOf = ({ values, dtype }: SmallTensor): Uint8Array => narrow(Float32Array.from(values), dtype)
  return {
    name: 'small',
    names: () => Object.keys(tensors),
    info(name) {
      const found = tensors[name]
      return (
        found && {
          name,
          dtype: found.dtype,
          shape: found.shape,
          byteLength: elementCount(found.shape) * dtypeBytes(found.dtype),
        }
      )
    },
    async read(name) {
      const found = tensors[name]
      if (found === undefined) throw missingTensor('small', name)
      return Promise.resolve(bytesOf(found))
    },
    locate: (name) =>
      tensors[name] === undefined
        ? undefined
        : { path: '/small', offset: 0, byteLength: bytesOf(tensors[name]).length },
    identity: () => Promise.resolve(fingerprint(tensors)),
    close: () => Promise.resolve(),
  }
}
