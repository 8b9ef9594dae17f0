/**
 * Expressions as quotients of polynomials: symbols, roots of primes, and functions of quotients are the unknowns. Equal
 * quotients are equal values; the converse is for numbers to decide.
 */
import type { Expression } from './expression.ts'
import {
  type Fraction,
  floorOf,
  fraction,
  fractionKey,
  isInteger,
  isZero,
  one,
  over,
  primesOf,
  raised,
  times,
} from './fraction.ts'
import {
  added,
  constantOf,
  constantPolynomial,
  multiplied,
  type Polynomial,
  polynomialKey,
  polynomialPower,
  type Relations,
  scaled,
  unknown,
  unknownsOf,
} from './polynomial.ts'

export interface Quotient {
  readonly top: Polynomial
  readonly bottom: Polynomial
}

/** What several expressions have in common: relations of the unknowns that they brought. */
interface Canon {
  readonly relations: Map<string, { readonly power: number; readonly is: Polynomial }>
}

/** How two expressions differ exactly: not at all; surely, both being rational in their symbols; or not known here. */
export function exactDifference(a: Expression, b: Expression): 'none' | 'some' | 'unknown' {
  const canon: Canon = { relations: new Map() }
  try {
    const [left, right] = [quotientOf(a, canon), quotientOf(b, canon)]
    const top = added(
      multiplied(left.top, right.bottom, canon.relations),
      scaled(multiplied(right.top, left.bottom, canon.relations), fraction(-1)),
    )
    if (top.size === 0) return 'none'
    const plain = [...unknownsOf(top), ...unknownsOf(left.bottom), ...unknownsOf(right.bottom)].every((name) =>
      name.startsWith('symbol '),
    )
    return plain ? 'some' : 'unknown'
  } catch (error) {
    if (error instanceof RangeError) return 'unknown'
    throw error
  }
}

