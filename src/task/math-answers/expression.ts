/**
 * What an answer in LaTeX says, unevaluated: a tree of numbers, names and operations, and sets and relations made of
 * them.
 */
import { type Fraction, fraction } from './fraction.ts'

export type Constant = 'pi' | 'e' | 'i' | 'infinity' | 'eulerGamma' | 'percent'

export type Expression =
  /** `float`: written with a point. */
  | { readonly kind: 'number'; readonly value: Fraction; readonly float: boolean }
  /** `real`: its square root of a square is its absolute value. */
  | { readonly kind: 'symbol'; readonly name: string; readonly real: boolean }
  | { readonly kind: 'constant'; readonly name: Constant }
  | { readonly kind: 'sum'; readonly terms: readonly Expression[] }
  | { readonly kind: 'product'; readonly factors: readonly Expression[] }
  | { readonly kind: 'power'; readonly base: Expression; readonly exponent: Expression }
  /** `log` has its base second; `sum` and `product` their term, variable, first, last. */
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'matrix'; readonly rows: readonly (readonly Expression[])[] }

export type Comparison = '=' | '≠' | '<' | '≤' | '>' | '≥'

/** `relations` are a chain, each from the right side of the one before. */
export type Relation =
  | { readonly kind: 'relation'; readonly sign: Comparison; readonly left: Answer; readonly right: Answer }
  | { readonly kind: 'relations'; readonly chain: readonly Extract<Relation, { kind: 'relation' }>[] }

export interface Interval {
  readonly kind: 'interval'
  readonly from: Expression
  readonly to: Expression
  readonly leftOpen: boolean
  readonly rightOpen: boolean
}

export type Answer =
  | Expression
  | Relation
  | Interval
  | { readonly kind: 'tuple'; readonly items: readonly Answer[] }
  /** In the order of the text, the same one perhaps twice. */
  | { readonly kind: 'set'; readonly items: readonly Answer[] }
  | { readonly kind: 'union' | 'intersection' | 'difference'; readonly parts: readonly [Answer, Answer] }
  | { readonly kind: 'named set'; readonly name: 'N' | 'Z' | 'Q' | 'R' | 'C' | 'empty' }

export const whole = (value: bigint | number): Expression => ({ kind: 'number', value: fraction(value), float: false })
export const constant = (name: Constant): Expression => ({ kind: 'constant', name })
export const sum = (...terms: readonly Expression[]): Expression => ({ kind: 'sum', terms })
export const product = (...factors: readonly Expression[]): Expression => ({ kind: 'product', factors })
export const power = (base: Expression, exponent: Expression): Expression => ({ kind: 'power', base, exponent })
export const inverse = (base: Expression): Expression => power(base, whole(-1))
export const call = (name: string, ...args: readonly Expression[]): Expression => ({ kind: 'call', name, args })

export function negative(of: Expression): Expression {
  return of.kind === 'number' ? { ...of, value: fraction(-of.value.top, of.value.bottom) } : product(whole(-1), of)
}

export const difference = (a: Expression, b: Expression): Expression => sum(a, negative(b))

const expressionKinds: ReadonlySet<string> = new Set([
  'number',
  'symbol',
  'constant',
  'sum',
  'product',
  'power',
  'call',
  'matrix',
])
export const isExpression = (answer: Answer): answer is Expression => expressionKinds.has(answer.kind)

/** What an expression is made of. */
export function partsOf(of: Expression): readonly Expression[] {
  switch (of.kind) {
    case 'number':
    case 'symbol':
    case 'constant':
      return []
    case 'sum':
      return of.terms
    case 'product':
      return of.factors
    case 'power':
      return [of.base, of.exponent]
    case 'call':
      return of.args
    case 'matrix':
      return of.rows.flat()
    default:
      return of satisfies never
  }
}

/** Names of its symbols, each once. */
export function symbolsIn(of: Expression): ReadonlySet<string> {
  if (of.kind === 'symbol') return new Set([of.name])
  return new Set(partsOf(of).flatMap((part) => [...symbolsIn(part)]))
}
