/** Tensors given as base64, as a source, and the cases of golden/quantised.json. */
import { type Dtype, elementCount, fault, sha256, type TensorInfo, type TensorSource } from '#core'
import { goldenOf } from '../../golden-of.ts'

export interface StoredTensor {
  readonly dtype: Dtype
  readonly shape: readonly number[]
  /** Base64 of its bytes. */
  readonly data: string
}

export type StoredTensors = Readonly<Record<string, StoredTensor>>

export interface QuantisedCase {
  readonly config: Readonly<Record<string, unknown>>
  readonly stored: StoredTensors
  /** What the reference makes of them. */
  readonly plain: StoredTensors
}

export const quantisedCases = goldenOf<{ cases: Readonly<Record<string, QuantisedCase>> }>(
  'model/quantised',
  'quantised',
).cases

export function storedSource(tensors: StoredTensors): TensorSource {
  const names = Object.keys(tensors)
  const bytesOf = (name: string): Uint8Array => new Uint8Array(Buffer.from(tensors[name]!.data, 'base64'))
  const info = (name: string): TensorInfo | undefined => {
    const found = Object.hasOwn(tensors, name) ? tensors[name] : undefined
    return found && { name, dtype: found.dtype, shape: found.shape, byteLength: bytesOf(name).length }
  }
  return {
    name: 'made',
    names: () => names,
    info,
    async read(name) {
      if (info(name) === undefined) throw fault('tensor.missing', { place: 'made', what: name })
      return bytesOf(name)
    },
    locate: (name) => (info(name) === undefined ? undefined : { path: 'made', offset: 0, byteLength: 1 }),
    identity: async () => sha256(JSON.stringify(tensors)),
    close: async () => undefined,
  }
}

/** A tensor of numbers of one byte or four. */
export function tensorOf(dtype: 'F32' | 'I32' | 'U8' | 'I8', shape: readonly number[], value: number): StoredTensor {
  const arrays = { F32: Float32Array, I32: Int32Array, U8: Uint8Array, I8: Int8Array }
  const values = new arrays[dtype](elementCount(shape)).fill(value)
  return { dtype, shape, data: Buffer.from(values.buffer).toString('base64') }
}
