/**
 * What a text states, as math_verify 0.9 takes it: the best answer that can be read, and the text of the best that was
 * found.
 */
import {
  type Answer,
  constant,
  type Expression,
  inverse,
  isExpression,
  negative,
  power,
  product,
  sum,
  whole,
} from '../expression.ts'
import { decimal } from '../fraction.ts'
import { readAnswer } from './answer-grammar.ts'
import { answersIn, type Found } from './find-answers.ts'
import { normalLatex } from './normal-latex.ts'

/** Either of the two may be the right answer. */
export interface Stated {
  readonly answer: Answer | undefined
  readonly text: string | undefined
}

export function statedIn(text: string, options: { readonly latexOnly: boolean }): Stated {
  let first: string | undefined
  for (const group of answersIn(text, options)) {
    for (const found of group) {
      const { answer, text: own } = found.kind === 'latex' ? latexOf(found) : plainOf(found)
      if (own !== undefined && own !== '') first ??= own
      if (answer !== undefined) return { answer, text: first }
    }
  }
  return { answer: undefined, text: first }
}

function latexOf({ groups }: Found): Stated {
  const pieces = ['first_', 'next1_', 'next2_', 'next3_', 'next4_', 'next5_'].flatMap((prefix) => {
    const [name, latex] =
      Object.entries(groups).find(
        ([own, value]) => own.startsWith(`${prefix}latex`) && value !== undefined && value !== '',
      ) ?? []
    if (name === undefined || latex === undefined) return []
    const normal = normalLatex(latex, name === 'first_latexBoxed' ? 'last' : 'all')
    const read = answerIn(normal)
    return [
      {
        normal,
        answer:
          read && (groups[`${prefix}percent`] ?? '') !== '' && isExpression(read)
            ? product(read, constant('percent'))
            : read,
      },
    ]
  })
  const [first] = pieces
  if (first === undefined) return { answer: undefined, text: undefined }
  const all = pieces.map(({ answer }) => answer).filter((answer) => answer !== undefined)
  if (pieces.length === 1 || all.length < pieces.length) return { answer: first.answer, text: first.normal }
  return {
    answer: { kind: 'set', items: all.flatMap((answer) => (answer.kind === 'set' ? answer.items : [answer])) },
    text: pieces.map(({ normal }) => normal).join(' and '),
  }
}

/** Signs of complex numbers and matrices: symbols next to them are not real. */
const complexSigns =
  /\\mathbb\{C\}|\\i\b|\bi\b|\\text\{i\}|\\mathrm\{i\}|\\imath\b|\\det|\\operatorname\{(?:tr|rank|Re|Im)\}|\\text\{(?:rank|Re|Im)\}|\\arg\{|\\Re\{|\\Im\{/

/** A chain of equations that cannot be read is read behind its last sign. */
export function answerIn(latex: string): Answer | undefined {
  const read = (text: string): Answer | undefined => readAnswer(text, !complexSigns.test(text))
  const own = read(latex)
  if (own !== undefined || /[,;]/.test(latex)) return own
  const sides = latex.split(/(?<![\\<!>])=/)
  return sides.length > 2 ? read(sides.at(-1) ?? '') : undefined
}

function plainOf({ groups }: Found): Stated {
  const named = (prefix: string): string =>
    Object.entries(groups).find(
      ([name, value]) => name.startsWith(prefix) && value !== undefined && value !== '',
    )?.[1] ?? ''
  const [integer, after] = [named('integer'), named('decimal')]
  if (integer !== '' || after !== '') {
    const digits = integer.replace(/[, ]/g, '').replace(/^0+/, '')
    const text = `${digits === '' ? '0' : digits}${after.replaceAll(',', '.')}`
    if (!/^-?\d+(?:\.\d+)?$/.test(text)) return { answer: undefined, text }
    const number: Expression = { kind: 'number', value: decimal(text), float: text.includes('.') }
    return { answer: groups['percent'] === undefined ? number : product(number, constant('percent')), text }
  }
  const text = groups['expr'] ?? ''
  return { answer: pythonSum(text.replaceAll('\n', ' ').replaceAll('^', '**')), text }
}

/** Numbers with Python's operators, unevaluated; undefined where Python finds no expression. */
function pythonSum(text: string): Expression | undefined {
  const tokens = text.match(/\*\*|\/\/|[-+*/()]|(?:\d+\.?\d*|\.\d+)|\S/g) ?? []
  let at = 0
  const take = (...signs: readonly string[]): string | undefined =>
    signs.includes(tokens[at] ?? '') ? tokens[at++] : undefined
  const additive = (): Expression | undefined => {
    let left = term()
    for (let sign = take('+', '-'); left !== undefined && sign !== undefined; sign = take('+', '-')) {
      const right = term()
      left = right && sum(left, sign === '+' ? right : negative(right))
    }
    return left
  }
  const term = (): Expression | undefined => {
    let left = factor()
    for (let sign = take('*', '/'); left !== undefined && sign !== undefined; sign = take('*', '/')) {
      const right = factor()
      left = right && product(left, sign === '*' ? right : inverse(right))
    }
    return left
  }
  const factor = (): Expression | undefined => {
    const sign = take('+', '-')
    if (sign !== undefined) {
      const of = factor()
      return of && (sign === '-' ? negative(of) : of)
    }
    const base = primary()
    if (base === undefined || take('**') === undefined) return base
    const exponent = factor()
    return exponent && power(base, exponent)
  }
  const primary = (): Expression | undefined => {
    if (take('(') !== undefined) {
      const inside = additive()
      return inside !== undefined && take(')') !== undefined ? inside : undefined
    }
    const own = tokens[at]
    if (own === undefined || !/^(?:\d+\.?\d*|\.\d+)$/.test(own) || /^0\d*[1-9]\d*$/.test(own)) return undefined
    at++
    return own.includes('.') ? { kind: 'number', value: decimal(own), float: true } : whole(BigInt(own))
  }
  const read = additive()
  return at === tokens.length ? read : undefined
}
