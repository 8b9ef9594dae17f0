/**
 * Polynomials in many unknowns over the rational numbers; an unknown may have a power that is known: √2² = 2, i² = −1.
 */
import { type Fraction, fraction, fractionKey, isZero, one, plus, times } from './fraction.ts'

interface Term {
  readonly coefficient: Fraction
  /** Unknown → power, none of them 0. */
  readonly powers: ReadonlyMap<string, number>
}

/** By the term's powers, written in order. */
export type Polynomial = ReadonlyMap<string, Term>

/** Unknown → from which power on it is another polynomial. */
export type Relations = ReadonlyMap<string, { readonly power: number; readonly is: Polynomial }>

/** Above it, an answer is judged by numbers alone. Throws `RangeError`. */
const mostTerms = 400

const keyOf = (powers: ReadonlyMap<string, number>): string =>
  [...powers]
    .map(([name, power]) => `${name}^${power}`)
    .sort((a, b) => (a < b ? -1 : 1))
    .join('·')

function made(terms: Iterable<Term>): Polynomial {
  const sum = new Map<string, Term>()
  for (const { coefficient, powers } of terms) {
    const key = keyOf(powers)
    const together = plus(sum.get(key)?.coefficient ?? fraction(0), coefficient)
    if (isZero(together)) sum.delete(key)
    else sum.set(key, { coefficient: together, powers })
  }
  if (sum.size > mostTerms) throw new RangeError('a polynomial of too many terms')
  return sum
}

export const constantPolynomial = (value: Fraction): Polynomial => made([{ coefficient: value, powers: new Map() }])
export const unknown = (name: string, power = 1): Polynomial =>
  made([{ coefficient: one, powers: new Map(power === 0 ? [] : [[name, power]]) }])
export const unknownsOf = (of: Polynomial): ReadonlySet<string> =>
  new Set([...of.values()].flatMap(({ powers }) => [...powers.keys()]))

/** The value of one without unknowns. */
export function constantOf(of: Polynomial): Fraction | undefined {
  if (of.size === 0) return fraction(0)
  const only = of.get('')
  return of.size === 1 ? only?.coefficient : undefined
}

/** Its terms in a fixed order: the same text for the same polynomial. */
export function polynomialKey(of: Polynomial): string {
  return [...of]
    .map(([key, { coefficient }]) => `${fractionKey(coefficient)}·${key}`)
    .sort((a, b) => (a < b ? -1 : 1))
    .join(' + ')
}

export const added = (a: Polynomial, b: Polynomial): Polynomial => made([...a.values(), ...b.values()])
export const scaled = (a: Polynomial, by: Fraction): Polynomial =>
  made([...a.values()].map(({ coefficient, powers }) => ({ coefficient: times(coefficient, by), powers })))

export function multiplied(a: Polynomial, b: Polynomial, relations: Relations): Polynomial {
  if (a.size * b.size > mostTerms * 20) throw new RangeError('a polynomial of too many terms')
  const terms = [...a.values()].flatMap((left) =>
    [...b.values()].map((right) => {
      const powers = new Map(left.powers)
      for (const [name, power] of right.powers) powers.set(name, (powers.get(name) ?? 0) + power)
      return { coefficient: times(left.coefficient, right.coefficient), powers }
    }),
  )
  return reduced(made(terms), relations)
}

function reduced(of: Polynomial, relations: Relations): Polynomial {
  const done: Term[] = []
  let rest: Polynomial = new Map()
  for (const { coefficient, powers } of of.values()) {
    const found = [...powers].find(([name, power]) => power >= (relations.get(name)?.power ?? Infinity))
    const relation = found && relations.get(found[0])
    if (found === undefined || relation === undefined) {
      done.push({ coefficient, powers })
      continue
    }
    const [name, power] = found
    const left = new Map(powers)
    if (power === relation.power) left.delete(name)
    else left.set(name, power - relation.power)
    rest = added(rest, multiplied(made([{ coefficient, powers: left }]), relation.is, relations))
  }
  return rest.size === 0 ? made(done) : added(made(done), rest)
}

/** `exponent` 0 or more. */
export function polynomialPower(base: Polynomial, exponent: number, relations: Relations): Polynomial {
  const only = constantOf(base)
  if (exponent > (only === undefined ? 60 : 4000)) throw new RangeError('too great a power')
  let power = constantPolynomial(one)
  for (let i = 0; i < exponent; i++) power = multiplied(power, base, relations)
  return power
}
