/**
 * Whether an answer is the one wanted, by the rules of math_verify 0.9 (`verify`, strict): gold first, since names and
 * equations follow it.
 */
import {
  type Answer,
  type Comparison,
  constant,
  difference,
  type Expression,
  isExpression,
  type Relation,
  sum,
  symbolsIn,
} from '../expression.ts'
import { type Fraction, fraction, isInteger, roundTo, sameFraction } from '../fraction.ts'
import { valueAt } from '../evaluate.ts'
import { toFraction } from '../precise.ts'
import { sameValue } from '../same-value.ts'
import type { Stated } from './parse-answers.ts'
import { intersection, type RealSet, realSetOf, sameRealSet, solutions, wholeLine } from './real-sets.ts'
import { sameEquation } from './roots.ts'
import { firstLink, formOf, isAssignment, isEquation, isRelation, isSet, lastLink, numericEnd } from './structure.ts'

/** Texts are compared with texts, parsed answers with parsed answers. */
export function isVerified(gold: Stated, own: Stated): boolean {
  if (gold.answer !== undefined && own.answer !== undefined && sameAnswer(gold.answer, own.answer)) return true
  const [wanted, text] = [gold.text?.trim() ?? '', own.text?.trim() ?? '']
  return wanted !== '' && wanted === text
}

export function sameAnswer(wanted: Answer, given: Answer): boolean {
  let [gold, own] = [wanted, given]
  const [goldAssigns, ownAssigns, goldEquates, ownEquates] = [
    isAssignment(gold),
    isAssignment(own),
    isEquation(gold),
    isEquation(own),
  ]
  if (goldAssigns) gold = shortened(gold)
  if (ownAssigns) own = shortened(own)
  if (ownEquates && !goldEquates) own = rightOf(own)
  else if (goldAssigns && !ownEquates) gold = rightOf(gold)
  const asSet = isRelation(gold) && isSet(own) ? solutionsOf(gold) : undefined
  if (asSet !== undefined) {
    const set = realSetOf(own)
    return set !== undefined && sameRealSet(asSet, set)
  }
  if (formOf(gold) === formOf(own)) return true
  if (isRelation(gold) && isRelation(own)) return sameRelation(gold, own)
  if ([gold, own].some((one) => isSet(one) || one.kind === 'tuple')) return sameSet(gold, own)
  if (gold.kind === 'symbol' || own.kind === 'symbol') return sameName(gold, own)
  return isExpression(gold) && isExpression(own) && sameExpression(gold, own)
}

/** a = b = 3 as a = 3. */
function shortened(of: Answer): Answer {
  const [first, last] = isRelation(of) ? [firstLink(of), lastLink(of)] : []
  return first && last ? { kind: 'relation', sign: '=', left: first.left, right: last.right } : of
}

const rightOf = (of: Answer): Answer => (isRelation(of) ? (lastLink(of)?.right ?? of) : of)

/** Where a relation in one symbol holds. */
function solutionsOf(of: Relation): RealSet | undefined {
  const links = of.kind === 'relation' ? [of] : of.chain
  let all: RealSet = wholeLine
  for (const { left, right, sign } of links) {
    const own = isExpression(left) && isExpression(right) ? linkSolutions(left, right, sign) : undefined
    if (own === undefined) return undefined
    all = intersection(all, own)
  }
  return all
}

/** An infinite side is an end that is never reached. */
function linkSolutions(left: Expression, right: Expression, sign: Comparison): RealSet | undefined {
  if ([left, right].some((side) => typeof numericEnd(side) === 'number')) return wholeLine
  return solutions(difference(left, right), sign)
}

const turned: Readonly<Record<Comparison, Comparison | undefined>> = {
  '<': '>',
  '>': '<',
  '≤': '≥',
  '≥': '≤',
  '=': '=',
  '≠': undefined,
}

function sameRelation(gold: Relation, own: Relation): boolean {
  if (gold.kind === 'relations' || own.kind === 'relations') {
    if (gold.kind === 'relation' || own.kind === 'relation') return false
    return (
      gold.chain.length === own.chain.length && gold.chain.every((link, i) => sameRelation(link, own.chain[i] ?? link))
    )
  }
  const sides = [gold.left, gold.right, own.left, own.right]
  if (!sides.every(isExpression)) return false
  const [a, b, c, d] = sides as readonly Expression[] as readonly [Expression, Expression, Expression, Expression]
  if (gold.sign === own.sign && sameExpression(difference(a, b), difference(c, d))) return true
  if (turned[gold.sign] === own.sign && sameExpression(difference(a, b), difference(d, c))) return true
  return gold.sign === '=' && own.sign === '=' && sameEquation([a, b], [c, d])
}

function sameSet(gold: Answer, own: Answer): boolean {
  const single = (of: Answer): Answer => (isSet(of) || of.kind === 'tuple' ? of : { kind: 'set', items: [of] })
  const [a, b] = [single(gold), single(own)]
  if (a.kind === 'interval' && b.kind === 'interval')
    return (
      a.leftOpen === b.leftOpen && a.rightOpen === b.rightOpen && sameAnswer(a.from, b.from) && sameAnswer(a.to, b.to)
    )
  const [left, right] = [realSetOf(a), realSetOf(b)]
  if (left !== undefined && right !== undefined && sameRealSet(left, right)) return true
  const [x, y] = [pairOf(a, b), pairOf(b, a)]
  if ((x.kind !== 'set' && x.kind !== 'tuple') || (y.kind !== 'set' && y.kind !== 'tuple')) return false
  return sameItems(x, y)
}

