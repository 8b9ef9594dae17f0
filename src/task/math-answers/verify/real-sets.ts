/** Sets of real numbers as intervals in order: unions and inequalities come down to the same ones. */
import type { Answer, Comparison, Expression } from '../expression.ts'
import { isExpression, symbolsIn } from '../expression.ts'
import { compareFractions, type Fraction, fraction, minus, plus, raised } from '../fraction.ts'
import { rationalRoots } from './roots.ts'
import { extended, numericEnd } from './structure.ts'

type End = Fraction | number

interface Piece {
  readonly from: End
  readonly to: End
  readonly leftOpen: boolean
  readonly rightOpen: boolean
}

/** In order, apart from one another. */
export type RealSet = readonly Piece[]

export const wholeLine: RealSet = [{ from: -1, to: 1, leftOpen: true, rightOpen: true }]

/** Ends that differ by less than 10⁻⁴⁰ are one: they come from different ways to write it. */
const nothing = raised(fraction(10), -40)

function compareEnds(a: End, b: End): number {
  if (typeof a !== 'object' || typeof b !== 'object') return Math.sign(extended(a) - extended(b)) || 0
  const apart = minus(a, b)
  return compareFractions(apart, nothing) <= 0 && compareFractions(plus(apart, nothing), fraction(0)) >= 0
    ? 0
    : compareFractions(a, b)
}

/** Undefined for what has symbols or holds more than real numbers. */
export function realSetOf(of: Answer): RealSet | undefined {
  if (isExpression(of)) return undefined
  switch (of.kind) {
    case 'interval': {
      const [from, to] = [numericEnd(of.from), numericEnd(of.to)]
      return from === undefined || to === undefined
        ? undefined
        : [{ from, to, leftOpen: of.leftOpen, rightOpen: of.rightOpen }]
    }
    case 'set': {
      const points = of.items.map((item) => (isExpression(item) ? numericEnd(item) : undefined))
      return points.every((point) => point !== undefined)
        ? union(points.map((point): Piece => ({ from: point, to: point, leftOpen: false, rightOpen: false })))
        : undefined
    }
    case 'union':
    case 'intersection':
    case 'difference': {
      const [a, b] = of.parts.map(realSetOf)
      if (a === undefined || b === undefined) return undefined
      return of.kind === 'union' ? union([...a, ...b]) : intersection(a, of.kind === 'intersection' ? b : complement(b))
    }
    case 'named set':
      if (of.name === 'R') return wholeLine
      return of.name === 'empty' ? [] : undefined
    case 'tuple':
    case 'relation':
    case 'relations':
      return undefined
    default:
      return of satisfies never
  }
}

export function sameRealSet(a: RealSet, b: RealSet): boolean {
  return (
    a.length === b.length &&
    a.every((piece, i) => {
      const other = b[i]
      return (
        other !== undefined &&
        compareEnds(piece.from, other.from) === 0 &&
        compareEnds(piece.to, other.to) === 0 &&
        piece.leftOpen === other.leftOpen &&
        piece.rightOpen === other.rightOpen
      )
    })
  )
}

function union(pieces: readonly Piece[]): RealSet {
  const inOrder = pieces
    .filter((piece) => !isEmpty(piece))
    .toSorted((a, b) => compareEnds(a.from, b.from) || Number(a.leftOpen) - Number(b.leftOpen))
  const all: Piece[] = []
  for (const piece of inOrder) {
    const last = all.at(-1)
    const gap = last === undefined ? 1 : compareEnds(piece.from, last.to)
    if (last === undefined || gap > 0 || (gap === 0 && piece.leftOpen && last.rightOpen)) all.push(piece)
    else {
      const further = compareEnds(piece.to, last.to)
      const longer = further > 0 ? piece : last
      all[all.length - 1] = {
        ...last,
        to: longer.to,
        rightOpen: further === 0 ? last.rightOpen && piece.rightOpen : longer.rightOpen,
      }
    }
  }
  return all
}

function isEmpty({ from, to, leftOpen, rightOpen }: Piece): boolean {
  const order = compareEnds(from, to)
  return order > 0 || (order === 0 && (leftOpen || rightOpen))
}

export function intersection(a: RealSet, b: RealSet): RealSet {
  return union(
    a.flatMap((x) =>
      b.map((y): Piece => {
        const [left, right] = [compareEnds(x.from, y.from), compareEnds(x.to, y.to)]
        return {
          from: left >= 0 ? x.from : y.from,
          to: right <= 0 ? x.to : y.to,
          leftOpen: left === 0 ? x.leftOpen || y.leftOpen : (left > 0 ? x : y).leftOpen,
          rightOpen: right === 0 ? x.rightOpen || y.rightOpen : (right < 0 ? x : y).rightOpen,
        }
      }),
    ),
  )
}

function complement(of: RealSet): RealSet {
  const all: Piece[] = []
  let [from, leftOpen]: [End, boolean] = [-1, true]
  for (const piece of of) {
    all.push({ from, to: piece.from, leftOpen, rightOpen: !piece.leftOpen })
    ;[from, leftOpen] = [piece.to, !piece.rightOpen]
  }
  return union([...all, { from, to: 1, leftOpen, rightOpen: true }])
}

/** Where a sum of one symbol, linear or quadratic in it, stands so to 0; undefined for others. */
export function solutions(of: Expression, sign: Comparison): RealSet | undefined {
  if (symbolsIn(of).size !== 1) return undefined
  const found = rationalRoots(of)
  if (found === undefined) return undefined
  const points = found.roots.map((root): Piece => ({ from: root, to: root, leftOpen: false, rightOpen: false }))
  if (sign === '=') return union(points)
  const open = complement(union(points))
  if (sign === '≠') return open
  const above = sign === '>' || sign === '≥'
  // the sign right of all the roots, and then by turns; a double root does not turn it
  const kept = open.toReversed().filter((_, i) => (found.double || i % 2 === 0 ? found.rises : !found.rises) === above)
  return union([...kept, ...(sign === '≤' || sign === '≥' ? points : [])])
}
