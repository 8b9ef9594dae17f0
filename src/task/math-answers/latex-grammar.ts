/**
 * Sums, products, powers and groups of LaTeX, in the order of SymPy's grammar, which latex2sympy2_extended shares: an
 * operator that nothing fits behind ends the expression before it.
 */
import { atom, called } from './latex-atoms.ts'
import { call, type Expression, inverse, negative, power, product, sum } from './expression.ts'
import { fraction, isInteger, minus, over, plus } from './fraction.ts'
import { matrixOf } from './latex-matrix.ts'
import { attempt, firstOf, look, type Reading, type Rules, sees, takes, within } from './reading.ts'

type Read = Expression | undefined

/** The rules over one reading. */
export function rulesOf(reading: Reading): Rules {
  const rules: Rules = {
    expression: () => additive(reading, rules),
    argument: () => multiplied(reading, rules, false),
    term: () => multiplied(reading, rules, true),
    atom: () => atom(reading, rules),
  }
  return rules
}

function additive(reading: Reading, rules: Rules): Read {
  let left = rules.term()
  while (left !== undefined) {
    const before: Expression = left
    const longer: Read = attempt(reading, () => {
      const plain = takes(reading, '+', '∔', '⊕', '⊞')
      if (!plain && !takes(reading, '-', '−', '∸')) return undefined
      const right = rules.term()
      return right && sum(...(before.kind === 'sum' ? before.terms : [before]), plain ? right : negative(right))
    })
    if (longer === undefined) break
    left = longer
  }
  return left
}

const timesSigns = ['*', '\\times', '\\cdot', ...Array.from('×⋅⋄⊡∗⋆∘∙⊗⊠⋈⋉⋊')]
const overSigns = ['/', '\\div', ':', '÷', '∕', '\\over']

/** `functions`: whether a function may stand behind another factor. */
function multiplied(reading: Reading, rules: Rules, functions: boolean): Read {
  let left = signed(reading, rules, functions)
  while (left !== undefined) {
    const before: Expression = left
    const longer: Read = attempt(reading, () => {
      const extended = reading.dialect === 'extended'
      if (takes(reading, ...(extended ? timesSigns : timesSigns.slice(0, 3)))) {
        const right = signed(reading, rules, functions)
        return right && product(...flat(before), ...flat(right))
      }
      if (takes(reading, ...(extended ? overSigns : overSigns.slice(0, 3)))) {
        const right = signed(reading, rules, functions)
        return right && quotient(before, right)
      }
      if (!extended || !takes(reading, '\\mod')) return undefined
      const right = signed(reading, rules, functions)
      return right && call('mod', before, right)
    })
    if (longer === undefined) break
    left = longer
  }
  return left
}

const flat = (of: Expression): readonly Expression[] => (of.kind === 'product' ? of.factors : [of])

/** Two integers give the rational number itself. */
export function quotient(top: Expression, bottom: Expression): Expression {
  const numbers = top.kind === 'number' && bottom.kind === 'number' && !top.float && !bottom.float
  if (numbers && isInteger(top.value) && isInteger(bottom.value) && bottom.value.top !== 0n)
    return { kind: 'number', value: over(top.value, bottom.value), float: false }
  return product(top, inverse(bottom))
}

function signed(reading: Reading, rules: Rules, functions: boolean): Read {
  if (takes(reading, '+', '∔', '⊕', '⊞')) return signed(reading, rules, functions)
  if (takes(reading, '-', '−', '∸')) {
    const of = signed(reading, rules, functions)
    return of && negative(of)
  }
  const first = postfixed(reading, rules, true)
  if (first === undefined) return undefined
  const factors = [first]
  for (;;) {
    const factor = attempt(reading, () => postfixed(reading, rules, functions))
    if (factor === undefined) break
    factors.push(factor)
  }
  return reading.dialect === 'sympy' ? beside(withoutCross(factors)) : mixed(factors)
}

const beside = (factors: readonly Expression[]): Read => (factors.length === 1 ? factors[0] : product(...factors))

/** An `x` between two factors without symbols is a multiplication sign (SymPy). */
function withoutCross(factors: readonly Expression[]): readonly Expression[] {
  return factors.filter((factor, i) => {
    if (factor.kind !== 'symbol' || factor.name !== 'x' || i === 0 || i === factors.length - 1) return true
    return [factors[i - 1], factors[i + 1]].some((one) => one !== undefined && hasSymbol(one))
  })
}

function hasSymbol(of: Expression): boolean {
  switch (of.kind) {
    case 'symbol':
      return true
    case 'sum':
      return of.terms.some(hasSymbol)
    case 'product':
      return of.factors.some(hasSymbol)
    case 'power':
      return hasSymbol(of.base) || hasSymbol(of.exponent)
    case 'call':
      return of.args.some(hasSymbol)
    case 'number':
    case 'constant':
    case 'matrix':
      return false
    default:
      return of satisfies never
  }
}