/** An open interval compared with a list of two is the pair of its ends: both are written alike. */
function pairOf(of: Answer, beside: Answer): Answer {
  const list = beside.kind === 'set' || beside.kind === 'tuple' ? distinct(beside) : []
  return of.kind === 'interval' && of.leftOpen && of.rightOpen && list.length === 2
    ? { kind: 'tuple', items: [of.from, of.to] }
    : of
}

type List = Extract<Answer, { kind: 'set' | 'tuple' }>

const distinct = (of: List): readonly Answer[] =>
  of.kind === 'tuple' ? of.items : [...new Map(of.items.map((item) => [formOf(item), item])).values()]

/** In their order where the gold is a tuple; otherwise each with one of the others. */
function sameItems(gold: List, own: List): boolean {
  const [wanted, given] = [distinct(gold), distinct(own)]
  if (wanted.length !== given.length) return false
  if (gold.kind === 'tuple') {
    // a set compared with a tuple keeps the order in which it was written
    const inOrder = own.items.length === wanted.length ? own.items : given
    return wanted.every((item, i) => sameAnswer(item, inOrder[i] ?? item))
  }
  const left = [...given]
  return wanted.every((item) => {
    const at = left.findIndex((one) => sameAnswer(item, one))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/** Compares a name with a name, or with a product of letters that spells it. */
function sameName(gold: Answer, own: Answer): boolean {
  const [wanted, given] = [spelling(gold), spelling(own)]
  if (wanted === undefined || given === undefined) return false
  const both = gold.kind === 'symbol' && own.kind === 'symbol'
  const lower = (text: string): string => (both && text.length <= 1 ? text : text.toLowerCase())
  return lower(wanted) === lower(given)
}

function spelling(of: Answer): string | undefined {
  if (of.kind === 'symbol') return of.name
  if (formOf(of) === formOf(constant('e'))) return 'e'
  if (of.kind !== 'product') return undefined
  const letters = of.factors.map((factor) => {
    if (factor.kind === 'symbol') return factor.name
    return formOf(factor) === formOf(constant('e')) ? 'e' : undefined
  })
  return letters.every((letter) => letter !== undefined) ? letters.join('') : undefined
}

const digits = 6

function sameExpression(gold: Expression, own: Expression): boolean {
  if (gold.kind === 'matrix' || own.kind === 'matrix') return sameMatrix(matrixOf(gold), matrixOf(own))
  const [a, b] = [numberIn(gold), numberIn(own)]
  if (a?.float === true || b?.float === true) {
    if (sameRounded(gold, own)) return true
  } else if (
    a !== undefined &&
    b !== undefined &&
    isInteger(a.value) &&
    isInteger(b.value) &&
    sameFraction(a.value, b.value)
  )
    return true
  return sameValue(gold, own)
}

type NumberExpression = Extract<Expression, { kind: 'number' }>

/** A number, or the number of a percentage. */
function numberIn(of: Expression): NumberExpression | undefined {
  if (of.kind === 'number') return of
  const [number, percent] = of.kind === 'product' && of.factors.length === 2 ? of.factors : []
  return number?.kind === 'number' && percent?.kind === 'constant' && percent.name === 'percent' ? number : undefined
}

function sameRounded(gold: Expression, own: Expression): boolean {
  const [a, b] = [roundedParts(gold), roundedParts(own)]
  return a !== undefined && b !== undefined && a.every((part, i) => sameFraction(part, b[i] ?? fraction(0)))
}

function roundedParts(of: Expression): readonly Fraction[] | undefined {
  const value = symbolsIn(of).size === 0 ? valueAt(of, { seed: 1 }) : undefined
  return value && [value.re, value.im].map((part) => roundTo(toFraction(part), digits))
}

/** A matrix itself, or one times a number; sums of matrices term by term. */
function matrixOf(of: Expression): Extract<Expression, { kind: 'matrix' }> | undefined {
  if (of.kind === 'matrix') return of
  if (of.kind === 'product') {
    const matrices = of.factors.filter((factor) => factor.kind === 'matrix')
    const [matrix] = matrices
    if (matrix === undefined || matrices.length > 1) return undefined
    const scale = of.factors.filter((factor) => factor.kind !== 'matrix')
    return {
      kind: 'matrix',
      rows: matrix.rows.map((row) => row.map((entry) => ({ kind: 'product', factors: [...scale, entry] }))),
    }
  }
  const terms = of.kind === 'sum' ? of.terms.map(matrixOf) : []
  const [first] = terms
  if (first === undefined || terms.some((term) => term === undefined)) return undefined
  return {
    kind: 'matrix',
    rows: first.rows.map((row, i) => row.map((_, j) => sum(...terms.flatMap((term) => term?.rows[i]?.[j] ?? [])))),
  }
}

function sameMatrix(a: Expression | undefined, b: Expression | undefined): boolean {
  if (a?.kind !== 'matrix' || b?.kind !== 'matrix' || a.rows.length !== b.rows.length) return false
  return a.rows.every((row, i) => {
    const other = b.rows[i] ?? []
    return row.length === other.length && row.every((entry, j) => sameExpression(entry, other[j] ?? entry))
  })
}
