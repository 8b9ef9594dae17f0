/**
 * A final answer without units, words and shorthand: appendix D of Lewkowycz et al. (2022), in both wordings of
 * lm-evaluation-harness 0.4.13.
 */
import { stripText } from '#core'
import { pythonRegex } from '#platform/python'

/** `frozen`: as the Open LLM Leaderboard had it, which takes `ft` out of `\left` and joins `1,2` to 12. */
export interface Wording {
  readonly frozen: boolean
}

const replaced: readonly (readonly [string, string])[] = [
  ['an ', ''],
  ['a ', ''],
  ['.$', '$'],
  ['\\$', ''],
  ['\\ ', ''],
  [' ', ''],
  ['mbox', 'text'],
  [',\\text{and}', ','],
  ['\\text{and}', ','],
  ['\\text{m}', '\\text{}'],
]

/** In this order: removing one may form another. */
const words =
  'square ways integers dollars mph inches ft hours km units \\ldots sue points feet minutes digits cents degrees cm gm pounds meters meals edges students childrentickets multiples'
const removed: readonly string[] = [
  ...words.split(' '),
  '\\text{s}',
  '\\text{.}',
  '\\text{\ns}',
  '\\text{}^2',
  '\\text{}^3',
  '\\text{\n}',
  '\\text{}',
  '\\mathrm{th}',
  '^\\circ',
  '^{\\circ}',
  '\\;',
  ',\\!',
  '{,}',
  '"',
  '\\dots',
]
const isWord = (text: string): boolean => /^[a-z]+$/.test(text)
const wholeWords = removed.filter(isWord).map((word) => pythonRegex(`(?<!\\\\)\\b${word}\\b`))

const wrappers = [
  [pythonRegex('(.*?)(\\$)(.*?)(\\$)(.*)'), '$\\3$'],
  [pythonRegex('(\\\\text\\{)(.*?)(\\})'), '\\2'],
  [pythonRegex('(\\\\textbf\\{)(.*?)(\\})'), '\\2'],
  [pythonRegex('(\\\\overline\\{)(.*?)(\\})'), '\\2'],
  [pythonRegex('(\\\\boxed\\{)(.*)(\\})'), '\\2'],
  [pythonRegex('(frac)([^{])(.)'), 'frac{\\2}{\\3}'],
] as const
const root = [pythonRegex('(sqrt)([^{])'), 'sqrt{\\2}'] as const
const roots = [
  [pythonRegex('(sqrt)(\\[[^\\]]*\\])(\\w)'), '\\1\\2{\\3}'],
  [pythonRegex('(sqrt)(?!\\[)([^{])'), 'sqrt{\\2}'],
] as const
const thousands = pythonRegex('-?\\d{1,3}(,\\d{3})+')

export function normalAnswer(answer: string, { frozen }: Wording): string {
  let text = answer.slice(answer.lastIndexOf('=') + 1)
  if (!frozen) for (const word of wholeWords) text = word.sub('', text)
  for (const [before, after] of replaced) text = text.replaceAll(before, after)
  for (const one of removed) text = frozen || !isWord(one) ? text.replaceAll(one, '') : outsideCommands(text, one)
  for (const [pattern, to] of [...wrappers, ...(frozen ? [root] : roots)]) text = pattern.sub(to, text)
  text = text.replaceAll('$', '')
  const joined = frozen ? isDigits(text.replaceAll(',', '')) : thousands.fullMatch(text) !== undefined
  return joined ? text.replaceAll(',', '') : text
}

function outsideCommands(text: string, word: string): string {
  return text
    .split(/(\\[a-zA-Z]+)/)
    .map((piece, i) => (i % 2 === 0 ? piece.replaceAll(word, '') : piece))
    .join('')
}

/** `str.isdigit`, as far as digits of scripts and raised ones go. */
const isDigits = (text: string): boolean => /^[\p{Nd}²³¹⁰⁴-⁹₀-₉①-⑨]+$/u.test(text)

export const invalidAnswer = '[invalidanswer]'
const minervaWords = pythonRegex('Final Answer: The final answer is(.*?). I hope it is correct.')
const putnamWords = pythonRegex(
  '(?:Final Answer: The final answer is|The answer is:)\\s*(.*?)(?=I hope it is correct\\.)',
)

/** The first answer in Minerva's words; a text that stops short of them has them added. */
export function statedAnswer(text: string, style: 'minerva' | 'putnam' = 'minerva'): string {
  const found = (style === 'minerva' ? minervaWords : putnamWords).search(`${text}I hope it is correct.`)
  return found === undefined ? invalidAnswer : stripText(found[1] ?? '')
}
