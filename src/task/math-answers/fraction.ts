/** Exact rational numbers: in lowest terms, the denominator positive. */

export interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}

/** Throws `RangeError` for a denominator of 0. */
export function fraction(top: bigint | number, bottom: bigint | number = 1n): Fraction {
  let [a, b] = [BigInt(top), BigInt(bottom)]
  if (b === 0n) throw new RangeError('a fraction over 0')
  if (b < 0n) [a, b] = [-a, -b]
  const common = gcd(a, b)
  return { top: a / common, bottom: b / common }
}

export const one = fraction(1)

export const plus = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
export const minus = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom)
export const times = (a: Fraction, b: Fraction): Fraction => fraction(a.top * b.top, a.bottom * b.bottom)
export const over = (a: Fraction, b: Fraction): Fraction => fraction(a.top * b.bottom, a.bottom * b.top)
export const isZero = (a: Fraction): boolean => a.top === 0n
export const isInteger = (a: Fraction): boolean => a.bottom === 1n
export const sameFraction = (a: Fraction, b: Fraction): boolean => a.top === b.top && a.bottom === b.bottom
export const fractionKey = (a: Fraction): string => (isInteger(a) ? `${a.top}` : `${a.top}/${a.bottom}`)

/** Negative, 0, positive, as for sorting. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const left = a.top * b.bottom - b.top * a.bottom
  return left < 0n ? -1 : Number(left > 0n)
}

/** `exponent` an integer; 0 to a negative one throws `RangeError`. */
export function raised(base: Fraction, exponent: number): Fraction {
  const [top, bottom] = [base.top ** BigInt(Math.abs(exponent)), base.bottom ** BigInt(Math.abs(exponent))]
  return exponent < 0 ? fraction(bottom, top) : fraction(top, bottom)
}

export function floorOf({ top, bottom }: Fraction): bigint {
  const whole = top / bottom
  return top < 0n && whole * bottom !== top ? whole - 1n : whole
}

/** Digits with a point and an exponent, as `-12.5`, `.5`, `3e-2`. */
export function decimal(text: string): Fraction {
  const [digits = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', after = ''] = digits.split('.')
  const shift = Number(exponent) - after.length
  return times(fraction(BigInt(`${whole}${after}` || '0')), raised(fraction(10), shift))
}

/** Rounds to N digits after the point, halves to even. */
export function roundTo(value: Fraction, digits: number): Fraction {
  const scale = raised(fraction(10), digits)
  const scaled = times(value, scale)
  const below = floorOf(scaled)
  const half = compareFractions(minus(scaled, fraction(below)), fraction(1, 2))
  const up = half > 0 || (half === 0 && below % 2n !== 0n)
  return over(fraction(up ? below + 1n : below), scale)
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x === 0n ? 1n : x
}

/**
 * Prime factors of a positive number with their powers; undefined where a factor above 10⁵ is left that may not be
 * prime.
 */
export function primesOf(value: bigint): Map<bigint, number> | undefined {
  const found = new Map<bigint, number>()
  let left = value
  for (let p = 2n; p * p <= left; p += p === 2n ? 1n : 2n) {
    if (p > 100_000n) return undefined
    while (left % p === 0n) {
      found.set(p, (found.get(p) ?? 0) + 1)
      left /= p
    }
  }
  if (left > 1n) found.set(left, (found.get(left) ?? 0) + 1)
  return found
}
