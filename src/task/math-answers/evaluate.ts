/**
 * Values of expressions at points: every symbol and every function without a meaning has a value of its own there, the
 * same for the same argument.
 */
import { factorial } from './canonical.ts'
import type { Expression } from './expression.ts'
import { fraction } from './fraction.ts'
import * as at from './precise.ts'
import type { Complex } from './precise.ts'

export interface Point {
  readonly seed: number
  /** Values of symbols that are counted over. */
  readonly bound?: ReadonlyMap<string, Complex>
  /** Symbols that are whole numbers. */
  readonly whole?: ReadonlySet<string>
}

/** Undefined where it has no value: divided by 0, infinite, or not computed here. */
export function valueAt(of: Expression, point: Point): Complex | undefined {
  try {
    return value(of, point)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function value(of: Expression, point: Point): Complex {
  switch (of.kind) {
    case 'number':
      return at.ofFraction(of.value)
    case 'symbol':
      return (
        point.bound?.get(of.name) ??
        (point.whole?.has(of.name) === true
          ? at.ofFraction(fraction(point.seed + 2))
          : drawn(of.name, point.seed, of.real))
      )
    case 'constant':
      return constants(of.name)
    case 'sum':
      return of.terms.map((term) => value(term, point)).reduce(at.plus, at.zero)
    case 'product':
      return of.factors.map((factor) => value(factor, point)).reduce(at.times, at.oneValue)
    case 'power':
      return at.power(value(of.base, point), value(of.exponent, point))
    case 'call':
      return called(of.name, of.args, point)
    case 'matrix':
      throw new RangeError('a matrix among numbers')
    default:
      return of satisfies never
  }
}

function constants(name: Extract<Expression, { kind: 'constant' }>['name']): Complex {
  switch (name) {
    case 'pi':
      return at.complex(at.pi)
    case 'e':
      return at.e
    case 'i':
      return at.i
    case 'eulerGamma':
      return at.eulerGamma
    case 'percent':
      return at.ofFraction(fraction(1, 100))
    case 'infinity':
      throw new RangeError('infinite')
    default:
      return name satisfies never
  }
}

/**
 * Between 1/4 and 2 in size, by FNV-1a over the name. Among every four points, one has all values below 0 and two have
 * all above it.
 */
function drawn(name: string, seed: number, real: boolean): Complex {
  let hash = 0x811c9dc5
  for (const letter of `${seed} ${name}`) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  const part = (bits: number): bigint => at.ofFraction(fraction(263 + (bits % 1709), 1009)).re
  const re = seed % 4 === 3 || (seed % 4 === 1 && hash & 1) ? -part(hash >>> 4) : part(hash >>> 4)
  return real ? at.complex(re) : at.complex(re, part(Math.imul(hash, 0x85ebca6b) >>> 5))
}

function called(name: string, args: readonly Expression[], point: Point): Complex {
  if (name === 'series' || name === 'productSeries') return counted(name, args, point)
  if (name === 'integral') return integrated(args, point)
  if (name === 'limit' || name === 'limitFromBelow') return approached(name, args, point)
  const [x = at.zero, y] = args.map((arg) => value(arg, point))
  switch (name) {
    case 'log':
      return y === undefined ? at.log(x) : at.over(at.log(x), at.log(y))
    case 'abs':
      return at.complex(at.size(x))
    case 'floor':
      return at.floor(x)
    case 'ceiling':
      return at.minus(at.zero, at.floor(at.minus(at.zero, x)))
    case 'conjugate':
      return at.complex(x.re, -x.im)
    case 'factorial':
      return factorialOf(x, point)
    case 'binomial':
      return at.over(
        factorialOf(x, point),
        at.times(factorialOf(y ?? at.zero, point), factorialOf(at.minus(x, y ?? at.zero), point)),
      )
    case 'mod':
      return at.minus(x, at.times(y ?? at.oneValue, at.floor(at.over(x, y ?? at.oneValue))))
    default:
      return circle(name, x) ?? unnamed(name, args, point)
  }
}

const two = at.ofFraction(fraction(2))
const minusOne = at.ofFraction(fraction(-1))
const inverse = (x: Complex): Complex => at.over(at.oneValue, x)
const halved = (x: Complex): Complex => at.over(x, two)
const sqrt = (x: Complex): Complex => at.power(x, at.ofFraction(fraction(1, 2)))
const sinh = (x: Complex): Complex => halved(at.minus(at.exp(x), at.exp(at.times(minusOne, x))))
const cosh = (x: Complex): Complex => halved(at.plus(at.exp(x), at.exp(at.times(minusOne, x))))
const sin = (x: Complex): Complex => at.over(sinh(at.times(at.i, x)), at.i)
const cos = (x: Complex): Complex => cosh(at.times(at.i, x))
const asinh = (x: Complex): Complex => at.log(at.plus(x, sqrt(at.plus(at.times(x, x), at.oneValue))))
const asin = (x: Complex): Complex => at.over(asinh(at.times(at.i, x)), at.i)
const acos = (x: Complex): Complex => at.minus(at.complex(at.pi / 2n), asin(x))
const atanh = (x: Complex): Complex =>
  halved(at.minus(at.log(at.plus(at.oneValue, x)), at.log(at.minus(at.oneValue, x))))
const atan = (x: Complex): Complex => at.over(atanh(at.times(at.i, x)), at.i)

const circles: Readonly<Record<string, (x: Complex) => Complex>> = {
  sin,
  cos,
  tan: (x) => at.over(sin(x), cos(x)),
  cot: (x) => at.over(cos(x), sin(x)),
  sec: (x) => inverse(cos(x)),
  csc: (x) => inverse(sin(x)),
  sinh,
  cosh,
  tanh: (x) => at.over(sinh(x), cosh(x)),
  asin,
  acos,
  atan,
  acot: (x) => atan(inverse(x)),
  asec: (x) => acos(inverse(x)),
  acsc: (x) => asin(inverse(x)),
  asinh,
  acosh: (x) => at.log(at.plus(x, at.times(sqrt(at.plus(x, at.oneValue)), sqrt(at.minus(x, at.oneValue))))),
  atanh,
}

const circle = (name: string, x: Complex): Complex | undefined =>
  Object.hasOwn(circles, name) ? circles[name]?.(x) : undefined

/**
 * x! of a number that is not whole is drawn for its place between two integers, and follows x! = x · (x − 1)! from
 * there.
 */
function factorialOf(x: Complex, point: Point): Complex {
  const down = at.floor(at.complex(x.re))
  const count = Number(at.toFraction(down.re).top)
  if (Math.abs(count) > 2000) throw new RangeError('too great a factorial')
  const rest = at.minus(x, down)
  if (at.isNoise(rest.re) && at.isNoise(rest.im)) {
    if (count < 0) throw new RangeError('factorial below 0')
    return at.ofFraction(fraction(factorial(BigInt(count))))
  }
  let all = unnamedAt('factorial', [rest], point)
  for (let k = 1; k <= count; k++) all = at.times(all, at.plus(rest, at.ofFraction(fraction(k))))
  for (let k = 0; k > count; k--) all = at.over(all, at.plus(rest, at.ofFraction(fraction(k))))
  return all
}

function unnamed(name: string, args: readonly Expression[], point: Point): Complex {
  return unnamedAt(
    name,
    args.map((arg) => value(arg, point)),
    point,
  )
}

/** By the arguments to 27 digits. */
function unnamedAt(name: string, args: readonly Complex[], { seed }: Point): Complex {
  const rounded = args.map(({ re, im }) => `${(re + (1n << 229n)) >> 230n},${(im + (1n << 229n)) >> 230n}`)
  return drawn(`${name}(${rounded.join(';')})`, seed, false)
}

const withBound = (point: Point, name: string, own: Complex): Point => ({
  ...point,
  bound: new Map([...(point.bound ?? []), [name, own]]),
})

/** The value near the limit point: 2⁻¹⁰⁵ away from it, or at 2¹⁰⁵ for infinity, so that a divisor may vanish twice. */
function approached(name: string, [of, variable, to]: readonly Expression[], point: Point): Complex {
  if (of === undefined || variable?.kind !== 'symbol' || to === undefined) throw new RangeError('a limit of nothing')
  const sign = name === 'limit' ? 1n : -1n
  const infinite = [to, ...(to.kind === 'product' ? to.factors : [])].some(
    (part) => part.kind === 'constant' && part.name === 'infinity',
  )
  const place = infinite
    ? at.complex(at.oneValue.re << 105n)
    : at.plus(value(to, point), at.complex(sign * (at.oneValue.re >> 105n)))
  const below = infinite && to.kind === 'product'
  return value(of, withBound(point, variable.name, below ? at.minus(at.zero, place) : place))
}

/** By the double exponential rule of Takahasi and Mori (1974), steps of 1/32. */
function integrated([of, variable, first, last]: readonly Expression[], point: Point): Complex {
  if (of === undefined || variable?.kind !== 'symbol' || first === undefined || last === undefined)
    throw new RangeError('an integral of nothing')
  const [from, to] = [value(first, point), value(last, point)]
  const [middle, reach] = [halved(at.plus(from, to)), halved(at.minus(to, from))]
  const step = at.ofFraction(fraction(1, 32))
  const quarter = at.complex(at.pi / 2n)
  let all = at.zero
  for (let k = -150; k <= 150; k++) {
    const t = at.times(step, at.ofFraction(fraction(k)))
    const inner = at.times(quarter, sinh(t))
    const width = cosh(inner)
    const weight = at.over(at.times(quarter, cosh(t)), at.times(width, width))
    const place = at.plus(middle, at.times(reach, at.over(sinh(inner), width)))
    all = at.plus(all, at.times(weight, value(of, withBound(point, variable.name, place))))
  }
  return at.times(at.times(all, step), reach)
}

/** Σ and Π over whole numbers. */
function counted(name: string, [of, variable, first, last]: readonly Expression[], point: Point): Complex {
  if (of === undefined || variable?.kind !== 'symbol' || first === undefined || last === undefined)
    throw new RangeError('a sum over nothing')
  const [from, to] = [first, last].map((bound) => {
    const { top, bottom } = at.toFraction(value(bound, point).re)
    if (bottom !== 1n) throw new RangeError('a sum whose bounds are not integers')
    return Number(top)
  })
  if (from === undefined || to === undefined || to - from > 3000) throw new RangeError('too long a sum')
  let all = name === 'series' ? at.zero : at.oneValue
  for (let k = from; k <= to; k++) {
    const own = value(of, withBound(point, variable.name, at.ofFraction(fraction(k))))
    all = name === 'series' ? at.plus(all, own) : at.times(all, own)
  }
  return all
}
