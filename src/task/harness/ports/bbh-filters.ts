/**
 * BIG-Bench Hard without examples (Suzgun et al. 2022): answers out of free text – mapped patterns, numbers in words,
 * sorted words, choices of the prompt.
 */
import { stripText } from '#core'
import { isObject } from '#files/formats'
import { pythonRegex, splitWords } from '#platform/python'
import { docText, type DocValue } from '../doc.ts'
import { choiceIn, plainOf } from '../filters/multi-choice-regex.ts'
import { eachResponse, type Filter, type Options } from '../filters/filter.ts'
import { invalid, patternOf, select } from '../filters/regex.ts'
import { textIn } from './columns.ts'
import { numberInWords } from './number-words.ts'
import type { Port } from './port.ts'

const options = ['regex_pattern', 'group_select', 'fallback', 'ignore_case', 'ignore_punctuation', 'regexes_to_ignore']
const fallback = ({ fallback: own = invalid }: Options): string => String(own)
const found = (text: string | undefined): string | undefined => (text === '' ? undefined : text)
const filter = (make: Filter['make'], own = options): Port => ({ kind: 'filter', filter: { options: own, make } })

/** The value of the first pattern found in the response. */
export const mapRegex: Port = filter(
  eachResponse((given, place) => {
    const { regex_pattern_to_value: table = {}, group_select: group = 0 } = given
    const values = isObject(table) ? Object.entries(table) : []
    const any = patternOf({ regex_pattern: values.map(([pattern]) => pattern).join('|') }, place)
    const patterns = values.map(([pattern, value]) => [patternOf({ regex_pattern: pattern }, place), value] as const)
    const plain = plainOf(given)
    return (response) => {
      const whole = found(select(any, plain(response), Number(group)))
      const [, value] =
        whole === undefined
          ? []
          : (patterns.find(([pattern]) => found(select(pattern, plain(whole), Number(group))) !== undefined) ?? [])
      return value === undefined ? undefined : docText(value as DocValue)
    }
  }, fallback),
  ['regex_pattern_to_value', ...options.slice(1)],
)

/** A pattern, or else the first number that is written in English words. */
export const numberParse: Port = filter(
  eachResponse((given, place) => {
    const pattern = patternOf(given, place)
    return (response) =>
      found(select(pattern, response, Number(given['group_select'] ?? 0))) ??
      numberInWords(response, Number(given['group_select'] ?? 0))
  }, fallback),
)

/** The words of the list, in the order in which the answer has each for the last time. */
export const wordSort: Port = filter(
  eachResponse(() => (response, doc) => {
    const words = splitWords(stripText(textIn(doc, 'input').split('List:')[1] ?? ''))
    const said = pythonRegex(words.map((word) => `\\b${word}\\b`).join('|'))
      .findAll(response)
      .map(String)
    return [...new Set(said.reverse())].reverse().join(' ')
  }),
  [],
)

const listed = pythonRegex('\\([A-Z]\\)([^\\n^(]*)')

/** Choices are those that the prompt lists, `(A) …`. */
export const multiChoice: Port = filter(
  eachResponse((given, place) => {
    const find = choiceIn(given, place)
    return (response, doc) => find(response, listed.findAll(docText(doc['input'])).map(String))
  }, fallback),
)
