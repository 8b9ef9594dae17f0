/**
 * fdlibm's e_exp.c (Sun Microsystems 1993) for x ≤ 0 in plain loops: JavaScript rounds after every operation, whatever
 * machine it runs on.
 */

const bits = new DataView(new ArrayBuffer(8))

function upperWord(x: number): number {
  bits.setFloat64(0, x)
  return bits.getUint32(0)
}

function power(exponentBits: number): number {
  bits.setUint32(0, exponentBits)
  bits.setUint32(4, 0)
  return bits.getFloat64(0)
}

const [ln2High, ln2Low] = [6.9314718036912381649e-1, 1.90821492927058770002e-10]
const coefficients = [
  1.66666666666666019037e-1, -2.77777777770155933842e-3, 6.61375632143793436117e-5, -1.6533902205465251539e-6,
  4.13813679705723846039e-8,
]

export function fdlibmExp(x: number): number {
  const word = upperWord(x) & 0x7fffffff
  if (Number.isNaN(x)) return NaN
  if (x < -7.4513321910194110842e2) return 0
  if (word < 0x3e300000) return 1 + x
  let k = 0
  if (word > 0x3fd62e42) k = word < 0x3ff0a2b2 ? -1 : Math.trunc(Math.LOG2E * x - 0.5)
  const [high, low] = [x - k * ln2High, k * ln2Low]
  const r = k === 0 ? x : high - low
  const t = r * r
  const c = r - t * coefficients.reduceRight((sum, p) => p + t * sum)
  if (k === 0) return 1 - ((r * c) / (c - 2) - r)
  const y = 1 - (low - (r * c) / (2 - c) - high)
  return k >= -1021 ? y * power(0x3ff00000 + k * 2 ** 20) : y * power(0x3ff00000 + (k + 1000) * 2 ** 20) * 2 ** -1000
}
