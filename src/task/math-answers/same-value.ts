/**
 * Whether two expressions are the same: exactly where they are quotients of polynomials, otherwise by their values at a
 * few points, far beyond rounding.
 */
import { exactDifference } from './canonical.ts'
import { valueAt } from './evaluate.ts'
import { type Expression, partsOf, symbolsIn } from './expression.ts'
import { isNoise, minus, size } from './precise.ts'

/** Infinite ones and such without a value are never the same. */
export function sameValue(a: Expression, b: Expression): boolean {
  const difference = exactDifference(a, b)
  return difference === 'unknown' ? sameNumbers(a, b) : difference === 'none'
}

const wanted = 4

/** At the first four of eight points where both have values. */
function sameNumbers(a: Expression, b: Expression): boolean {
  let seen = 0
  const whole = new Set([...boundsIn(a), ...boundsIn(b)])
  for (let seed = 1; seed <= 8 && seen < wanted; seed++) {
    const [x, y] = [valueAt(a, { seed, whole }), valueAt(b, { seed, whole })]
    if (x === undefined || y === undefined) continue
    const apart = minus(x, y)
    const beside = size(x) + size(y)
    if (!isNoise(apart.re, beside) || !isNoise(apart.im, beside)) return false
    seen++
  }
  return seen > 0
}

/** Symbols in the bounds of sums, which are whole numbers. */
function boundsIn(of: Expression): readonly string[] {
  const own =
    of.kind === 'call' && (of.name === 'series' || of.name === 'productSeries')
      ? of.args.slice(2).flatMap((bound) => [...symbolsIn(bound)])
      : []
  return [...own, ...partsOf(of).flatMap(boundsIn)]
}
