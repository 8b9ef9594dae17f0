/** GGUF files built byte by byte. */

/** A value with ggml's number of its type. */
export type MadeValue =
  | { readonly u32: number }
  | { readonly f32: number }
  | { readonly bool: boolean }
  | { readonly text: string }
  | { readonly texts: readonly string[] }
  | { readonly ints: readonly number[] }
  | { readonly floats: readonly number[] }

export interface MadeTensor {
  readonly name: string
  /** In the order of rows and columns; the file has them the other way round. */
  readonly shape: readonly number[]
  readonly type: number
  readonly bytes: Uint8Array
  /** In place of the next free one. */
  readonly offset?: number
}

export interface MadeGguf {
  readonly version?: number
  readonly tensorCount?: number
  readonly pairCount?: number
  readonly pairs?: readonly (readonly [key: string, value: MadeValue])[]
  readonly tensors?: readonly MadeTensor[]
}

const alignment = 32

export function gguf({ version = 3, tensorCount, pairCount, pairs = [], tensors = [] }: MadeGguf): Buffer {
  const head = [
    Buffer.from('GGUF'),
    u32(version),
    u64(tensorCount ?? tensors.length),
    u64(pairCount ?? pairs.length),
    ...pairs.flatMap(([key, value]) => [text(key), ...valueBytes(value)]),
  ]
  let next = 0
  const data: Buffer[] = []
  for (const { name, shape, type, bytes, offset } of tensors) {
    head.push(text(name), u32(shape.length), ...shape.toReversed().map(u64), u32(type), u64(offset ?? next))
    const padded = Buffer.alloc(Math.ceil(bytes.length / alignment) * alignment)
    padded.set(bytes)
    data.push(padded)
    next += padded.length
  }
  const header = Buffer.concat(head)
  const padding = Buffer.alloc((alignment - (header.length % alignment)) % alignment)
  return Buffer.concat([header, padding, ...data])
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

export function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

function valueBytes(value: MadeValue): Buffer[] {
  if ('u32' in value) return [u32(4), u32(value.u32)]
  if ('f32' in value) return [u32(6), f32(value.f32)]
  if ('bool' in value) return [u32(7), Buffer.from([Number(value.bool)])]
  if ('text' in value) return [u32(8), text(value.text)]
  if ('texts' in value) return [u32(9), u32(8), u64(value.texts.length), ...value.texts.map(text)]
  if ('ints' in value) return [u32(9), u32(5), u64(value.ints.length), ...value.ints.map(u32)]
  return [u32(9), u32(6), u64(value.floats.length), ...value.floats.map(f32)]
}
