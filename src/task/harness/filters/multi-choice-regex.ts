/**
 * The choice that a response names: by a pattern, by a choice's own words, by a letter (lm-evaluation-harness,
 * `MultiChoiceRegexFilter`).
 */
import { stripText } from '#core'
import { boundedRegex, codePoints, pythonRegex } from '#platform/python'
import { eachResponse, type Filter, type Options } from './filter.ts'
import { invalid, patternOf, select } from './regex.ts'

export const multiChoiceRegex: Filter = {
  options: ['regex_pattern', 'group_select', 'fallback', 'ignore_case', 'ignore_punctuation', 'regexes_to_ignore'],
  make: eachResponse(
    (options, place) => {
      const find = choiceIn(options, place)
      return (response, doc) => find(response, Array.isArray(doc['choices']) ? doc['choices'].map(String) : [])
    },
    ({ fallback = invalid }) => String(fallback),
  ),
}

/** The letter, in brackets, of the choice that a response names; or what the pattern finds in it. */
export function choiceIn(
  options: Options,
  place: string,
): (response: string, choices: readonly string[]) => string | undefined {
  const pattern = patternOf(options, place)
  const { group_select: group = 0 } = options
  const plain = plainOf(options)
  return (response, listed) => {
    const choices = listed.map((choice) => plain(stripText(choice)))
    const letters = choices.map((_, i) => String.fromCharCode(65 + i))
    const byText = new Map(choices.map((choice, i) => [choice, `(${letters[i] ?? ''})`]))
    const byLetter = new Map(letters.map((letter) => [letter, `(${letter})`]))
    const inWords = choices.length === 0 ? undefined : pythonRegex(longestFirst(choices.map(escaped)).join('|'))
    const afterColon = pythonRegex(`:[\\s]*(${letters.join('|')})`)
    const found = select(pattern, response, Number(group))
    if (found !== undefined && found !== '') return found
    const words = inWords === undefined ? undefined : select(inWords, plain(response), Number(group))
    if (words !== undefined && words !== '') return byText.get(words) ?? words
    const letter = select(afterColon, response, Number(group))
    return letter === undefined || letter === '' ? undefined : (byLetter.get(letter) ?? letter)
  }
}

/** A text without its ignored parts. */
export function plainOf({
  ignore_case: noCase,
  ignore_punctuation: noPunctuation,
  regexes_to_ignore: ignored,
}: Options): (text: string) => string {
  const dropped = (Array.isArray(ignored) ? ignored : []).map((one) => boundedRegex(String(one)))
  return (text) => {
    const without = dropped.reduce((left, one) => one.sub('', left), text)
    const lower = noCase === true ? without.toLowerCase() : without
    return noPunctuation === true ? lower.replace(/\p{P}/gu, '') : lower
  }
}

/** As `re.escape`. */
function escaped(text: string): string {
  return text.replace(/[-\\^$*+?.()|[\]{}#&~\s]/g, '\\$&')
}

/** So that no choice hides behind another that it begins with. */
function longestFirst(patterns: readonly string[]): string[] {
  return [...patterns].sort((a, b) => codePoints(b) - codePoints(a))
}
