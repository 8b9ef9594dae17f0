/** Runs of bits that begin anywhere in a list of 32-bit words, which has one word more than the bits take. */
const wordBits = 32

/** Bits offset … offset + length − 1 to the start of `out`. What follows in its last word means nothing. */
export function bitsFrom(list: Uint32Array, offset: number, length: number, out: Uint32Array): void {
  const [first, shift, count] = [Math.floor(offset / wordBits), offset % wordBits, Math.ceil(length / wordBits)]
  if (shift === 0) return out.set(list.subarray(first, first + count))
  for (let i = 0; i < count; i++) out[i] = (list[first + i]! >>> shift) | (list[first + i + 1]! << (wordBits - shift))
}

/** The first bits of `bits`, `length` of them, to offset, offset + stride, … All others stay. */
export function bitsTo(list: Uint32Array, offset: number, stride: number, length: number, bits: Uint32Array): void {
  if (stride > 1) {
    for (let i = 0, at = offset; i < length; i++, at += stride) {
      const bit = (bits[i >>> 5]! >>> (i & 31)) & 1
      list[at >>> 5] = (list[at >>> 5]! & ~(1 << (at & 31))) | (bit << (at & 31))
    }
    return
  }
  const [first, shift] = [Math.floor(offset / wordBits), offset % wordBits]
  const whole = Math.floor(length / wordBits)
  if (shift === 0) list.set(bits.subarray(0, whole), first)
  else for (let i = 0; i < whole; i++) put(list, first + i, shift, bits[i]!, -1)
  const rest = length % wordBits
  if (rest > 0) put(list, first + whole, shift, bits[whole]!, 2 ** rest - 1)
}

/** The bits of one word that lie below a mask, moved on by `shift`. */
function put(list: Uint32Array, at: number, shift: number, word: number, mask: number): void {
  list[at] = (list[at]! & ~(mask << shift)) | ((word & mask) << shift)
  if (shift === 0) return
  const back = wordBits - shift
  list[at + 1] = (list[at + 1]! & ~(mask >>> back)) | ((word & mask) >>> back)
}
