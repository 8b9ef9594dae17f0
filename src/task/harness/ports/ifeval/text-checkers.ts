/** Instructions on words, lengths, letters and languages. */
import type { DocValue } from '../../doc.ts'
import { type Checker, countOf, holds, relationOf, type Settings, textOf, wrong } from './checker.ts'
import { detectLanguage } from './detect-language.ts'
import { isLower, isUpper, matchCounter, space, splitWords, strip, stripOf, wordOfRe } from './python-text.ts'
import { sentencesOf } from './sentences.ts'
import { countWords, wordsOf } from './words.ts'

/** The reference draws absent keywords from a list of its own; no row of the data set leaves them out. */
function keywordsOf(settings: Settings, name: string): string[] {
  const value: DocValue | undefined = settings[name]
  if (typeof value === 'string') return Array.from(value)
  if (!Array.isArray(value)) throw wrong(name, value ?? null, 'a list of texts')
  return value.map((keyword: DocValue) => {
    if (typeof keyword !== 'string') throw wrong(name, keyword, 'a text')
    return keyword
  })
}

function neededText(settings: Settings, name: string): string {
  const text = textOf(settings, name)
  if (text === undefined) throw wrong(name, null, 'a text')
  return text
}

const existence: Checker = (settings) => {
  const patterns = keywordsOf(settings, 'keywords').map((keyword) => matchCounter(keyword, 'i', 'IFEval › keywords'))
  return (response) => patterns.every((find) => find(response) > 0)
}

const keywordFrequency: Checker = (settings, random) => {
  const find = matchCounter(strip(neededText(settings, 'keyword')), 'i', 'IFEval › keyword')
  const frequency = countOf(settings, 'frequency', random, 1, 3)
  const relation = relationOf(settings, 'relation', random)
  return (response) => holds(find(response), relation, frequency)
}

const forbiddenWords: Checker = (settings) => {
  const edge = `(?:(?<=${wordOfRe})(?!${wordOfRe})|(?<!${wordOfRe})(?=${wordOfRe}))`
  const patterns = keywordsOf(settings, 'forbidden_words').map((word) =>
    matchCounter(`${edge}${word}${edge}`, 'i', 'IFEval › forbidden_words'),
  )
  return (response) => !patterns.some((find) => find(response) > 0)
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The data set asks for a `!` and a `#` too: the reference then draws a letter. */
const letterFrequency: Checker = (settings, random) => {
  const asked = textOf(settings, 'letter') ?? ''
  const letter =
    /^[a-z]$/.test(asked.toLowerCase()) && asked.length === 1
      ? asked.toLowerCase()
      : letters.charAt(random.below(letters.length)).toLowerCase()
  const frequency = countOf(settings, 'let_frequency', random, 1, 10)
  const relation = relationOf(settings, 'let_relation', random)
  return (response) => holds(response.toLowerCase().split(letter).length - 1, relation, frequency)
}

const languages = 'en es pt ar hi fr ru de ja it bn uk th ur ta te bg ko pl he fa vi ne sw kn mr gu pa ml fi'.split(' ')

const responseLanguage: Checker = (settings, random) => {
  const language = textOf(settings, 'language') ?? languages[random.below(languages.length)]
  return (response) => {
    const found = detectLanguage(response)
    return found === undefined || found === language
  }
}

const numberOfSentences: Checker = (settings, random) => {
  const wanted = countOf(settings, 'num_sentences', random, 1, 20)
  const relation = relationOf(settings, 'relation', random)
  return (response) => holds(sentencesOf(response).length, relation, wanted)
}

const numberOfWords: Checker = (settings, random) => {
  const wanted = countOf(settings, 'num_words', random, 100, 500)
  const relation = relationOf(settings, 'relation', random)
  return (response) => holds(countWords(response), relation, wanted)
}

const divider = new RegExp(String.raw`[${space}]?\*\*\*[${space}]?`, 'u')

const numberOfParagraphs: Checker = (settings, random) => {
  const wanted = countOf(settings, 'num_paragraphs', random, 1, 5)
  return (response) => {
    const paragraphs = response.split(divider)
    const empty = paragraphs.flatMap((paragraph, i) => (strip(paragraph) === '' ? [i] : []))
    return empty.every((i) => i === 0 || i === paragraphs.length - 1) && paragraphs.length - empty.length === wanted
  }
}

const nthParagraphFirstWord: Checker = (settings, random) => {
  const wanted = countOf(settings, 'num_paragraphs', random, 1, 5)
  const asked = countOf(settings, 'nth_paragraph', random, 0, 0)
  const nth = asked <= 0 || asked > wanted ? 1 + random.below(wanted + 1) : asked
  const firstWord = neededText(settings, 'first_word').toLowerCase()
  return (response) => {
    const paragraphs = response.split('\n\n')
    const count = paragraphs.filter((paragraph) => strip(paragraph) !== '').length
    const [word] = splitWords(nth <= count ? (paragraphs[nth - 1] ?? '') : '')
    if (word === undefined) return false
    const [bare = ''] = word
      .replace(/^'+/, '')
      .replace(/^"+/, '')
      .split(/[.,?!'"]/)
    return count === wanted && bare.toLowerCase() === firstWord
  }
}

/** A negative frequency stands, other than everywhere else. */
const capitalWordFrequency: Checker = (settings, random) => {
  const { capital_frequency: given } = settings
  const frequency =
    typeof given === 'number' && given < 0 ? given : countOf(settings, 'capital_frequency', random, 1, 20)
  const relation = relationOf(settings, 'capital_relation', random)
  return (response) => holds(wordsOf(response).filter(isUpper).length, relation, frequency)
}

const isEnglish = (response: string): boolean => (detectLanguage(response) ?? 'en') === 'en'

export const textCheckers = {
  'keywords:existence': existence,
  'keywords:frequency': keywordFrequency,
  'keywords:forbidden_words': forbiddenWords,
  'keywords:letter_frequency': letterFrequency,
  'language:response_language': responseLanguage,
  'length_constraints:number_sentences': numberOfSentences,
  'length_constraints:number_paragraphs': numberOfParagraphs,
  'length_constraints:number_words': numberOfWords,
  'length_constraints:nth_paragraph_first_word': nthParagraphFirstWord,
  'change_case:capital_word_frequency': capitalWordFrequency,
  'change_case:english_capital': () => (response) => isUpper(response) && isEnglish(response),
  'change_case:english_lowercase': () => (response) => isLower(response) && isEnglish(response),
  'punctuation:no_comma': () => (response) => !response.includes(','),
  'startend:quotation': () => (response) => /^"[^]*"$/.test(strip(response)),
  'startend:end_checker': (settings, random) => {
    const phrase =
      textOf(settings, 'end_phrase') ??
      (random.below(2) === 0 ? 'Any other questions?' : 'Is there anything else I can help with?')
    return (response) => stripOf(strip(response), '"').toLowerCase().endsWith(strip(phrase).toLowerCase())
  },
} as const satisfies Readonly<Record<string, Checker>>
