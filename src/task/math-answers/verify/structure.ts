/** Questions to the form of an answer: its text for comparison, its kind, the real number it is. */
import { rationalValue } from '../canonical.ts'
import { valueAt } from '../evaluate.ts'
import { type Answer, type Expression, isExpression, type Relation, symbolsIn } from '../expression.ts'
import { type Fraction, fractionKey, isInteger } from '../fraction.ts'
import { isNoise, toFraction } from '../precise.ts'

/** The same text for the same form; the order in a set is not of its form. */
export function formOf(of: Answer): string {
  switch (of.kind) {
    case 'number':
      return `${fractionKey(of.value)}${of.float ? 'f' : ''}`
    case 'symbol':
      return `${of.name}${of.real ? '' : '?'}`
    case 'constant':
      return `<${of.name}>`
    case 'sum':
      return `+(${of.terms.map(formOf).join(' ')})`
    case 'product':
      return `*(${of.factors.map(formOf).join(' ')})`
    case 'power':
      return `^(${formOf(of.base)} ${formOf(of.exponent)})`
    case 'call':
      return `${of.name}(${of.args.map(formOf).join(', ')})`
    case 'matrix':
      return `[${of.rows.map((row) => row.map(formOf).join(' & ')).join('; ')}]`
    case 'relation':
      return `${formOf(of.left)} ${of.sign} ${formOf(of.right)}`
    case 'relations':
      return sorted(of.chain).join(' and ')
    case 'interval':
      return `${of.leftOpen ? '(' : '['}${formOf(of.from)}, ${formOf(of.to)}${of.rightOpen ? ')' : ']'}`
    case 'tuple':
      return `(${of.items.map(formOf).join(', ')})`
    case 'set':
      return `{${sorted(of.items).join(', ')}}`
    case 'union':
    case 'intersection':
    case 'difference':
      return `${of.kind}(${(of.kind === 'difference' ? of.parts.map(formOf) : sorted(of.parts)).join(', ')})`
    case 'named set':
      return of.name
    default:
      return of satisfies never
  }
}

const sorted = (items: readonly Answer[]): string[] => [...new Set(items.map(formOf))].sort((a, b) => (a < b ? -1 : 1))

/** Symbols, and products, quotients and functions of symbols: what may stand left of an assignment. */
export function isOnlySymbols(of: Answer): boolean {
  if (of.kind === 'tuple') return of.items.length > 0 && of.items.every(isOnlySymbols)
  if (!isExpression(of)) return false
  switch (of.kind) {
    case 'symbol':
      return true
    case 'sum':
      return of.terms.every(isOnlySymbols)
    case 'product':
      return of.factors.every(isOnlySymbols)
    case 'power':
      return isOnlySymbols(of.base) && (isMinusOne(of.exponent) || isOnlySymbols(of.exponent))
    case 'call':
      return of.args.every(isOnlySymbols)
    case 'number':
    case 'constant':
    case 'matrix':
      return false
    default:
      return of satisfies never
  }
}

const isMinusOne = (of: Expression): boolean => of.kind === 'number' && of.value.top === -1n && isInteger(of.value)

export const isRelation = (of: Answer): of is Relation => of.kind === 'relation' || of.kind === 'relations'
const linksOf = (of: Relation) => (of.kind === 'relation' ? [of] : of.chain)
export const isEquation = (of: Answer): of is Relation =>
  isRelation(of) && linksOf(of).every(({ sign }) => sign === '=')
export const firstLink = (of: Relation): Extract<Relation, { kind: 'relation' }> | undefined => linksOf(of)[0]
export const lastLink = (of: Relation): Extract<Relation, { kind: 'relation' }> | undefined => linksOf(of).at(-1)
export const isAssignment = (of: Answer): of is Relation =>
  isEquation(of) && isOnlySymbols(firstLink(of)?.left ?? { kind: 'tuple', items: [] })

const setKinds: ReadonlySet<string> = new Set(['interval', 'set', 'union', 'intersection', 'difference', 'named set'])
export const isSet = (of: Answer): boolean => setKinds.has(of.kind)

/** The real value of what has no symbols; 1 or −1 for the infinities. */
export function numericEnd(of: Expression): Fraction | number | undefined {
  const infinite = infinity(of)
  if (infinite !== undefined) return infinite
  if (symbolsIn(of).size > 0) return undefined
  const exact = rationalValue(of)
  if (exact !== undefined) return exact
  const value = valueAt(of, { seed: 1 })
  return value !== undefined && isNoise(value.im, value.re) ? toFraction(value.re) : undefined
}

function infinity(of: Expression): number | undefined {
  if (of.kind === 'constant') return of.name === 'infinity' ? 1 : undefined
  if (of.kind !== 'product') return undefined
  const [sign, value] = of.factors
  if (of.factors.length !== 2 || value?.kind !== 'constant' || value.name !== 'infinity' || sign?.kind !== 'number')
    return undefined
  return sign.value.top < 0n ? -1 : 1
}

/** An end on the line with its two infinities, as far as it is told from them. */
export const extended = (end: Fraction | number): number => (typeof end === 'number' ? end * Infinity : 0)
