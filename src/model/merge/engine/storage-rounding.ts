/** Rounding to a storage type after every step, as mergekit 0.1.4 computes in the tensors' own type. */
import type { Dtype } from '#core'
import type { Compat } from '#model/merge-methods'

const bits = new Uint32Array(1)
const value = new Float32Array(bits.buffer)

/** To nearest even among bfloat16 values. */
export function toBf16(number: number): number {
  value[0] = number
  if (Number.isNaN(number)) return number
  bits[0] = (bits[0]! + 0x7fff + ((bits[0]! >>> 16) & 1)) & 0xffff0000
  return value[0]
}

/** To nearest even among float16 values, by way of float32 as torch computes. */
export function toF16(number: number): number {
  value[0] = number
  const magnitude = Math.abs(value[0])
  if (magnitude < 2 ** -14) {
    // Subnormal: at 0.75 float32 is as finely spaced as these are, 2^−24.
    const rounded = Math.fround(0.75 + magnitude) - 0.75
    return number < 0 || Object.is(number, -0) ? -rounded : rounded
  }
  if (magnitude >= 65520) return number > 0 ? Infinity : -Infinity
  if (Number.isNaN(number)) return number
  bits[0] = (bits[0]! + 0xfff + ((bits[0]! >>> 13) & 1)) & 0xffffe000
  return value[0]
}

/** What a method rounds its intermediate values with. */
export function roundingOf(compat: Compat, dtype: Dtype): (number: number) => number {
  if (compat !== 'mergekit-0.1.4') return identity
  if (dtype === 'BF16') return toBf16
  if (dtype === 'F16') return toF16
  return dtype === 'F32' ? Math.fround : identity
}

function identity(number: number): number {
  return number
}
