/** The part of a response that a pattern finds (lm-evaluation-harness, `RegexFilter`). */
import { fault, stripText } from '#core'
import { boundedRegex, type PythonRegex, PythonRegexError } from '#platform/python'
import { eachResponse, type Filter, type Options } from './filter.ts'

const usualPattern = '#### (\\-?[0-9\\.\\,]+)'
export const invalid = '[invalid]'

export const regex: Filter = {
  options: ['regex_pattern', 'group_select', 'fallback'],
  make: eachResponse(
    (options, place) => {
      const pattern = patternOf(options, place)
      const { group_select: group = 0 } = options
      return (response) => select(pattern, response, Number(group))
    },
    ({ fallback = invalid }) => String(fallback),
  ),
}

export function patternOf({ regex_pattern: pattern = usualPattern }: Options, place: string): PythonRegex {
  try {
    return boundedRegex(String(pattern))
  } catch (error) {
    if (error instanceof PythonRegexError)
      throw fault('usage.value', {
        place,
        what: `the pattern cannot be read: ${error.message}`,
        seen: pattern,
        cause: error,
      })
    throw error
  }
}

/**
 * The match at a place, counted from the end where it is negative; with several groups, the first that is not empty.
 * Undefined where there is none.
 */
export function select(pattern: PythonRegex, text: string, place: number): string | undefined {
  const found = pattern.findAll(text)
  if (found.length === 0) return undefined
  const match = found.at(place)
  if (match === undefined)
    throw fault('task.value', {
      place: 'regex › group_select',
      what: 'the response has no such match',
      seen: place,
      wanted: `below ${found.length}`,
    })
  const text1 = typeof match === 'string' ? match : match.find((group) => group !== '')
  return text1 === undefined ? undefined : stripText(text1)
}
