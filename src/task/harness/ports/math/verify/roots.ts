/** Real roots of polynomials in one symbol of degree one or two, and what makes two equations the same. */
import { difference, type Expression } from '../expression.ts'
import { type Fraction, fraction, isZero, minus, over, plus, raised, times } from '../fraction.ts'
import { numeratorOf } from '../canonical.ts'
import { constantOf, polynomialKey, type Polynomial, scaled, unknownsOf } from '../polynomial.ts'
import { ofFraction, power, toFraction } from '../precise.ts'

/** By the power of the one symbol; undefined where something else stands in it. */
export function coefficientsOf(of: Polynomial): readonly Fraction[] | undefined {
  const names = [...unknownsOf(of)]
  if (names.length !== 1 || !names[0]?.startsWith('symbol ')) return undefined
  const all: Fraction[] = []
  for (const { coefficient, powers } of of.values()) all[powers.get(names[0]) ?? 0] = coefficient
  return Array.from(all, (own) => own ?? fraction(0))
}

export interface Roots {
  /** From the least on. */
  readonly roots: readonly Fraction[]
  readonly double: boolean
  /** Whether it is above 0 right of them. */
  readonly rises: boolean
}

export function rationalRoots(of: Expression): Roots | undefined {
  const numerator = numeratorOf(of)
  const [c = fraction(0), b = fraction(0), a = fraction(0), ...more] = (numerator && coefficientsOf(numerator.top)) ?? [fraction(0), fraction(0), fraction(0), fraction(1)]
  if (more.length > 0) return undefined
  if (isZero(a)) return isZero(b) ? undefined : { roots: [over(fraction(-c.top, c.bottom), b)], double: false, rises: b.top > 0n }
  const under = minus(times(b, b), times(fraction(4), times(a, c)))
  const rises = a.top > 0n
  if (under.top < 0n) return { roots: [], double: false, rises }
  const root = toFraction(power(ofFraction(under), ofFraction(fraction(1, 2))).re)
  const [low, high] = [minus(fraction(-b.top, b.bottom), root), plus(fraction(-b.top, b.bottom), root)].map((top) => over(top, times(fraction(2), a)))
  if (low === undefined || high === undefined) return undefined
  if (isZero(under)) return { roots: [low], double: true, rises }
  return { roots: rises ? [low, high] : [high, low], double: false, rises }
}

/** Whether two equations have the same solutions: their polynomials the same but for a factor and for how often a root stands in them. */
export function sameEquation(left: readonly [Expression, Expression], right: readonly [Expression, Expression]): boolean {
  const [a, b] = [left, right].map(([x, y]) => numeratorOf(difference(x, y))?.top)
  if (a === undefined || b === undefined || constantOf(a) !== undefined || constantOf(b) !== undefined) return false
  if (monic(a) === monic(b)) return true
  const [p, q] = [a, b].map((one) => {
    const own = coefficientsOf(one)
    return own && squareFree(own)
  })
  return p !== undefined && q !== undefined && [...unknownsOf(a)][0] === [...unknownsOf(b)][0] && textOf(p) === textOf(q)
}

/** Over the coefficient of the term that comes first by its text. */
function monic(of: Polynomial): string {
  const [first] = [...of].sort(([a], [b]) => (a < b ? -1 : 1))
  return first === undefined ? '' : polynomialKey(scaled(of, over(fraction(1), first[1].coefficient)))
}

const textOf = (of: readonly Fraction[]): string => of.map(({ top, bottom }) => `${top}/${bottom}`).join(' ')

function squareFree(of: readonly Fraction[]): readonly Fraction[] {
  const derivative = of.slice(1).map((coefficient, i) => times(coefficient, fraction(i + 1)))
  return dividedBy(of, commonOf(of, derivative)).quotient
}

function trimmed(of: readonly Fraction[]): readonly Fraction[] {
  const degree = of.findLastIndex((coefficient) => !isZero(coefficient))
  const lead = of[degree]
  return lead === undefined ? [] : of.slice(0, degree + 1).map((coefficient) => over(coefficient, lead))
}

function commonOf(a: readonly Fraction[], b: readonly Fraction[]): readonly Fraction[] {
  let [x, y] = [trimmed(a), trimmed(b)]
  while (y.length > 0) [x, y] = [y, trimmed(dividedBy(x, y).rest)]
  return x
}

function dividedBy(of: readonly Fraction[], by: readonly Fraction[]): { quotient: readonly Fraction[]; rest: readonly Fraction[] } {
  const rest = [...trimmed(of)]
  const quotient: Fraction[] = []
  for (let shift = rest.length - by.length; shift >= 0; shift--) {
    const factor = over(rest[shift + by.length - 1] ?? fraction(0), by.at(-1) ?? raised(fraction(1), 1))
    quotient[shift] = factor
    by.forEach((coefficient, i) => (rest[shift + i] = minus(rest[shift + i] ?? fraction(0), times(coefficient, factor))))
  }
  return { quotient, rest }
}
