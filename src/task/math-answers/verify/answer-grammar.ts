/**
 * Whole answers in the grammar of latex2sympy2_extended: lists, sets, intervals, tuples, relations. A text is read to
 * its end, or not at all.
 */
import {
  type Answer,
  type Comparison,
  type Expression,
  isExpression,
  negative,
  type Relation,
  sum,
} from '../expression.ts'
import { compareFractions, decimal } from '../fraction.ts'
import { symbolAtom } from '../latex-atoms.ts'
import { rulesOf } from '../latex-grammar.ts'
import { attempt, firstOf, look, type Reading, readingOf, type Rules, sees, takes, within } from '../reading.ts'
import { extended, isOnlySymbols, numericEnd } from './structure.ts'

type Elements = readonly (readonly Answer[])[]

/** Undefined where it does not fit. */
export function readAnswer(latex: string, real: boolean): Answer | undefined {
  const reading = readingOf(latex, 'extended', real)
  const rules = rulesOf(reading)
  const atEnd = (part: () => Answer | undefined) => (): Answer | undefined => {
    const read = part()
    return look(reading).kind === 'end' ? read : undefined
  }
  return firstOf(reading, [
    atEnd(() => listed(reading, rules)),
    atEnd(() => {
      const read = elements(reading, rules, true)
      return read && (thousands(latex) ?? setOrOne(read))
    }),
    atEnd(() => setRelation(reading, rules)),
  ])
}

/** 333,333 is a number, not a set. */
function thousands(latex: string): Answer | undefined {
  if (!/^\s*-?\d{1,3}(?:,\d{3})+(?:\.\d+)?\s*$/.test(latex)) return undefined
  const text = latex.trim().replaceAll(',', latex.startsWith('0') ? '.' : '')
  return /^-?\d+(?:\.\d+)?$/.test(text)
    ? { kind: 'number', value: decimal(text), float: text.includes('.') }
    : undefined
}

function setOrOne(read: Elements): Answer {
  const [first = []] = read
  if (read.length === 1) return first.length === 1 && first[0] !== undefined ? first[0] : { kind: 'set', items: first }
  return {
    kind: 'set',
    items: read.every((own) => own.length === 1) ? read.flat() : read.map((items) => ({ kind: 'tuple', items })),
  }
}

/** `x = 1, 2`: a name and a list without relations. */
function listed(reading: Reading, rules: Rules): Answer | undefined {
  const left = names(reading, rules)
  if (left === undefined || !(takes(reading, '\\in') || takes(reading, ...assigns))) return undefined
  const read = elements(reading, rules, false)
  return read && { kind: 'relation', sign: '=', left, right: setOrOne(read) }
}

const assigns = ['=', ...Array.from('≡≣≟≎≏≐≑≒≓≔≕≖≗')]

function names(reading: Reading, rules: Rules): Answer | undefined {
  return firstOf<Answer>(reading, [
    () =>
      within(reading, '(', ')', () => {
        const items: Answer[] = []
        do {
          const own = symbolAtom(reading, rules)
          if (own === undefined) return undefined
          items.push(own)
        } while (takes(reading, ','))
        return items.length === 1 ? items[0] : { kind: 'tuple', items }
      }),
    () => symbolAtom(reading, rules),
  ])
}

/** Lists between commas, in lists between semicolons. */
function elements(reading: Reading, rules: Rules, relations: boolean): Elements | undefined {
  const all: Answer[][] = []
  do {
    const own: Answer[] = []
    do {
      const element = elementOf(reading, rules, relations)
      if (element === undefined) return undefined
      own.push(...element)
    } while (takes(reading, ','))
    all.push(own)
  } while (takes(reading, ';'))
  return all
}

const closers = [',', ';', ')', ']', '}', '\\}', '\\)', '\\rbrack', '\\rgroup']

