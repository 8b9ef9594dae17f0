/** Rounding as Python does it. */

/**
 * Python's `round(value, digits)`: exact on the binary value, halves to the even digit. `toFixed` is exact too, but
 * takes halves upwards.
 */
export function roundHalfEven(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value
  const magnitude = Math.abs(value)
  // every double below 2^53 has at most 1074 binary places, but a half at `digits` decimals needs no more than digits +
  // 1 of them
  const exact = magnitude.toFixed(Math.min(100, digits + 75))
  const cut = exact.indexOf('.') + 1 + digits
  const isHalf = /^50*$/.test(exact.slice(cut))
  const isEven = Number(exact[cut - 1] === '.' ? exact[cut - 2] : exact[cut - 1]) % 2 === 0
  const rounded = isHalf && isEven ? Number(exact.slice(0, cut)) : Number(magnitude.toFixed(digits))
  return value < 0 ? -rounded : rounded
}
