/** Whether two texts are the same once what does not count is taken away (Hugging Face evaluate, `exact_match`). */
import { fault, suggestion } from '#core'
import { punctuation, boundedRegex } from '#platform/python'

const known = ['regexes_to_ignore', 'ignore_case', 'ignore_punctuation', 'ignore_numbers']

/**
 * The comparison that the options of lm-evaluation-harness's `exact_match` ask for: 1 or 0. `place` names the task, in
 * messages. Throws `usage.value` for an option that the metric does not have.
 *
 * @example
 * ```ts
 * import { exactMatch } from 'strata-lm/harness'
 *
 * const same = exactMatch({ ignore_case: true, ignore_punctuation: true }, 'example')
 * console.log(same('Paris', 'paris.')) // → 1
 * ```
 */
export function exactMatch(
  options: Readonly<Record<string, unknown>>,
  place: string,
): (gold: string, prediction: string) => number {
  const unknown = Object.keys(options).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw fault('usage.value', {
      place: `${place} › exact_match`,
      what: 'the metric has no such option',
      seen: unknown,
      hint: suggestion(unknown, known),
    })
  const {
    regexes_to_ignore: ignored,
    ignore_case: noCase,
    ignore_punctuation: noPunctuation,
    ignore_numbers: noNumbers,
  } = options
  const patterns: unknown[] = Array.isArray(ignored) ? ignored : [ignored ?? []].flat()
  const dropped = patterns.map((pattern) => boundedRegex(String(pattern)))
  const plain = (text: string): string => {
    const without = dropped.reduce((left, pattern) => pattern.sub('', left), text)
    const lower = noCase === true ? without.toLowerCase() : without
    const letters =
      noPunctuation === true
        ? Array.from(lower)
            .filter((letter) => !punctuation.includes(letter))
            .join('')
        : lower
    // NumPy's texts end before their last null characters
    return (noNumbers === true ? letters.replace(/[0-9]/g, '') : letters).replace(/\0+$/, '')
  }
  return (gold, prediction) => Number(plain(gold) === plain(prediction))
}