/** An integer before a positive rational number is a mixed number, from the right on (latex2sympy2_extended). */
function mixed(factors: readonly Expression[]): Read {
  let right = factors.at(-1)
  for (const left of factors.slice(0, -1).toReversed()) {
    if (right === undefined) return undefined
    const number = right.kind === 'number' && !right.float && right.value.top > 0n ? right.value : undefined
    if (number !== undefined && left.kind === 'number' && !left.float && isInteger(left.value))
      right = {
        kind: 'number',
        value: left.value.top < 0n ? minus(left.value, number) : plus(left.value, number),
        float: false,
      }
    else right = product(...flat(left), ...flat(right))
  }
  return right
}

function postfixed(reading: Reading, rules: Rules, functions: boolean): Read {
  let of = raisedPart(reading, rules, functions)
  while (of !== undefined) {
    if (takes(reading, '!')) of = call('factorial', of)
    else if (reading.dialect === 'extended' && look(reading).kind === 'degree') reading.at++
    else if (reading.dialect === 'extended' && look(reading).kind === 'transpose') {
      reading.at++
      of = of.kind === 'matrix' ? transposed(of.rows) : of
    } else break
  }
  return of
}

function transposed(rows: readonly (readonly Expression[])[]): Expression {
  return { kind: 'matrix', rows: (rows[0] ?? []).map((_, j) => rows.map((row) => row[j] ?? zeroEntry)) }
}
const zeroEntry: Expression = { kind: 'number', value: fraction(0), float: false }

/** Powers from the left: `x^2^3` is `(x^2)^3`. */
function raisedPart(reading: Reading, rules: Rules, functions: boolean): Read {
  let base = component(reading, rules, functions)
  while (base !== undefined) {
    const below: Expression = base
    const raised: Read = attempt(reading, () => {
      if (!takes(reading, '^')) return undefined
      const exponent = firstOf(reading, [() => atom(reading, rules), () => within(reading, '{', '}', rules.expression)])
      return exponent && power(below, exponent)
    })
    if (raised === undefined) break
    base = raised
  }
  return base
}

const groups: readonly (readonly [string, string])[] = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['\\{', '\\}'],
]
const moreGroups: readonly (readonly [string, string])[] = [
  ...groups,
  ['\\lgroup', '\\rgroup'],
  ['\\lbrace', '\\rbrace'],
  ['\\lbrack', '\\rbrack'],
]
const bars: readonly (readonly [string, string])[] = [['|', '|']]
const moreBars: readonly (readonly [string, string])[] = [...bars, ['\\lvert', '\\rvert'], ['\\vert', '\\vert']]

function component(reading: Reading, rules: Rules, functions: boolean): Read {
  const extended = reading.dialect === 'extended'
  const braces = (pairs: readonly (readonly [string, string])[], name?: string) =>
    pairs.map(([open, close]) => () => {
      if (!sees(reading, open)) return undefined
      const inside = within(reading, open, close, rules.expression)
      return inside && name !== undefined ? call(name, inside) : inside
    })
  return firstOf(reading, [
    ...braces(extended ? moreGroups : groups),
    ...braces(extended ? moreBars : bars, 'abs'),
    ...braces([['\\lfloor', '\\rfloor']], 'floor'),
    ...braces([['\\lceil', '\\rceil']], 'ceiling'),
    ...(extended
      ? [() => (takes(reading, '\\boxed', '\\phantom') ? within(reading, '{', '}', rules.expression) : undefined)]
      : []),
    ...(functions ? [() => called(reading, rules)] : []),
    () => atom(reading, rules),
    ...(extended
      ? [() => fractionOf(reading, rules), () => chosen(reading, rules), () => matrixOf(reading, rules)]
      : []),
  ])
}

function fractionOf(reading: Reading, rules: Rules): Read {
  if (!takes(reading, '\\frac', '\\dfrac', '\\tfrac', '\\cfrac')) return undefined
  const top = within(reading, '{', '}', rules.expression)
  const bottom = top && within(reading, '{', '}', rules.expression)
  return bottom && quotient(top, bottom)
}

function chosen(reading: Reading, rules: Rules): Read {
  if (takes(reading, '\\binom', '\\dbinom', '\\tbinom')) {
    const top = within(reading, '{', '}', rules.expression)
    const bottom = top && within(reading, '{', '}', rules.expression)
    return bottom && call('binomial', top, bottom)
  }
  return within(reading, '{', '}', () => {
    const top = rules.expression()
    const bottom = top && takes(reading, '\\choose') ? rules.expression() : undefined
    return top && bottom && call('binomial', top, bottom)
  })
}
