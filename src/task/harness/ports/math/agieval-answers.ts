/**
 * Answers found in a response by AGIEval (Zhong et al. 2023) – in a box, between dollar signs, behind an equals sign,
 * otherwise the last number –, and the same for HRM8K's Korean questions (Ko et al. 2025).
 */
import { stripText } from '#core'
import { pythonRegex } from '#platform/python'
import { docText } from '../../doc.ts'
import { textOf } from '../answers.ts'
import { textIn } from '../columns.ts'
import type { Port } from '../port.ts'
import { closedBox, asciiDigits, sameSpelling } from '#task/math-answers'

const betweenDollars = pythonRegex('\\$(.*)\\$')
const number = pythonRegex('(?:\\$)?\\d+(?:\\.\\d+)?(?![\\w\\d])')

const lastOf = (found: readonly (string | readonly string[])[]): string | undefined => {
  const last = found.at(-1)
  return typeof last === 'string' ? last : last?.[0]
}
const behindEquals = (text: string): string =>
  text.includes('=') ? text.slice(text.lastIndexOf('=') + 1).replace(/^ +/, '') : text

/** Undefined where there is none; a box that holds none hides what else there is. */
export function pickedAnswer(response: string): string | undefined {
  if (response.includes('\\boxed')) {
    const box = closedBox(response)
    return box?.startsWith('\\boxed{') === true ? behindEquals(box.slice(7, -1)) : undefined
  }
  const inDollars = lastOf(betweenDollars.findAll(response))
  if (inDollars !== undefined && behindEquals(inDollars) !== '') return behindEquals(inDollars)
  if (!response.includes('=')) return lastOf(number.findAll(response))
  // a backslash and an n, as a line's end that was escaped
  return behindEquals(response).replace(/\.+$/, '').split('\\n')[0]
}

function samePicked(response: string, gold: string, settled: (text: string) => string): boolean {
  const [own, wanted] = [pickedAnswer(response), pickedAnswer(gold)]
  if (own === undefined || wanted === undefined) return own === wanted
  return sameSpelling(own, wanted, { anySlash: true, settled })
}

export const agievalResults: Port = {
  kind: 'results',
  run: (doc, answers) => ({ acc: Number(samePicked(textOf(answers[0]), textIn(doc, 'answer'), (text) => text)) }),
}

const float = /^[+-]?(?:(?:\d+(?:_\d+)*)?\.?\d+(?:_\d+)*|\d+(?:_\d+)*\.)(?:[eE][+-]?\d+(?:_\d+)*)?$/

/** A number as Python prints it, a whole one without its point. */
function plainNumber(text: string): string {
  const own = stripText(text)
  const ascii = asciiDigits(own)
  const word = /^([+-]?)(inf(?:inity)?|nan)$/i.exec(own)
  if (word !== null)
    return `${word[1] === '-' && /inf/i.test(own) ? '-' : ''}${(word[2] ?? '').slice(0, 3).toLowerCase()}`
  if (!float.test(ascii)) return own
  const value = Number(ascii.replaceAll('_', ''))
  return Number.isInteger(value) ? `${BigInt(value)}` : docText({ kind: 'float', value })
}

const hrm8kGold = (answer: Parameters<typeof docText>[0]): string =>
  plainNumber(answer === null ? 'None' : docText(answer))

export const hrm8kTarget: Port = { kind: 'field', run: (doc) => hrm8kGold(doc['answer']) }

export const hrm8kResults: Port = {
  kind: 'results',
  run: (doc, answers) => ({
    exact_match: Number(samePicked(textOf(answers[0]), hrm8kGold(doc['answer']), plainNumber)),
  }),
}

/** A text with one column in it, `{doc['question'].strip()}`, from the literals of its file. */
export function filledText(constants: readonly (string | number)[]): Port | undefined {
  const text = constants.map(String).join('')
  const [first = '', column, rest, ...more] = text.split(/\{doc\['(\w+)'\]\.strip\(\)\}/)
  if (column === undefined || rest === undefined || more.length > 0) return undefined
  // braces doubled are braces only in the literal that is formatted
  return /\{\{|\}\}/.test(text)
    ? undefined
    : { kind: 'field', run: (doc) => `${first}${stripText(textIn(doc, column))}${rest}` }
}