function elementOf(reading: Reading, rules: Rules, relations: boolean): readonly Answer[] | undefined {
  const whole = (part: () => readonly Answer[] | undefined) => (): readonly Answer[] | undefined => {
    const read = part()
    return look(reading).kind === 'end' || sees(reading, ...closers) ? read : undefined
  }
  return firstOf(reading, [
    whole(() => plusMinus(reading, rules)),
    whole(() => {
      const atom = setAtom(reading, rules)
      return atom && [atom]
    }),
    whole(() => {
      const read = relations ? relation(reading, rules) : rules.expression()
      return read && [read]
    }),
  ])
}

const plusMinusSigns = ['\\pm', '±', '∓', '\\mp']

function plusMinus(reading: Reading, rules: Rules): readonly Answer[] | undefined {
  const left = sees(reading, ...plusMinusSigns) ? undefined : rules.expression()
  const right = takes(reading, ...plusMinusSigns) ? rules.expression() : undefined
  if (right === undefined) return undefined
  return left === undefined ? [negative(right), right] : [sum(left, right), sum(left, negative(right))]
}

const signs: readonly (readonly [Comparison, readonly string[]])[] = [
  ['=', [...assigns, '==', '\\equiv']],
  ['<', ['<', '\\lt', '≪', '≺', '⋖']],
  ['≤', ['\\leq', '\\le', '\\leqslant', '≤', '≦', '≲', '≾', '<=']],
  ['>', ['>', '\\gt', '≫', '≻', '⋗']],
  ['≥', ['\\geq', '\\ge', '\\geqslant', '≥', '≧', '≳', '≿', '>=']],
  ['≠', ['!=', '!==', '\\ne', '\\neq', '\\not\\equiv', '≠', '≁', '≄', '≇', '≉', '≢']],
]
const nearly = ['~=', '\\approx', ...Array.from('≈≊≋≃≅')]

function relation(reading: Reading, rules: Rules): Answer | undefined {
  let left: Answer | undefined = rules.expression()
  while (left !== undefined) {
    const before: Answer = left
    const longer: Answer | undefined = attempt(reading, () => {
      const sign = signs.find(([, texts]) => takes(reading, ...texts))?.[0]
      const near = sign === undefined && takes(reading, ...nearly)
      const right = sign !== undefined || near ? rules.expression() : undefined
      if (right === undefined) return undefined
      // for a name, its value; for anything else, its exact form
      if (sign === undefined) return isExpression(before) && isOnlySymbols(before) ? right : before
      return chained(before, sign, right)
    })
    if (longer === undefined) break
    left = longer
  }
  return left
}

function chained(left: Answer, sign: Comparison, right: Expression): Relation {
  if (left.kind === 'relation')
    return { kind: 'relations', chain: [left, { kind: 'relation', sign, left: left.right, right }] }
  if (left.kind !== 'relations') return { kind: 'relation', sign, left, right }
  const last = left.chain.at(-1)
  return last === undefined
    ? left
    : { kind: 'relations', chain: [...left.chain, { kind: 'relation', sign, left: last.right, right }] }
}

const literals: readonly (readonly [Extract<Answer, { kind: 'named set' }>['name'], readonly string[]])[] = [
  ['N', ['\\mathbb{N}', 'ℕ']],
  ['Z', ['\\mathbb{Z}', 'ℤ']],
  ['Q', ['\\mathbb{Q}', 'ℚ']],
  ['R', ['\\mathbb{R}', 'ℝ']],
  ['C', ['\\mathbb{C}', 'ℂ']],
  ['empty', ['\\emptyset', '∅', '\\{\\}', '\\lbrace\\rbrace']],
]

