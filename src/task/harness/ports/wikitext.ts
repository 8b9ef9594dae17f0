/**
 * WikiText (Merity et al. 2017): pages without the spaces of their tokeniser, scored a word and a byte of the page as
 * it was.
 */
import { pythonRegex, splitSpaces } from '#platform/python'
import { logLikelihoodOf } from './answers.ts'
import { textIn } from './columns.ts'
import type { Port } from './port.ts'

const between = (open: string, inner: string, close: string, result: string): ((text: string) => string) => {
  const pattern = pythonRegex(`${open}\\s*(${inner}*?)\\s*${close}`)
  return (text) => pattern.sub(result, text)
}
const replaced =
  (from: string, to: string): ((text: string) => string) =>
  (text) =>
    text.replaceAll(from, to)

/** In the reference's order; its rule for years after an apostrophe wants slashes around them, and meets no text. */
const steps = [
  replaced("s '", "s'"),
  (text: string) => pythonRegex("/' [0-9]/").sub("/'[0-9]/", text),
  ...['-', ',', '.'].map((mark) => replaced(` @${mark}@ `, mark)),
  ...[':', ';', '.', '!', '?', ','].map((mark) => replaced(` ${mark} `, `${mark} `)),
  between('\\(', '[^\\)]', '\\)', '(\\1)'),
  between('\\[', '[^\\]]', '\\]', '[\\1]'),
  between('{', '[^}]', '}', '{\\1}'),
  between('"', '[^"]', '"', '"\\1"'),
  between("'", "[^']", "'", "'\\1'"),
  replaced('= = = =', '===='),
  replaced('= = =', '==='),
  replaced('= =', '=='),
  replaced(' ° ', '°'),
  replaced(' \n', '\n'),
  replaced('\n ', '\n'),
  replaced(' N ', ' 1 '),
  replaced(" 's", "'s"),
]

export const wikitextTarget: Port = {
  kind: 'field',
  run: (doc) => steps.reduce((text, step) => step(text), textIn(doc, 'page')),
}

export const wikitextResults: Port = {
  kind: 'results',
  run: (doc, [answer]) => {
    const page = textIn(doc, 'page')
    const [score, words, bytes] = [logLikelihoodOf(answer), splitSpaces(page).length, Buffer.byteLength(page)]
    return { word_perplexity: [score, words], byte_perplexity: [score, bytes], bits_per_byte: [score, bytes] }
  },
}
