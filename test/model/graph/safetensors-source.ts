/** A TensorSource over one safetensors file, or over arrays in memory: as much as the graph's tests need. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Dtype, TensorInfo, TensorSource } from '#core'

export interface FileTensor extends TensorInfo {
  readonly offset: number
  readonly bytes: Uint8Array
}

/** Every tensor of a safetensors file. */
export function readSafetensors(path: string): ReadonlyMap<string, FileTensor> {
  const file = readFileSync(path)
  const headerLength = Number(file.readBigUInt64LE(0))
  const header = JSON.parse(file.toString('utf8', 8, 8 + headerLength)) as Record<
    string,
    { dtype: Dtype; shape: number[]; data_offsets: [number, number] }
  >
  const start = 8 + headerLength
  return new Map(
    Object.entries(header)
      .filter(([name]) => name !== '__metadata__')
      .map(
        ([
          name,
          {
            dtype,
            shape,
            data_offsets: [from, to],
          },
        ]) => [
          name,
          {
            name,
            dtype,
            shape,
            byteLength: to - from,
            offset: start + from,
            bytes: new Uint8Array(file.subarray(start + from, start + to)),
          },
        ],
      ),
  )
}

export function fileSource(path: string): TensorSource {
  const tensors = readSafetensors(path)
  return source(path, tensors, (name) => {
    const tensor = tensors.get(name)
    return tensor === undefined ? undefined : { path, offset: tensor.offset, byteLength: tensor.byteLength }
  })
}

export interface Values {
  readonly shape: readonly number[]
  readonly data: Float32Array
}

/** Float32 tensors that lie in no file. */
export function memorySource(values: Readonly<Record<string, Values>>): TensorSource {
  const tensors = new Map(
    Object.entries(values).map(([name, { shape, data }]) => [
      name,
      {
        name,
        dtype: 'F32' as const,
        shape,
        byteLength: data.byteLength,
        offset: 0,
        bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
      },
    ]),
  )
  return source('memory', tensors, () => undefined)
}

/** A source seen through other names or with fewer tensors. */
export function renamed(inner: TensorSource, rename: (name: string) => string | undefined): TensorSource {
  const names = new Map(
    inner.names().flatMap((name) => (rename(name) === undefined ? [] : [[rename(name) ?? '', name] as const])),
  )
  const original = (name: string): string => names.get(name) ?? ''
  return {
    ...inner,
    names: () => [...names.keys()],
    info(name) {
      const info = inner.info(original(name))
      return info === undefined ? undefined : { ...info, name }
    },
    read: (name) => inner.read(original(name)),
    locate: (name) => inner.locate(original(name)),
  }
}

function source(name: string, tensors: ReadonlyMap<string, FileTensor>, locate: TensorSource['locate']): TensorSource {
  return {
    name,
    names: () => [...tensors.keys()],
    info: (tensor) => tensors.get(tensor),
    locate,
    read: (tensor) => Promise.resolve(tensors.get(tensor)?.bytes ?? new Uint8Array()),
    identity: () => Promise.resolve(createHash('sha256').update(name).digest('hex')),
    close: () => Promise.resolve(),
  }
}