function setAtom(reading: Reading, rules: Rules): Answer | undefined {
  return firstOf<Answer>(reading, [
    () => interval(reading, rules),
    () => {
      const name = literals.find(([, texts]) => takes(reading, ...texts))?.[0]
      if (name !== undefined) return { kind: 'named set', name }
      return takes(reading, '{') && takes(reading, '}') ? { kind: 'named set', name: 'empty' } : undefined
    },
    () =>
      firstOf<Answer>(
        reading,
        [['(', ')'] as const, ['\\(', '\\)'] as const, ['[', ']'] as const].map(([open, close]) => () => {
          const items = within(reading, open, close, () => elements(reading, rules, true))?.flat()
          return items && (items.length === 1 ? items[0] : { kind: 'tuple', items })
        }),
      ),
    () =>
      firstOf<Answer>(
        reading,
        [['{', '}'] as const, ['\\{', '\\}'] as const].map(([open, close]) => () => {
          const items = within(reading, open, close, () => elements(reading, rules, true))?.flat()
          return items && { kind: 'set', items }
        }),
      ),
    () => {
      const read = takes(reading, '\\boxed')
        ? within(reading, '{', '}', () => elements(reading, rules, true))
        : undefined
      return read && setOrOne(read)
    },
  ])
}

const openers = ['(', '\\(', '\\lgroup']
const shutters = [')', '\\)', '\\rgroup']

function interval(reading: Reading, rules: Rules): Answer | undefined {
  const leftOpen = takes(reading, ...openers)
  if (!leftOpen && !takes(reading, '[', '\\lbrack')) return undefined
  const from = rules.expression()
  const to = from && takes(reading, ',') ? rules.expression() : undefined
  const rightOpen = takes(reading, ...shutters)
  if (from === undefined || to === undefined || (!rightOpen && !takes(reading, ']', '\\rbrack'))) return undefined
  return intervalOf(from, to, leftOpen, rightOpen)
}

/** Empty ones with both ends of a kind are tuples; an infinite end is open. */
function intervalOf(from: Expression, to: Expression, leftOpen: boolean, rightOpen: boolean): Answer {
  const [start, end] = [numericEnd(from), numericEnd(to)]
  if (start !== undefined && end !== undefined) {
    const order =
      typeof start === 'object' && typeof end === 'object'
        ? compareFractions(start, end)
        : Math.sign(extended(start) - extended(end)) || 0
    if ((leftOpen && rightOpen && order >= 0) || (!leftOpen && !rightOpen && order > 0))
      return { kind: 'tuple', items: [from, to] }
    if (order > 0 || (order === 0 && leftOpen !== rightOpen)) return { kind: 'named set', name: 'empty' }
    if (order === 0) return { kind: 'set', items: [from] }
  }
  return {
    kind: 'interval',
    from,
    to,
    leftOpen: leftOpen || typeof start === 'number',
    rightOpen: rightOpen || typeof end === 'number',
  }
}

function setRelation(reading: Reading, rules: Rules): Answer | undefined {
  return firstOf<Answer>(reading, [
    () => {
      const left = names(reading, rules)
      if (left === undefined || !(takes(reading, '\\in') || takes(reading, ...assigns))) return undefined
      const right = setRelation(reading, rules)
      return right && { kind: 'relation', sign: '=', left, right }
    },
    () => joined(reading, rules, 0),
  ])
}

const setSigns = [
  ['difference', ['\\setminus', '∖']],
  ['union', ['\\cup', '∪']],
  ['intersection', ['\\cap', '∩']],
] as const

/** From the loosest to the tightest. */
function joined(reading: Reading, rules: Rules, level: number): Answer | undefined {
  const row = setSigns[level]
  if (row === undefined)
    return firstOf<Answer>(reading, [
      () => within(reading, '(', ')', () => joined(reading, rules, 0)),
      () => setAtom(reading, rules),
    ])
  const [kind, texts] = row
  let left = joined(reading, rules, level + 1)
  while (left !== undefined && takes(reading, ...texts)) {
    const right = joined(reading, rules, level + 1)
    if (right === undefined) return undefined
    left = { kind, parts: [asSet(left, kind), asSet(right, kind)] }
  }
  return left
}

const asSet = (of: Answer, kind: 'union' | 'intersection' | 'difference'): Answer =>
  of.kind === 'tuple' && kind !== 'difference' ? { kind: 'set', items: of.items } : of
