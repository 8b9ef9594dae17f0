/** Real roots of polynomials in one symbol of degree one or two, and what makes two equations the same. */
import { difference, type Expression } from '../expression.ts'
import { type Fraction, fraction, isZero, minus, over, plus, times } from '../fraction.ts'
import { numeratorOf } from '../canonical.ts'
import { polynomialKey, type Polynomial, scaled, unknownsOf } from '../polynomial.ts'
import { ofFraction, power, toFraction } from '../precise.ts'

/** By the power of the one symbol; undefined where something else stands in it. */
function coefficientsOf(of: Polynomial): readonly Fraction[] | undefined {
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
  const [c = fraction(0), b = fraction(0), a = fraction(0), ...more] = (numerator && coefficientsOf(numerator.top)) ?? [
    fraction(0),
    fraction(0),
    fraction(0),
    fraction(1),
  ]
  if (more.length > 0) return undefined
  if (isZero(a))
    return isZero(b) ? undefined : { roots: [over(fraction(-c.top, c.bottom), b)], double: false, rises: b.top > 0n }
  const under = minus(times(b, b), times(fraction(4), times(a, c)))
  const rises = a.top > 0n
  if (under.top < 0n) return { roots: [], double: false, rises }
  const root = toFraction(power(ofFraction(under), ofFraction(fraction(1, 2))).re)
  const [low, high] = [minus(fraction(-b.top, b.bottom), root), plus(fraction(-b.top, b.bottom), root)].map((top) =>
    over(top, times(fraction(2), a)),
  )
  if (low === undefined || high === undefined) return undefined
  if (isZero(under)) return { roots: [low], double: true, rises }
  return { roots: rises ? [low, high] : [high, low], double: false, rises }
}

/**
 * Whether two equations in several symbols are the same but for a factor. For one symbol the reference finds values,
 * which it does not compare.
 */
export function sameEquation(
  left: readonly [Expression, Expression],
  right: readonly [Expression, Expression],
): boolean {
  const [a, b] = [left, right].map(([x, y]) => numeratorOf(difference(x, y))?.top)
  return a !== undefined && b !== undefined && unknownsOf(a).size > 1 && monic(a) === monic(b)
}

/** Over the coefficient of the term that comes first by its text. */
function monic(of: Polynomial): string {
  const [first] = [...of].sort(([a], [b]) => (a < b ? -1 : 1))
  return first === undefined ? '' : polynomialKey(scaled(of, over(fraction(1), first[1].coefficient)))
}
