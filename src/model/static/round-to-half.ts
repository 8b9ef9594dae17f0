/** Rounding to float16 and back, as every step of NumPy's arithmetic on float16 ends. */

/** Each float32 becomes the nearest float16, ties to even; beyond 65,504 infinity. `bits` lies over the same memory. */
export function roundToHalf(values: Float32Array, bits: Int32Array): void {
  for (let i = 0; i < values.length; i++) {
    const word = bits[i] ?? 0
    const sign = word & signBit
    const magnitude = word & ~signBit
    if (magnitude < smallestNormal) {
      // between 0.5 and 1, float32 has the steps of subnormal float16
      const rounded = Math.fround(Math.abs(values[i] ?? 0) + 0.5) - 0.5
      values[i] = sign === 0 ? rounded : -rounded
    } else if (magnitude < overflow) bits[i] = sign | ((magnitude + 0xfff + ((magnitude >>> 13) & 1)) & 0x7fffe000)
    else if (magnitude <= infinity) bits[i] = sign | infinity
  }
}

const signBit = 1 << 31
/** Bits of 2^-14, of 65,520 and of infinity. */
const [smallestNormal, overflow, infinity] = [0x38800000, 0x477ff000, 0x7f800000]
