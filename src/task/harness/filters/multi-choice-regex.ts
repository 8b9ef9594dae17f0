/** The choice that a response names: by a pattern, by a choice's own words, by a letter (lm-evaluation-harness, `MultiChoiceRegexFilter`). */
import { stripText } from '#core'
import { codePoints, pythonRegex } from '#platform/python'
import { eachResponse, type Filter } from './filter.ts'
import { invalid, patternOf, select } from './regex.ts'

export const multiChoiceRegex: Filter = {
  options: ['regex_pattern', 'group_select', 'fallback', 'ignore_case', 'ignore_punctuation', 'regexes_to_ignore'],
  make: eachResponse(
    (options, place) => {
      const pattern = patternOf(options, place)
      const { group_select: group = 0, ignore_case: noCase, ignore_punctuation: noPunctuation, regexes_to_ignore: ignored } = options
      const dropped = (Array.isArray(ignored) ? ignored : []).map((one) => pythonRegex(String(one)))
      const plain = (text: string): string => {
        const without = dropped.reduce((left, one) => one.sub('', left), text)
        const lower = noCase === true ? without.toLowerCase() : without
        return noPunctuation === true ? lower.replace(/\p{P}/gu, '') : lower
      }
      return (response, doc) => {
        const choices = Array.isArray(doc['choices']) ? doc['choices'].map((choice) => plain(stripText(String(choice)))) : []
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
    },
    ({ fallback = invalid }) => String(fallback),
  ),
}

/** As `re.escape`. */
function escaped(text: string): string {
  return text.replace(/[-\\^$*+?.()|[\]{}#&~\s]/g, '\\$&')
}

/** So that no choice hides behind another that it begins with. */
function longestFirst(patterns: readonly string[]): string[] {
  return [...patterns].sort((a, b) => codePoints(b) - codePoints(a))
}
