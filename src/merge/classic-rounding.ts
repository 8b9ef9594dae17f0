/** Rounding to a storage type after every step, as mergekit 0.1.4 computes in the tensors' own type. */
import type { Dtype } from '../core/index.ts'
import type { Compat } from './method.ts'

const bits = new Uint32Array(1)
const value = new Float32Array(bits.buffer)

/** To nearest even among bfloat16 values. */
export function toBf16(number: number): number {
  value[0] = number
  if (Number.isNaN(number)) return number
  bits[0] = (bits[0]! + 0x7fff + ((bits[0]! >>> 16) & 1)) & 0xffff0000
  return value[0]
}

/** To nearest even among float16 values. */
export function toF16(number: number): number {
  if (!Number.isFinite(number) || number === 0) return number
  const magnitude = Math.abs(number)
  if (magnitude >= 65520) return number > 0 ? Infinity : -Infinity
  // spacing of float16 at this size: 2^(exponent − 10), 2^−24 for subnormals
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude)))
  const step = 2 ** (exponent - 10)
  const scaled = number / step
  const rounded = Math.round(scaled)
  return (Math.abs(scaled % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded) * step
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
