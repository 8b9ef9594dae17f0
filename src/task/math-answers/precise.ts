/**
 * Complex numbers of 320 bits after the point, for answers that are told apart by their value: arithmetic, exponential,
 * logarithm, circle functions. The same on every machine.
 */
import { type Fraction, fraction } from './fraction.ts'

const bits = 320n
const unit = 1n << bits

/** Real and imaginary part, times 2³²⁰. */
export interface Complex {
  readonly re: bigint
  readonly im: bigint
}

export const complex = (re: bigint, im = 0n): Complex => ({ re, im })
export const ofFraction = ({ top, bottom }: Fraction): Complex => complex((top * unit) / bottom)
export const toFraction = (part: bigint): Fraction => fraction(part, unit)

const mul = (a: bigint, b: bigint): bigint => (a * b) >> bits
const div = (a: bigint, b: bigint): bigint => {
  if (b === 0n) throw new RangeError('over 0')
  return (a << bits) / b
}
const abs = (a: bigint): bigint => (a < 0n ? -a : a)

/** What rounding, limits and integrals leave of a zero, relative to a value: 30 digits. */
const noise = 1n << 220n
export const isNoise = (part: bigint, beside = unit): boolean => abs(part) <= noise + (abs(beside) >> 100n)

export const plus = (a: Complex, b: Complex): Complex => complex(a.re + b.re, a.im + b.im)
export const minus = (a: Complex, b: Complex): Complex => complex(a.re - b.re, a.im - b.im)
export const times = (a: Complex, b: Complex): Complex =>
  complex(mul(a.re, b.re) - mul(a.im, b.im), mul(a.re, b.im) + mul(a.im, b.re))

/** What rounding alone leaves of nothing: the divisor of a limit may be smaller than noise. */
const rounding = 1n << 40n
const isRounding = (part: bigint): boolean => abs(part) <= rounding

/** Throws `RangeError` for a divisor that is 0 up to rounding. */
export function over(a: Complex, b: Complex): Complex {
  const size = mul(b.re, b.re) + mul(b.im, b.im)
  if (isRounding(b.re) && isRounding(b.im)) throw new RangeError('over 0')
  return complex(div(mul(a.re, b.re) + mul(a.im, b.im), size), div(mul(a.im, b.re) - mul(a.re, b.im), size))
}

function root(of: bigint): bigint {
  const value = of << bits
  if (value <= 0n) return 0n
  let x = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (x + value / x) >> 1n
    if (next >= x) return x
    x = next
  }
}

export const size = ({ re, im }: Complex): bigint => (im === 0n ? abs(re) : root(mul(re, re) + mul(im, im)))

/** Σ of a series, from its first term on, until a term is nothing. */
function series(first: bigint, next: (term: bigint, place: number) => bigint): bigint {
  let total = first
  let term = first
  for (let place = 1; term !== 0n; place++) {
    term = next(term, place)
    total += term
  }
  return total
}

/** ln by artanh after eight square roots bring it near 1. */
function realLog(of: bigint): bigint {
  if (of <= 0n) throw new RangeError('logarithm of 0')
  const shift = BigInt(of.toString(2).length) - 1n - bits
  let near = shift >= 0n ? of >> shift : of << -shift
  for (let i = 0; i < 8; i++) near = root(near)
  return artanhLog(near) + shift * ln2
}

function artanhLog(near: bigint): bigint {
  const z = div(near - unit, near + unit)
  const square = mul(z, z)
  let power = z
  let total = z
  for (let odd = 3n; power !== 0n && odd < 4000n; odd += 2n) {
    power = mul(power, square)
    total += power / odd
  }
  return total << 9n
}

const ln2 = (() => {
  let near = 2n * unit
  for (let i = 0; i < 8; i++) near = root(near)
  return artanhLog(near)
})()

function realExp(of: bigint): bigint {
  const turns = of / ln2
  if (abs(turns) > 20_000n) throw new RangeError('too great a power')
  const small = (of - turns * ln2) >> 8n
  let value = series(unit, (term, place) => mul(term, small) / BigInt(place))
  for (let i = 0; i < 8; i++) value = mul(value, value)
  return turns >= 0n ? value << turns : value >> -turns
}

function arctan(of: bigint): bigint {
  let small = of
  for (let i = 0; i < 4; i++) small = div(small, unit + root(unit + mul(small, small)))
  const square = mul(small, small)
  let power = small
  let total = small
  for (let odd = 3n; power !== 0n; odd += 2n) {
    power = -mul(power, square)
    total += power / odd
  }
  return total << 4n
}

const half = arctan(unit) * 2n
export const pi = 2n * half

function angle({ re, im }: Complex): bigint {
  if (isNoise(im, re)) return re < 0n ? pi : 0n
  if (re === 0n || abs(im) > abs(re)) return (im > 0n ? half : -half) - arctan(div(re, im))
  const raw = arctan(div(im, re))
  if (re > 0n) return raw
  return im > 0n ? raw + pi : raw - pi
}

function sineCosine(of: bigint): readonly [bigint, bigint] {
  const turns = (of + half) / pi - (of + half < 0n ? 1n : 0n)
  const x = of - turns * pi
  const square = mul(x, x)
  const sine = series(x, (term, place) => -mul(term, square) / BigInt(2 * place * (2 * place + 1)))
  const cosine = series(unit, (term, place) => -mul(term, square) / BigInt(2 * place * (2 * place - 1)))
  return turns % 2n === 0n ? [sine, cosine] : [-sine, -cosine]
}

export function exp({ re, im }: Complex): Complex {
  const [sine, cosine] = im === 0n ? [0n, unit] : sineCosine(im)
  const scale = realExp(re)
  return complex(mul(scale, cosine), mul(scale, sine))
}

/** Principal: the angle in (−π, π]. */
export function log(of: Complex): Complex {
  const length = size(of)
  if (isNoise(length)) throw new RangeError('logarithm of 0')
  return complex(realLog(length), angle(of))
}

export const zero = complex(0n)
export const oneValue = complex(unit)
export const i = complex(0n, unit)
export const e = complex(realExp(unit))
/** 0.5772…, as the digits are known. */
export const eulerGamma = ofFraction(
  fraction(57721566490153286060651209008240243104215933593992359880576723488486n, 10n ** 68n),
)

/** Whole powers by squares, others by the principal logarithm; 0 to a power above 0 is 0. */
export function power(base: Complex, exponent: Complex): Complex {
  const count = exponent.re >> bits
  const isWhole = exponent.im === 0n && count << bits === exponent.re
  if (isWhole && abs(count) <= 20_000n) {
    let [result, square, left] = [oneValue, base, abs(count)]
    for (; left > 0n; left >>= 1n) {
      if (left & 1n) result = times(result, square)
      square = left > 1n ? times(square, square) : square
    }
    return count < 0n ? over(oneValue, result) : result
  }
  if (isNoise(size(base)) && exponent.re > 0n) return zero
  return exp(times(exponent, log(base)))
}

/** The integer below a real value; a value within rounding of an integer gives that integer. */
export function floor({ re, im }: Complex): Complex {
  if (!isNoise(im, re)) throw new RangeError('the floor of a number that is not real')
  const near = (re + unit / 2n) >> bits
  return complex((isNoise(re - (near << bits), re) ? near : re >> bits) << bits)
}
