/** Checkpoints whose weights are drawn from the names of their tensors, as oracles/families.py draws them. */
import type { TensorSource } from '#core'
import type { FileTensor, Values } from './safetensors-source.ts'
import { memorySource } from './safetensors-source.ts'
import type { Golden } from './pico-golden.ts'

interface Packed {
  readonly shape: readonly number[]
  /** Float32, little endian, base64. */
  readonly data: string
}

export interface FamilyCase {
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
  /** Greatest distance of the reference's float32 run from its float64 run, relative to the greatest value. */
  readonly error: number
  /** [shape, base, spread] */
  readonly tensors: Readonly<Record<string, readonly [readonly number[], number, number]>>
  /** Tensors that are not drawn. */
  readonly fixed: Readonly<Record<string, unknown>>
  readonly outputs: Readonly<Record<string, Packed | readonly (readonly number[])[]>>
}

export function drawnSource({ tensors }: Pick<FamilyCase, 'tensors'>): TensorSource {
  const values = Object.entries(tensors).map(([name, [shape, base, spread]]): [string, Values] => [
    name,
    { shape, data: draw(name, { count: shape.reduce((a, b) => a * b, 1), base, spread }) },
  ])
  return memorySource(Object.fromEntries(values))
}

/** base + spread · u, u uniform on [−½, ½): bits of murmur3's finaliser over a hash of the name and the index. */
function draw(
  name: string,
  { count, base, spread }: { readonly count: number; readonly base: number; readonly spread: number },
): Float32Array {
  const seed = [...Buffer.from(name)].reduce((hash, byte) => Math.imul(hash ^ byte, 16_777_619), 2_166_136_261)
  return Float32Array.from({ length: count }, (_, index) => {
    let x = (Math.imul(index, 0x9e_37_79_b9) + seed) | 0
    x = Math.imul(x ^ (x >>> 16), 0x85_eb_ca_6b)
    x = Math.imul(x ^ (x >>> 13), 0xc2_b2_ae_35)
    x ^= x >>> 16
    return base + spread * ((x >>> 8) / 2 ** 24 - 0.5)
  })
}

/** Inputs and outputs by name, as a golden file of shared/models/pico has them. */
export function familyGolden({ outputs }: Pick<FamilyCase, 'outputs'>): Golden {
  return new Map(Object.entries(outputs).map(([name, value]) => [name, tensorOf(name, value)]))
}

function tensorOf(name: string, value: Packed | readonly (readonly number[])[]): FileTensor {
  if ('data' in value) {
    const bytes = new Uint8Array(Buffer.from(value.data, 'base64'))
    return { name, dtype: 'F32', shape: value.shape, byteLength: bytes.length, offset: 0, bytes }
  }
  const bytes = new Uint8Array(BigInt64Array.from(value.flat(), BigInt).buffer)
  const shape = [value.length, value[0]?.length ?? 0]
  return { name, dtype: 'I64', shape, byteLength: bytes.length, offset: 0, bytes }
}