/** The value of a rational number, otherwise undefined. */
export function rationalValue(of: Expression): Fraction | undefined {
  try {
    const { top, bottom } = quotientOf(of, { relations: new Map() })
    const [a, b] = [constantOf(top), constantOf(bottom)]
    return a && b && over(a, b)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * The polynomial that is 0 where two sides are equal, all its terms over their common bottom; undefined where it is too
 * large.
 */
export function numeratorOf(of: Expression): { readonly top: Polynomial; readonly relations: Relations } | undefined {
  const canon: Canon = { relations: new Map() }
  try {
    return { top: quotientOf(of, canon).top, relations: canon.relations }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const oneOver: Polynomial = constantPolynomial(one)
const plain = (top: Polynomial): Quotient => ({ top, bottom: oneOver })
const rational = (value: Fraction): Quotient => plain(constantPolynomial(value))

function product(a: Quotient, b: Quotient, { relations }: Canon): Quotient {
  return settled({ top: multiplied(a.top, b.top, relations), bottom: multiplied(a.bottom, b.bottom, relations) })
}

function total(a: Quotient, b: Quotient, { relations }: Canon): Quotient {
  if (polynomialKey(a.bottom) === polynomialKey(b.bottom))
    return settled({ top: added(a.top, b.top), bottom: a.bottom })
  return settled({
    top: added(multiplied(a.top, b.bottom, relations), multiplied(b.top, a.bottom, relations)),
    bottom: multiplied(a.bottom, b.bottom, relations),
  })
}

/** A number below is brought above. */
function settled({ top, bottom }: Quotient): Quotient {
  if (bottom.size === 0) throw new RangeError('over 0')
  const number = constantOf(bottom)
  return number === undefined ? { top, bottom } : plain(scaled(top, over(one, number)))
}

const valueOf = ({ top, bottom }: Quotient): Fraction | undefined => {
  const [a, b] = [constantOf(top), constantOf(bottom)]
  return a && b && over(a, b)
}
const keyOf = ({ top, bottom }: Quotient): string => `(${polynomialKey(top)})/(${polynomialKey(bottom)})`

function quotientOf(of: Expression, canon: Canon): Quotient {
  switch (of.kind) {
    case 'number':
      return rational(of.value)
    case 'symbol':
      return plain(unknown(`symbol ${of.name}${of.real ? '' : ' complex'}`))
    case 'constant':
      return constantQuotient(of.name, canon)
    case 'sum':
      return of.terms.map((term) => quotientOf(term, canon)).reduce((a, b) => total(a, b, canon), rational(fraction(0)))
    case 'product':
      return of.factors.map((factor) => quotientOf(factor, canon)).reduce((a, b) => product(a, b, canon), rational(one))
    case 'power':
      return powerOf(quotientOf(of.base, canon), of.base, quotientOf(of.exponent, canon), canon)
    case 'call':
      return callOf(of.name, of.args, canon)
    case 'matrix':
      throw new RangeError('a matrix among numbers')
    default:
      return of satisfies never
  }
}

function constantQuotient(name: Extract<Expression, { kind: 'constant' }>['name'], canon: Canon): Quotient {
  if (name === 'infinity') throw new RangeError('infinity among numbers')
  if (name === 'percent') return rational(fraction(1, 100))
  if (name === 'i') canon.relations.set('i', { power: 2, is: constantPolynomial(fraction(-1)) })
  return plain(unknown(name))
}

function inverted({ top, bottom }: Quotient): Quotient {
  return settled({ top: bottom, bottom: top })
}

function wholePower(base: Quotient, exponent: bigint, { relations }: Canon): Quotient {
  const count = Number(exponent < 0n ? -exponent : exponent)
  const raisedUp = {
    top: polynomialPower(base.top, count, relations),
    bottom: polynomialPower(base.bottom, count, relations),
  }
  return exponent < 0n ? inverted(raisedUp) : raisedUp
}

function powerOf(base: Quotient, written: Expression, exponent: Quotient, canon: Canon): Quotient {
  const value = valueOf(exponent)
  if (value !== undefined && isInteger(value)) return wholePower(base, value.top, canon)
  if (value !== undefined) {
    const number = valueOf(base)
    return number === undefined ? rootOf(base, value, canon) : rootOfNumber(number, value, canon)
  }
  const isE = written.kind === 'constant' && written.name === 'e'
  const number = isE ? undefined : valueOf(base)
  if (!isE && number === undefined) return plain(unknown(`power ${keyOf(base)} ${keyOf(exponent)}`))
  return symbolicPower(isE ? 'e' : (number ?? one), exponent, canon)
}

/** b^(x + 2) as b^x · b², 4^(n/2) as 2^n: by the terms of the exponent and the primes of the base. */
function symbolicPower(base: Fraction | 'e', exponent: Quotient, canon: Canon): Quotient {
  const scale = constantOf(exponent.bottom)
  const primes = base === 'e' ? new Map([['e', 1]]) : primePowers(base)
  if (scale === undefined || primes === undefined)
    return plain(unknown(`power ${base === 'e' ? base : fractionKey(base)} ${keyOf(exponent)}`))
  let all = rational(one)
  for (const [prime, count] of primes) {
    for (const [key, { coefficient }] of exponent.top) {
      const times_ = times(over(coefficient, scale), fraction(count))
      const own =
        key === '' && prime !== 'e'
          ? numberPower(fraction(BigInt(prime)), times_, canon)
          : wholePower(plain(unknown(`power ${prime} ${key}/${times_.bottom}`)), times_.top, canon)
      all = product(all, own, canon)
    }
  }
  return all
}

function numberPower(base: Fraction, exponent: Fraction, canon: Canon): Quotient {
  return isInteger(exponent) ? wholePower(rational(base), exponent.top, canon) : rootOfNumber(base, exponent, canon)
}

/** Exponents of the prime factors of a positive rational number, negative for its denominator. */
function primePowers(base: Fraction): Map<string, number> | undefined {
  if (base.top <= 0n) return undefined
  const [above, below] = [primesOf(base.top), primesOf(base.bottom)]
  if (above === undefined || below === undefined) return undefined
  return new Map([
    ...[...above].map(([p, n]) => [`${p}`, n] as const),
    ...[...below].map(([p, n]) => [`${p}`, -n] as const),
  ])
}

/** Roots of primes are the unknowns, so that √12 is 2√3 and √6 is √2·√3; a square root of less than 0 has i. */
function rootOfNumber(base: Fraction, exponent: Fraction, canon: Canon): Quotient {
  if (isZero(base)) {
    if (exponent.top < 0n) throw new RangeError('over 0')
    return rational(base)
  }
  if (base.top < 0n) {
    if (exponent.bottom !== 2n) return plain(unknown(`power ${fractionKey(base)} ${fractionKey(exponent)}`))
    const turn = wholePower(constantQuotient('i', canon), exponent.top, canon)
    return product(turn, rootOfNumber(fraction(-base.top, base.bottom), exponent, canon), canon)
  }
  const primes = primePowers(base)
  if (primes === undefined) return plain(unknown(`power ${fractionKey(base)} ${fractionKey(exponent)}`))
  let all = rational(one)
  for (const [prime, count] of primes) {
    const power = times(exponent, fraction(count))
    const whole = floorOf(power)
    const rest = times(fraction(power.top - whole * power.bottom), fraction(1n, power.bottom))
    all = product(all, rational(raised(fraction(BigInt(prime)), Number(whole))), canon)
    if (isZero(rest)) continue
    const name = `root ${prime} ${rest.bottom}`
    canon.relations.set(name, { power: Number(rest.bottom), is: constantPolynomial(fraction(BigInt(prime))) })
    all = product(all, plain(unknown(name, Number(rest.top))), canon)
  }
  return all
}

/** A root of anything but a number; its power is known where that is a polynomial. */
function rootOf(base: Quotient, exponent: Fraction, canon: Canon): Quotient {
  const name = `root ${keyOf(base)} ${exponent.bottom}`
  if (constantOf(base.bottom) !== undefined && exponent.bottom < 30n)
    canon.relations.set(name, { power: Number(exponent.bottom), is: base.top })
  return wholePower(plain(unknown(name)), exponent.top, canon)
}

/** Names of calls with a bound variable: compared by values only. */
const binding = new Set(['series', 'productSeries', 'integral', 'limit', 'limitFromBelow'])

function callOf(name: string, args: readonly Expression[], canon: Canon): Quotient {
  if (binding.has(name)) throw new RangeError(`${name} has no quotient`)
  const of = args.map((arg) => quotientOf(arg, canon))
  const [first = rational(one), second] = of
  const value = valueOf(first)
  switch (name) {
    case 'abs':
      if (value !== undefined) return rational(value.top < 0n ? fraction(-value.top, value.bottom) : value)
      break
    case 'floor':
    case 'ceiling':
      if (value !== undefined)
        return rational(fraction(name === 'floor' ? floorOf(value) : -floorOf(fraction(-value.top, value.bottom))))
      break
    case 'factorial':
      if (value !== undefined && isInteger(value) && value.top >= 0n && value.top <= 2000n)
        return rational(fraction(factorial(value.top)))
      break
    case 'log':
      if (second !== undefined)
        return product(logarithm(first, args[0], canon), inverted(logarithm(second, args[1], canon)), canon)
      break
    case 'conjugate':
      if (value !== undefined) return first
      break
    case 'tan':
      return product(callQuotient('sin', of, canon), inverted(callQuotient('cos', of, canon)), canon)
    case 'cot':
      return product(callQuotient('cos', of, canon), inverted(callQuotient('sin', of, canon)), canon)
    case 'sec':
      return inverted(callQuotient('cos', of, canon))
    case 'csc':
      return inverted(callQuotient('sin', of, canon))
    default:
  }
  return callQuotient(name, of, canon)
}

function callQuotient(name: string, of: readonly Quotient[], canon: Canon): Quotient {
  const key = of.map(keyOf).join(', ')
  const own = plain(unknown(`${name} of ${key}`))
  if (name === 'cos') {
    const sine = unknown(`sin of ${key}`)
    canon.relations.set(`cos of ${key}`, {
      power: 2,
      is: added(constantPolynomial(one), scaled(multiplied(sine, sine, new Map()), fraction(-1))),
    })
  }
  return own
}

/** Natural: of a positive number by its primes. */
function logarithm(of: Quotient, written: Expression | undefined, canon: Canon): Quotient {
  if (written?.kind === 'constant' && written.name === 'e') return rational(one)
  const value = valueOf(of)
  const primes = value && primePowers(value)
  if (primes === undefined) return callQuotient('ln', [of], canon)
  let all = rational(fraction(0))
  for (const [prime, count] of primes)
    all = total(all, plain(scaled(unknown(`ln of ${prime}`), fraction(count))), canon)
  return all
}

export function factorial(of: bigint): bigint {
  let all = 1n
  for (let i = 2n; i <= of; i++) all *= i
  return all
}
